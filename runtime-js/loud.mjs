// Loud lines: what the user has to see.
import { logLine } from "./files.mjs";
import { remember } from "./util.mjs";

const TEXT_LENGTH = 1000; // characters
const SAID = 500; // lines that are not said twice
const MARK = "lorimer: ";

/** createReporter returns report(line), and reportOnce(line, key) for what recurs. */
export function createReporter(config, host) {
  const said = new Set();
  const report = (line) => {
    // It may quote foreign output: what steers a terminal must not reach one.
    const text = String(line).replace(/[\x00-\x20\x7f-\x9f]+/g, " ").trim().slice(0, TEXT_LENGTH);
    if (text.startsWith(MARK)) return show(host, text); // the dispatcher's, who has logged it
    show(host, MARK + text);
    log(config, text);
  };
  return { report, reportOnce: (line, key = line) => void (remember(said, key, SAID) && report(line)) };
}

// On some hosts a byte on stderr damages the screen; it is what is left when their own place fails.
async function show(host, line) {
  try {
    await (host.report ?? console.error)(line);
  } catch {
    console.error(line);
  }
}

function log({ harness, dispatcher }, text) {
  logLine([].concat(dispatcher)[0], `${new Date().toISOString().slice(0, 19)}Z ${harness} shim: ${text}`);
}
