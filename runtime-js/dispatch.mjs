// Dispatch: the payload on stdin, {code, out, err} back. It never rejects and never waits for ever: what goes wrong is a fault
// and not code 2.
import { childProcess } from "./node.mjs";
import { faultText, ignore } from "./util.mjs";

const KEPT = 16 << 20; // bytes a stream; the rest is read, so that the child can go on, and dropped
const GRACE = 250; // ms from the exit to the end of the output; who holds the pipes longer is a grandchild
const LONGEST = 2 ** 31 - 1; // ms; a timer of more fires at once
const LATE = { code: "ETIMEDOUT" };

// A group of its own, so that a hanging grandchild ends with it.
const OWN_GROUP = { detached: process.platform !== "win32", windowsHide: true };

/** run starts argv and resolves {code, out, err, fault}. timeout in ms. */
export async function run(argv, payload, timeout, cwd) {
  let end = await start(argv, payload, timeout, cwd);
  // A session's folder may be gone, which looks just like a missing dispatcher.
  if (!end.pid) end = await start(argv, payload, timeout);
  return answerOf(argv[0], timeout, end);
}

/** runSync is the same for hosts that cannot wait; they stand still. */
export function runSync(argv, payload, timeout, cwd) {
  let end = startSync(argv, payload, timeout, cwd);
  if (!end.pid) end = startSync(argv, payload, timeout);
  return answerOf(argv[0], timeout, end);
}

function start([file, ...args], payload, timeout, cwd) {
  return new Promise((resolve) => {
    const child = childProcess.spawn(file, args, { cwd, ...OWN_GROUP });
    const out = keeper(child.stdout);
    const err = keeper(child.stderr);
    const settle = (end) => {
      clearTimeout(timer);
      resolve({ pid: child.pid, out: out(), err: err(), ...end });
      // Who holds the pipes open must not keep the host from ending.
      child.unref();
      for (const stream of child.stdio) stream.destroy();
    };
    const timer = setTimeout(() => {
      killGroup(child.pid);
      settle({ error: LATE });
    }, Math.min(timeout, LONGEST));
    timer.unref(); // the child itself keeps the loop alive
    child.on("error", (error) => settle({ error }));
    child.on("close", (code, signal) => settle({ code, signal }));
    child.on("exit", (code, signal) => setTimeout(() => settle({ code, signal }), GRACE).unref());
    child.stdin.on("error", ignore); // EPIPE: an exit without reading is an answer all the same
    child.stdin.end(payload);
  }).catch((error) => ({ error }));
}

function startSync([file, ...args], payload, timeout, cwd) {
  try {
    const limits = { timeout, killSignal: "SIGKILL", maxBuffer: 4 * KEPT };
    const { pid, status, signal, stdout, stderr, error } = childProcess.spawnSync(file, args, { cwd, input: payload, ...limits, ...OWN_GROUP });
    if (status === null) killGroup(pid);
    const text = (bytes) => bytes?.subarray(0, KEPT).toString();
    return { pid, code: status, signal, out: text(stdout), err: text(stderr), error };
  } catch (error) {
    return { error };
  }
}

function killGroup(pid) {
  try {
    if (pid) process.kill(OWN_GROUP.detached ? -pid : pid, "SIGKILL"); // group 0 would be the host's own
  } catch {
    // It has ended by itself.
  }
}

function keeper(stream) {
  const chunks = [];
  let size = 0;
  stream.on("data", (chunk) => {
    if (size < KEPT) chunks.push(chunk.subarray(0, KEPT - size));
    size += chunk.length;
  });
  return () => Buffer.concat(chunks).toString();
}

function answerOf(file, timeout, { pid, code, signal, out = "", err = "", error }) {
  let fault = "";
  if (!pid) fault = `${file} could not be started (${error.code ?? faultText(error)})`;
  else if (code === 0 || code === 2) return { code, out, err };
  else if (typeof code === "number") fault = `${file} ended with exit code ${code}`;
  else if (error?.code === LATE.code) fault = `${file} did not answer within ${timeout / 1000} s`;
  else fault = `${file} was ended by ${signal}`;
  const said = err.trim().split("\n", 1)[0].slice(0, 200);
  return { code: code ?? 1, out, err: err || fault, fault: said ? `${fault}: ${said}` : fault };
}
