// Loud lines: what a user has to see although the session goes on. A host may have a place of its own for them, because in
// some terminals a byte on stderr is damage.
import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { remember } from "./util.mjs";

const LINE_LENGTH = 1000; // characters
const LINES_REMEMBERED = 500;
const LOG_SIZE = 1 << 20; // bytes; a longer log is put aside as log.1

/**
 * createReporter returns report(line), and reportOnce(line, key), which says the same thing once. show is the host's own place
 * for such lines, stderr without one; dispatcher is the path from which the state folder can be told.
 */
export function createReporter(show, dispatcher) {
  const said = new Set();
  const report = (line) => {
    const text = oneLine(line);
    tell(show, text);
    appendToLog(dispatcher, text);
  };
  const reportOnce = (line, key = line) => remember(said, key, LINES_REMEMBERED) && report(line);
  return { report, reportOnce };
}

// Faults quote foreign output: escape sequences and line breaks in it must not reach the terminal.
function oneLine(line) {
  const text = String(line).replace(/[\x00-\x20\x7f-\x9f]+/g, " ").trim().slice(0, LINE_LENGTH);
  return text.startsWith("lorimer: ") ? text : `lorimer: ${text}`;
}

// When the host cannot show the line, now or later, stderr is what is left.
function tell(show, text) {
  const say = async () => (show ?? console.error)(text);
  say().catch(() => console.error(text)).catch(() => {});
}

// The same file, in the same form, as the dispatcher's. It may be missing; the line has been said all the same.
function appendToLog(dispatcher, text) {
  try {
    const file = path.join(stateHome(dispatcher), "log");
    if (fs.existsSync(file) && fs.statSync(file).size > LOG_SIZE) fs.renameSync(file, `${file}.1`);
    fs.appendFileSync(file, `${new Date().toISOString().slice(0, 19)}Z ${text}\n`, { mode: 0o600 });
  } catch {
    // A shim makes no state folder: where there is none, nobody reads a log.
  }
}

// Found in the order in which the dispatcher finds it.
function stateHome(dispatcher) {
  const { LORIMER_HOME, XDG_STATE_HOME, LOCALAPPDATA } = process.env;
  if (LORIMER_HOME) return LORIMER_HOME;
  const bin = path.dirname(dispatcher);
  if (path.basename(bin) === "bin" && fs.existsSync(path.join(bin, "..", "trusted"))) return path.dirname(bin);
  if (XDG_STATE_HOME && path.isAbsolute(XDG_STATE_HOME)) return path.join(XDG_STATE_HOME, "lorimer");
  if (process.platform === "win32" && LOCALAPPDATA) return path.join(LOCALAPPDATA, "lorimer");
  return path.join(os.homedir(), ".local", "state", "lorimer");
}
