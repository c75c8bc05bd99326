// Our ancestors, the nearest first, from the system's process table: { list, fault }. The fault says why the list ends early.
import { spawnSync } from "node:child_process";
import fs from "node:fs";
import { interprets } from "./process.mjs";

const DEEPEST = 64; // nobody nests agents like that, and a table that goes round in circles has no end
const PATIENCE = 2000; // milliseconds for a program that prints the table

export function ancestors() {
  return walk(process.ppid, lookup());
}

/** walk follows parents. look returns a process and its parent's number, or throws. */
export function walk(pid, look) {
  const list = [];
  const seen = new Set();
  try {
    while (pid > 0 && !seen.has(pid) && list.length < DEEPEST) {
      seen.add(pid);
      const { parent, ...p } = look(pid);
      list.push({ pid, ...p });
      pid = parent;
    }
    return { list };
  } catch (fault) {
    return { list, fault: `process ${pid}: ${fault.message}` };
  }
}

function lookup() {
  if (process.platform === "linux") return fromProc;
  const rows = process.platform === "win32" ? fromWindows(powershell()) : fromPs(ps());
  return (pid) => {
    const row = rows.get(pid);
    if (!row) throw new Error("it is not in the table");
    return row;
  };
}

function fromProc(pid) {
  const dir = `/proc/${pid}`;
  const stat = fs.readFileSync(`${dir}/stat`, "utf8");
  const parent = Number(stat.slice(stat.lastIndexOf(")") + 2).split(" ")[1]); // the name before it may hold anything
  const args = fs.readFileSync(`${dir}/cmdline`, "utf8").replace(/\0$/, "").split("\0");
  const p = { exe: link(`${dir}/exe`), args, parent };
  return interprets(p) ? { ...p, dir: link(`${dir}/cwd`) } : p;
}

function link(file) {
  try {
    return fs.readlinkSync(file);
  } catch {
    return ""; // another user's
  }
}

function print(program, args) {
  const r = spawnSync(program, args, { encoding: "utf8", timeout: PATIENCE, maxBuffer: 64 << 20, windowsHide: true });
  if (r.status !== 0) throw new Error(`${program} does not print the process table`);
  return r.stdout;
}

function ps() {
  return { names: print("ps", ["-axww", "-o", "pid=,ppid=,comm="]), lines: print("ps", ["-axww", "-o", "pid=,args="]) };
}

/** fromPs reads what ps prints on macOS and the BSDs, where a command line's words can only be told by spaces. */
export function fromPs({ names, lines }) {
  const rows = new Map();
  for (const [, pid, parent, exe] of names.matchAll(/^\s*(\d+)\s+(\d+)\s+(.*)$/gm)) rows.set(Number(pid), { exe, args: [], parent: Number(parent) });
  for (const [, pid, args] of lines.matchAll(/^\s*(\d+)\s+(.*)$/gm)) {
    const row = rows.get(Number(pid));
    if (row) row.args = args.split(" ");
  }
  return rows;
}

function powershell() {
  const fields = "ProcessId,ParentProcessId,ExecutablePath,CommandLine,@{n='Born';e={$_.CreationDate.Ticks}}";
  return print("powershell.exe", ["-NoProfile", "-NonInteractive", "-Command", `Get-CimInstance Win32_Process | Select-Object ${fields} | ConvertTo-Json -Compress`]);
}

/** fromWindows reads the table as JSON. A parent's number may be another process's by now: one that is younger than its child. */
export function fromWindows(text) {
  const rows = new Map();
  for (const p of JSON.parse(text)) {
    const args = [...(p.CommandLine ?? "").matchAll(/"([^"]*)"|(\S+)/g)].map((m) => m[1] ?? m[2]);
    rows.set(p.ProcessId, { exe: p.ExecutablePath ?? "", args, parent: p.ParentProcessId, born: p.Born ?? 0 });
  }
  for (const row of rows.values()) if ((rows.get(row.parent)?.born ?? 0) > row.born) row.parent = 0;
  return rows;
}
