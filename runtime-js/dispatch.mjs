// Dispatch: the payload on the dispatcher's stdin, {code, out, err} back. It never rejects and never waits for ever: whatever
// goes wrong is code 1, with a fault that says what.
import { spawn, spawnSync } from "node:child_process";
import { faultText } from "./util.mjs";

const KEPT = 16 << 20; // bytes of each stream; the rest is read, so that the child can go on, and dropped
const QUIET = 100; // ms without output after the exit: what still holds the pipe then is a grandchild
const LONGEST = 2 ** 31 - 1; // ms; setTimeout takes more for none

/** run starts argv and resolves {code, out, err, fault}. timeout in ms; cwd is left out when the process cannot start there. */
export async function run(argv, payload, { timeout, cwd }) {
  const answer = await start(argv, payload, timeout, cwd);
  // An agent may remove the folder that its session began in: that looks just like a missing dispatcher.
  const again = answer.unborn && cwd ? await start(argv, payload, timeout) : answer;
  return answerOf(again);
}

/** runSync is the same for hosts that cannot wait for a promise. The host stands still meanwhile. */
export function runSync(argv, payload, { timeout, cwd }) {
  const answer = startSync(argv, payload, timeout, cwd);
  return answerOf(answer.unborn && cwd ? startSync(argv, payload, timeout) : answer);
}

function start(argv, payload, timeout, cwd) {
  return new Promise((resolve) => {
    const out = keeper();
    const err = keeper();
    let child, limit, settled;
    const settle = (end) => {
      if (settled) return;
      settled = true;
      clearTimeout(limit);
      release(child);
      resolve({ out: out.bytes(), err: err.bytes(), ...end });
    };
    try {
      child = spawn(argv[0], argv.slice(1), { cwd, stdio: "pipe", ...OWN_GROUP });
    } catch (fault) {
      return settle({ unborn: faultText(fault) });
    }
    limit = setTimeout(() => {
      killGroup(child.pid);
      settle({ fault: late(timeout) });
    }, Math.min(timeout, LONGEST));
    limit.unref(); // the child keeps the loop alive as long as there is something to wait for
    child.on("error", (fault) => settle({ [child.pid ? "fault" : "unborn"]: faultText(fault) }));
    child.stdout?.on("data", out.add);
    child.stderr?.on("data", err.add);
    child.on("close", (code, signal) => settle({ code, signal }));
    child.on("exit", (code, signal) => whenQuiet(() => out.size() + err.size(), () => settle({ code, signal })));
    child.stdin?.on("error", () => {}); // EPIPE: who exits without reading has answered all the same
    child.stdin?.end(payload);
  });
}

function startSync(argv, payload, timeout, cwd) {
  let r;
  try {
    r = spawnSync(argv[0], argv.slice(1), {
      cwd, input: payload, timeout: Math.min(timeout, LONGEST), killSignal: "SIGKILL", maxBuffer: 4 * KEPT, ...OWN_GROUP,
    });
  } catch (fault) {
    return { unborn: faultText(fault) };
  }
  const out = r.stdout?.subarray(0, KEPT);
  const err = r.stderr?.subarray(0, KEPT);
  if (r.status !== null) return { out, err, code: r.status };
  if (!(r.pid > 0)) return { unborn: faultText(r.error) };
  killGroup(r.pid);
  if (r.error?.code === "ETIMEDOUT") return { out, err, fault: late(timeout) };
  return { out, err, signal: r.signal, fault: r.error && faultText(r.error) };
}

// The dispatcher leads a group of its own, so that a hanging grandchild ends with it.
const OWN_GROUP = { detached: process.platform !== "win32", windowsHide: true };

function killGroup(pid) {
  if (!(pid > 0)) return; // a group of 0 would be the host's own
  try {
    process.kill(process.platform === "win32" ? pid : -pid, "SIGKILL");
  } catch {
    // It has ended by itself.
  }
}

// Lets go of pipes that somebody may hold open for ever: they would keep the host from ending.
function release(child) {
  child?.unref();
  child?.stdin?.destroy();
  child?.stdout?.destroy();
  child?.stderr?.destroy();
}

// Calls done when size() has stopped growing. The immediate lets a loop that was busy read what has come meanwhile.
function whenQuiet(size, done) {
  const before = size();
  const look = () => (size() === before ? done() : whenQuiet(size, done));
  setTimeout(() => setImmediate(look), QUIET).unref();
}

function keeper() {
  const chunks = [];
  let size = 0;
  return {
    add(chunk) {
      if (size < KEPT) chunks.push(chunk.subarray(0, KEPT - size));
      size += chunk.length;
    },
    size: () => size,
    bytes: () => Buffer.concat(chunks),
  };
}

function answerOf({ code, signal, out, err, fault, unborn }) {
  const answer = { code: code ?? 1, out: String(out ?? ""), err: String(err ?? "") };
  if (unborn) answer.fault = `the dispatcher could not be started: ${unborn}`;
  else if (fault) answer.fault = fault;
  else if (typeof code !== "number") answer.fault = `the dispatcher was ended by ${signal ?? "a signal"}${detail(answer.err)}`;
  else if (code !== 0 && code !== 2) answer.fault = `the dispatcher ended with exit code ${code}${detail(answer.err)}`;
  if (answer.fault) answer.err ||= answer.fault;
  return answer;
}

// The first line of what it said; a stack trace helps nobody here.
function detail(err) {
  const line = err.trim().split("\n", 1)[0].slice(0, 200);
  return line && `: ${line}`;
}

function late(timeout) {
  return `the dispatcher did not answer within ${timeout / 1000} s`;
}
