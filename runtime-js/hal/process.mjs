// What a process goes by, and whether it is one of a runtime's: { pid, exe, args, dir }.
import fs from "node:fs";
import path from "node:path";

// Interpreters run agents that are scripts. Shells are none: a script named like an agent starts that agent.
const INTERPRETERS = new Set(["node", "nodejs", "bun", "deno", "python", "python3"]);

// Words that come before the script.
const WITH_VALUE = new Set(["-r", "--require", "--import", "--loader", "--experimental-loader", "-C", "--conditions", "--env-file", "--cwd", "--title", "-X", "-W"]);
const SUBCOMMANDS = new Set(["run", "x"]);
const NO_SCRIPT = new Set(["-e", "--eval", "-p", "--print", "-c", "-m"]);

/** looksLike: by its exact name, or by the end of its script's path. */
export function looksLike(p, row) {
  return row.processes.some((x) => (x.exe ? namesOf(p).includes(x.exe) : scriptsOf(p).some((file) => endsIn(file, x.script))));
}

/** endsIn compares whole segments of a path. */
function endsIn(file, end) {
  return file === end || file.endsWith(`/${end}`);
}

/** shown names processes without their arguments, which may hold secrets. */
export function shown(list) {
  return list.map((p) => namesOf(p).join(" "));
}

/**
 * namesOf returns base names, without .exe: of the executable and of the command line's first word, which differ where a
 * version's file is started through a link, and where a program has renamed itself; and an interpreter's script, as it was named.
 */
function namesOf(p) {
  const script = scriptOf(p);
  return script ? [...ownNames(p), base(script)] : ownNames(p);
}

function ownNames(p) {
  const exe = (p.exe ?? "").replace(/ \(deleted\)$/, ""); // Linux, once an update has replaced the file
  return [...new Set([base(exe), base(p.args?.[0] ?? "")])].filter(Boolean);
}

/** base takes both slashes. */
function base(file) {
  return file.slice(Math.max(file.lastIndexOf("/"), file.lastIndexOf("\\")) + 1).replace(/(.)\.exe$/i, "$1");
}

export function interprets(p) {
  return ownNames(p).some((name) => INTERPRETERS.has(name));
}

/** scriptsOf returns an interpreter's script: as it was named, and with its links resolved. Packages put a link on PATH. */
function scriptsOf(p) {
  let script = scriptOf(p);
  if (!script) return [];
  if (!path.isAbsolute(script) && p.dir) script = path.join(p.dir, script);
  const paths = [slashed(script)];
  try {
    paths.push(slashed(fs.realpathSync(script)));
  } catch {
    // it may be gone, or another system's
  }
  return paths;
}

function slashed(file) {
  return file.replaceAll("\\", "/");
}

/** scriptOf is the first word of an interpreter's command line that is no option. */
function scriptOf(p) {
  if (!interprets(p)) return "";
  const args = (p.args ?? []).slice(1);
  for (let i = 0; i < args.length; i++) {
    if (NO_SCRIPT.has(args[i])) return "";
    if (WITH_VALUE.has(args[i])) i++;
    else if (!args[i].startsWith("-") && !(i === 0 && SUBCOMMANDS.has(args[i]))) return args[i];
  }
  return "";
}
