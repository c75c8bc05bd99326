// Signs in the environment. When those of several runtimes are set, one was started from another: then the nearest ancestor
// among them is where we are, and where the process tree does not tell, the first in the rows' order.
import { looksLike } from "./process.mjs";

// What the dispatcher sets for handlers: the id of the harness whose hook it is. Some hosts set nothing else.
const HANDLER_MARK = "LORIMER_HARNESS";

export function environment(run) {
  const signs = [];
  const saw = [];
  for (const row of run.rows) {
    const seen = signsOf(row, run.env);
    if (seen.length === 0) continue;
    signs.push(row);
    saw.push(...seen);
  }
  if (signs.length === 0) return { why: "no sign of a runtime is set" };
  if (signs.length === 1) return { saw, answer: signs[0].id, why: `signs of ${signs[0].name} alone are set` };
  return { saw, ...innermost(run, signs) };
}

function signsOf(row, env) {
  const seen = new Set();
  if (env[HANDLER_MARK] === row.id && row.id !== "unknown") seen.add(HANDLER_MARK);
  for (const marker of row.markers) {
    if (env[marker.key] && isSign(marker, env[marker.key])) seen.add(marker.key);
  }
  return [...seen];
}

function isSign(marker, value) {
  if (marker.in) return marker.in.includes(value);
  if (marker.notIn) return !marker.notIn.includes(value);
  if (marker.match) return new RegExp(marker.match).test(value);
  return true;
}

function innermost(run, signs) {
  const several = `signs of ${signs.map((row) => row.name).join(", ")} are set; `;
  const { list, fault } = run.tree();
  for (const p of list) {
    const row = signs.find((r) => looksLike(p, r));
    if (row) return { answer: row.id, why: `${several}the nearest of their processes is ${row.name}` };
  }
  const blind = fault ? "the process table cannot be read" : "none of their processes is an ancestor";
  return { answer: signs[0].id, why: `${several}${blind}, and ${signs[0].name} is asked first` };
}
