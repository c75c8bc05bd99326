// Process tables of other systems, as they print them, and what may be wrong with one.
import assert from "node:assert/strict";
import test from "node:test";
import { looksLike } from "./process.mjs";
import { ancestors, fromPs, fromWindows, walk } from "./table.mjs";

const names = (list) => list.map((p) => p.exe);

test("the walk ends: at the first process, in a circle, where the table is closed, and far up", () => {
  const table = { 5: 3, 3: 1, 1: 0, 8: 9, 9: 8, 6: 7 };
  const look = (pid) => {
    if (!(pid in table)) throw new Error("closed");
    return { exe: `p${pid}`, parent: table[pid] };
  };
  assert.deepEqual(walk(5, look), { list: [{ pid: 5, exe: "p5" }, { pid: 3, exe: "p3" }, { pid: 1, exe: "p1" }] });
  assert.deepEqual(names(walk(8, look).list), ["p8", "p9"]);
  assert.deepEqual(names(walk(6, look).list), ["p6"]);
  assert.match(walk(6, look).fault, /^process 7: closed$/);
  assert.equal(walk(1000, (pid) => ({ parent: pid + 1 })).list.length, 64);
});

test("macOS: what ps prints", () => {
  const rows = fromPs({
    names: "    1     0 /sbin/launchd\n  501     1 /Applications/My Terminal.app/Contents/MacOS/Terminal\n  777   501 node\n",
    lines: "    1 /sbin/launchd\n  501 /Applications/My Terminal.app/Contents/MacOS/Terminal\n  777 node /opt/lib/agent/cli.js -p hello\n  778 gone\n",
  });
  const { list } = walk(777, (pid) => rows.get(pid));
  assert.deepEqual(list.map((p) => p.pid), [777, 501, 1]);
  assert.ok(looksLike(list[0], { processes: [{ script: "agent/cli.js" }] }));
  assert.equal(list[1].exe, "/Applications/My Terminal.app/Contents/MacOS/Terminal");
});

test("Windows: what PowerShell prints, and a parent's number that is another process's now", () => {
  const rows = fromWindows(JSON.stringify([
    { ProcessId: 4, ParentProcessId: 0, ExecutablePath: null, CommandLine: null, Born: 1 },
    { ProcessId: 10, ParentProcessId: 4, ExecutablePath: "C:\\Windows\\explorer.exe", CommandLine: "explorer", Born: 50 },
    { ProcessId: 20, ParentProcessId: 10, ExecutablePath: "C:\\Program Files\\nodejs\\node.exe", CommandLine: '"C:\\Program Files\\nodejs\\node.exe"  "C:\\n p\\agent\\cli.js" -p', Born: 60 },
    { ProcessId: 30, ParentProcessId: 20, ExecutablePath: "C:\\x\\agent.exe", CommandLine: "agent", Born: 40 },
  ]));
  assert.deepEqual(rows.get(20).args, ["C:\\Program Files\\nodejs\\node.exe", "C:\\n p\\agent\\cli.js", "-p"]);
  assert.ok(looksLike(rows.get(20), { processes: [{ script: "agent/cli.js" }] }));
  assert.deepEqual(walk(20, (pid) => rows.get(pid)).list.map((p) => p.pid), [20, 10, 4]);
  assert.deepEqual(walk(30, (pid) => rows.get(pid)).list.map((p) => p.pid), [30]);
  assert.ok(looksLike(rows.get(30), { processes: [{ exe: "agent" }] }));
});

test("this system's own table has our parent in it", { skip: process.platform === "win32" }, () => {
  const { list, fault } = ancestors();
  assert.equal(fault, undefined);
  assert.equal(list[0].pid, process.ppid);
});
