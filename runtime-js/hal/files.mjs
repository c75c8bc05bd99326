// Files in the workspace. They are a weak sign, because people use several agents in one place: the files of several are none.
// What Lorimer itself put there says nothing at all.
import fs from "node:fs";
import path from "node:path";

const RECORD = ".lorimer/owned.json";
const RECORD_VERSION = 1;
const RECORD_MAX = 4 << 20; // bytes

export function files(run) {
  const root = workspace(run.cwd || process.cwd());
  const there = [];
  for (const row of run.rows) {
    for (const file of row.files) if (exists(path.join(root, file))) there.push({ row, file });
  }
  if (there.length === 0) return { why: "no runtime's files are in the workspace" };
  const saw = there.map((x) => x.file);
  let made;
  try {
    made = madeByLorimer(root);
  } catch (fault) {
    return { saw, why: `what Lorimer made of this is not known: ${fault.message}` };
  }
  const left = there.filter((x) => !made.has(x.file));
  const rows = [...new Set(left.map((x) => x.row))];
  if (rows.length === 1) return { saw, answer: rows[0].id, why: `${left[0].file} is in the workspace` };
  if (rows.length === 0) return { saw, why: "what is there was made by Lorimer" };
  return { saw, why: `the workspace has files of ${rows.map((row) => row.name).join(", ")}` };
}

/** workspace is the top of the git checkout that dir is in, else dir. */
function workspace(dir) {
  for (let d = path.resolve(dir); ; d = path.dirname(d)) {
    if (exists(path.join(d, ".git"), fs.lstatSync)) return d;
    if (path.dirname(d) === d) return dir;
  }
}

function exists(file, stat = fs.statSync) {
  try {
    stat(file);
    return true;
  } catch {
    return false;
  }
}

/** madeByLorimer reads the clone's ownership record: the paths that would not be there without Lorimer. */
function madeByLorimer(root) {
  const text = readPlain(path.join(root, RECORD));
  if (text === undefined) return new Set();
  const record = JSON.parse(text);
  if (record?.version !== RECORD_VERSION) throw new Error(`${RECORD}: its version is ${record?.version}, known is ${RECORD_VERSION}`);
  const paths = new Set();
  for (const state of [record, record.next ?? {}]) {
    for (const f of state.files ?? []) if (f.created || f.how === "whole") paths.add(f.path);
    for (const d of state.dirs ?? []) paths.add(d);
  }
  return paths;
}

/** readPlain reads a regular file, undefined when there is none. It does not wait for who writes to a pipe. */
function readPlain(file) {
  let fd;
  try {
    fd = fs.openSync(file, fs.constants.O_RDONLY | (fs.constants.O_NONBLOCK ?? 0));
  } catch (fault) {
    if (fault.code === "ENOENT") return undefined;
    throw fault;
  }
  try {
    const info = fs.fstatSync(fd);
    if (!info.isFile() || info.size > RECORD_MAX) throw new Error(`${RECORD} is no file, or too large a one`);
    return fs.readFileSync(fd, "utf8");
  } finally {
    fs.closeSync(fd);
  }
}
