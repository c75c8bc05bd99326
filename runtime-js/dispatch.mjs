// Dispatch: the payload on the dispatcher's stdin, {code, out, err} back. It never rejects and never waits for ever: what goes
// wrong is code 1, with a fault that says what.
import { spawn, spawnSync } from "node:child_process";
import { faultText, ignore } from "./util.mjs";

const KEPT = 16 << 20; // bytes of each stream; the rest is read, so that the child can go on, and dropped
const QUIET = 100; // ms without output after the exit: who holds the pipe then is a grandchild
const LONGEST = 2 ** 31 - 1; // ms; a timer of more fires at once

// The dispatcher leads a group of its own, so that a hanging grandchild ends with it.
const OWN_GROUP = { detached: process.platform !== "win32", windowsHide: true };

/** run starts argv and resolves {code, out, err, fault}. timeout in ms. */
export async function run(argv, payload, { timeout, cwd }) {
  const answer = await start(argv, payload, timeout, cwd);
  // An agent may remove the folder that its session began in, and that looks just like a missing dispatcher.
  return answerOf(answer.unborn && cwd ? await start(argv, payload, timeout) : answer);
}

/** runSync is the same for hosts that cannot wait for a promise. The host stands still meanwhile. */
export function runSync(argv, payload, { timeout, cwd }) {
  const answer = startSync(argv, payload, timeout, cwd);
  return answerOf(answer.unborn && cwd ? startSync(argv, payload, timeout) : answer);
}

function start([file, ...args], payload, timeout, cwd) {
  const out = keeper();
  const err = keeper();
  return new Promise((resolve) => {
    const child = spawn(file, args, { cwd, ...OWN_GROUP });
    const settle = (end) => {
      clearTimeout(limit);
      resolve({ out: out.text(), err: err.text(), ...end });
      release(child);
    };
    const limit = setTimeout(() => {
      killGroup(child.pid);
      settle({ fault: late(timeout) });
    }, Math.min(timeout, LONGEST));
    limit.unref(); // the child keeps the loop alive while there is something to wait for
    child.on("error", (thrown) => settle(child.pid ? { fault: faultText(thrown) } : unborn(file, thrown)));
    child.on("close", (code, signal) => settle({ code, signal }));
    child.on("exit", (code, signal) => whenQuiet(() => out.size() + err.size(), () => settle({ code, signal })));
    child.stdout.on("data", out.add);
    child.stderr.on("data", err.add);
    child.stdin.on("error", ignore); // EPIPE: who exits without reading has answered all the same
    child.stdin.end(payload);
  }).catch((thrown) => unborn(file, thrown));
}

function startSync([file, ...args], payload, timeout, cwd) {
  try {
    const limits = { timeout: Math.min(timeout, LONGEST), killSignal: "SIGKILL", maxBuffer: 4 * KEPT };
    const { pid, status, signal, stdout, stderr, error } = spawnSync(file, args, { cwd, input: payload, ...limits, ...OWN_GROUP });
    if (!pid) return unborn(file, error);
    const kept = { out: String(stdout.subarray(0, KEPT)), err: String(stderr.subarray(0, KEPT)) };
    if (status !== null) return { ...kept, code: status };
    killGroup(pid);
    return { ...kept, signal, fault: error?.code === "ETIMEDOUT" ? late(timeout) : error && faultText(error) };
  } catch (thrown) {
    return unborn(file, thrown);
  }
}

function unborn(file, thrown) {
  return { unborn: true, fault: `the dispatcher ${file} could not be started (${thrown.code ?? faultText(thrown)})` };
}

function killGroup(pid) {
  try {
    if (pid) process.kill(OWN_GROUP.detached ? -pid : pid, "SIGKILL"); // group 0 would be the host's own
  } catch {
    // It has ended by itself.
  }
}

// Lets go of pipes that somebody else may hold open: they would keep the host from ending.
function release(child) {
  child.unref();
  for (const stream of child.stdio) stream?.destroy();
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
    text: () => Buffer.concat(chunks).toString(),
  };
}

function answerOf({ code, signal, out = "", err = "", fault }) {
  const detail = err.trim() && `: ${err.trim().split("\n", 1)[0].slice(0, 200)}`;
  if (typeof code !== "number") fault ??= `the dispatcher was ended by ${signal}${detail}`;
  else if (code !== 0 && code !== 2) fault = `the dispatcher ended with exit code ${code}${detail}`;
  return { code: fault ? code || 1 : code, out, err: err || fault || "", fault };
}

function late(timeout) {
  return `the dispatcher did not answer within ${timeout / 1000} s`;
}
