// Loud lines: what a user has to see although the session goes on.
import { appendFileSync, existsSync } from "node:fs";
import { homedir } from "node:os";
import path from "node:path";
import { remember } from "./util.mjs";

const TEXT_LENGTH = 1000; // characters
const SAID = 500; // lines that are not said twice
const MARK = "lorimer: ";

/** createReporter returns report(line), and reportOnce(line, key) for what may go wrong at every event. */
export function createReporter(config, host) {
  const said = new Set();
  const report = (line) => {
    const text = oneLine(line);
    show(host, text.startsWith(MARK) ? text : MARK + text);
    if (!text.startsWith(MARK)) log(config, text); // else it is the dispatcher's, who has logged it
  };
  return { report, reportOnce: (line, key = line) => void (remember(said, key, SAID) && report(line)) };
}

// Faults quote foreign output: what steers a terminal must not reach one.
function oneLine(line) {
  return String(line).replace(/[\x00-\x20\x7f-\x9f]+/g, " ").trim().slice(0, TEXT_LENGTH);
}

// The host may have a place of its own, because a byte on stderr can damage its screen. Where it has none, or the place
// fails, stderr is what is left.
async function show(host, line) {
  try {
    await (host.report ?? console.error)(line);
  } catch {
    console.error(line);
  }
}

function log({ harness, dispatcher }, text) {
  try {
    const time = new Date().toISOString().slice(0, 19);
    appendFileSync(path.join(stateHome(dispatcher), "log"), `${time}Z ${harness} shim: ${text}` + "\n", { mode: "600" });
  } catch {
    // No state home, so nobody reads a log. The shim makes none.
  }
}

// Found in the order in which the dispatcher finds it.
function stateHome([dispatcher]) {
  const { LORIMER_HOME, XDG_STATE_HOME, LOCALAPPDATA } = process.env;
  const home = path.resolve(dispatcher, "../..");
  if (LORIMER_HOME) return LORIMER_HOME;
  if (path.isAbsolute(dispatcher) && existsSync(path.join(home, "trusted"))) return home;
  const base = XDG_STATE_HOME || (process.platform === "win32" && LOCALAPPDATA) || path.join(homedir(), ".local/state");
  return path.join(base, "lorimer");
}
