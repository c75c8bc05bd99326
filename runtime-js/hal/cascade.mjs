// The cascade: the first step that answers wins.
import { environment } from "./environment.mjs";
import { files } from "./files.mjs";
import { looksLike, shown } from "./process.mjs";

export const UNKNOWN = "unknown";

/** rowOf returns the row with the id; undefined when it is not known. */
export function rowOf(world, id) {
  return world.rows.find((row) => row.id === id);
}

/** detect takes the steps in their order. */
export function detect(world) {
  const run = { ...world, warnings: [], tree: once(world.ancestors) };
  const detection = { provider: UNKNOWN, by: "none", steps: [] };
  for (const [name, take] of [["override", override], ["environment", environment], ["files", files], ["process_tree", processTree]]) {
    const step = guarded(take, run);
    detection.steps.push({ step: name, saw: step.saw ?? [], ...(step.answer && { answer: step.answer }), why: step.why });
    if (step.answer) {
      detection.provider = step.answer;
      detection.by = name;
      break;
    }
  }
  return { ...detection, warnings: run.warnings };
}

/** guarded takes one step. One that breaks is one that does not answer. */
function guarded(take, run) {
  try {
    return take(run);
  } catch (fault) {
    return { why: `it broke: ${fault?.message ?? "an error that says nothing"}` };
  }
}

/** once reads the tree when it is asked for, and keeps it. What breaks is a tree that cannot be read. */
function once(read) {
  let result;
  return () => {
    if (result) return result;
    try {
      const got = typeof read === "function" ? read() : read;
      result = Array.isArray(got) ? { list: got } : got ?? { list: [], fault: "nobody says what it holds" };
    } catch (fault) {
      result = { list: [], fault: fault?.message ?? "an error that says nothing" };
    }
    return result;
  };
}

function override(run) {
  const from = run.runtime ? "the caller" : "GT_RUNTIME";
  const id = run.runtime || run.env.GT_RUNTIME;
  if (!id) return { why: "GT_RUNTIME is not set" };
  if (rowOf(run, id)) return { saw: [from], answer: id, why: `${from} says so` };
  run.warnings.push(`${from} says ${JSON.stringify(id)}, which is no runtime that is known; it is taken for ${UNKNOWN}`);
  return { saw: [from], answer: UNKNOWN, why: `${from} names a runtime that is not known` };
}

function processTree(run) {
  const { list, fault } = run.tree();
  const saw = shown(list);
  for (const p of list) {
    const row = run.rows.find((r) => looksLike(p, r));
    if (row) return { saw, answer: row.id, why: `the nearest ancestor that is known, process ${p.pid ?? 0}, is ${row.name}` };
  }
  return { saw, why: fault ? `the process table cannot be read: ${fault}` : "no ancestor is known" };
}
