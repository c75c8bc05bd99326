// What the tests share: a shim over a dispatcher that is a shell script, in a folder that goes with the test.
import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { createShim } from "../shim.mjs";

const DISPATCHER = fileURLToPath(new URL("dispatcher.sh", import.meta.url));

/** Nothing of a test may be written into the state of who runs it. */
process.env.LORIMER_HOME = "/nonexistent/lorimer";
delete process.env.LORIMER_DISABLE;

export const ALL = [
  "SessionStart", "SessionEnd", "UserPromptSubmit", "PreToolUse", "PostToolUse", "PostToolUseFailure", "PermissionRequest",
  "Stop", "StopFailure", "SubagentStart", "SubagentStop", "PreCompact", "PostCompact", "Notification",
];

/** tempDir makes a folder of mode 0700 that goes when the test ends. */
export function tempDir(t) {
  const dir = fs.mkdtempSync(path.join(os.tmpdir(), "lrt-"));
  t.after(() => fs.rmSync(dir, { recursive: true, force: true }));
  return dir;
}

/** rig makes a shim. answer(event, shell) says what its dispatcher does, calls() what it was given, lines what was loud. */
export function rig(t, { config = {}, host = {} } = {}) {
  const dir = tempDir(t);
  const lines = [];
  const full = {
    protocol: 1, harness: "testhost", dispatcher: ["/bin/sh", DISPATCHER, dir], events: ALL, fail_closed: [], max_continuations: 8,
    ...config,
  };
  const rt = createShim(full, { cwd: () => dir, report: (line) => lines.push(line), limits: { "*": 20_000 }, ...host });
  t.after(() => rt.close());
  return {
    rt, dir, lines,
    answer: (event, shell) => fs.writeFileSync(path.join(dir, event), shell),
    calls: () => payloads(path.join(dir, "calls")),
  };
}

function payloads(file) {
  if (!fs.existsSync(file)) return [];
  return fs.readFileSync(file, "utf8").trim().split("\n").filter(Boolean).map((line) => JSON.parse(line));
}

/** block is shell that blocks with a reason. */
export function block(reason) {
  return `printf '%s\\n' '${JSON.stringify({ decision: "block", reason })}'; exit 2`;
}

/** until waits for a condition, and fails with its name when it does not come true. */
export async function until(what, condition) {
  const deadline = Date.now() + 5000;
  while (!(await condition())) {
    if (Date.now() > deadline) throw new Error(`never happened: ${what}`);
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
}

/** gone says whether no process of that id is left. */
export function gone(pid) {
  try {
    process.kill(pid, 0);
    return fs.readFileSync(`/proc/${pid}/stat`, "utf8").split(") ")[1].startsWith("Z"); // dead, not yet fetched by its parent
  } catch {
    return true;
  }
}
