// Files: the state home with its log and its records of trust, and the clone's manifest.
import { crypto, fs, os, path, url } from "./node.mjs";

/** hash of a text or bytes, SHA-256 in hex. */
export const hash = (bytes) => crypto.createHash("sha256").update(bytes).digest("hex");

/** logLine adds a line to the log in the state home. */
export function logLine(dispatcher, line) {
  try {
    fs.appendFileSync(path.join(stateHome(dispatcher), "log"), line + "\n", { mode: "600" });
  } catch {
    // No state home, no log: the shim makes none.
  }
}

// Found in the dispatcher's order.
function stateHome(dispatcher) {
  const { LORIMER_HOME, XDG_STATE_HOME, LOCALAPPDATA } = process.env;
  const installed = path.resolve(dispatcher, "../..");
  if (LORIMER_HOME) return LORIMER_HOME;
  if (path.isAbsolute(dispatcher) && fs.existsSync(path.join(installed, "trusted"))) return installed;
  return path.join(XDG_STATE_HOME || (process.platform === "win32" && LOCALAPPDATA) || path.join(os.homedir(), ".local/state"), "lorimer");
}

// The dispatcher's own rule: below HOME and on the file system where the work is, or whoever can write to /tmp were asked.
function* foldersAbove(dir) {
  try {
    const tops = [os.homedir(), process.env.LORIMER_USER_HOME || os.homedir()].map((home) => fs.realpathSync(home) + path.sep);
    const { dev } = fs.statSync(dir);
    for (let at = fs.realpathSync(dir); tops.some((top) => at.startsWith(top)) && fs.statSync(at).dev === dev; at = path.dirname(at)) yield at;
  } catch {
    // A folder that is gone is in no clone.
  }
}

const manifestOf = (root) => path.join(root, ".lorimer", "manifest.json");

/** fromHere is where a way leads from the shim's own folder: the runtime is a part of the shim. */
export const fromHere = (way) => path.resolve(path.dirname(url.fileURLToPath(import.meta.url)), way);

/** hasManifest says whether hooks were compiled for a clone. */
export const hasManifest = (root) => fs.existsSync(manifestOf(root));

/** dispatcherHere finds the dispatcher of this machine: where Lorimer keeps it, else on PATH; undefined when there is none. */
export function dispatcherHere() {
  const name = process.platform === "win32" ? "lorimer-dispatch.exe" : "lorimer-dispatch";
  const dirs = [path.join(stateHome(""), "bin"), ...(process.env.PATH ?? "").split(path.delimiter).filter(path.isAbsolute)];
  return dirs.map((dir) => path.join(dir, name)).find(fs.existsSync);
}

/** cloneAround finds the clone that a folder is in; undefined when it is in none. */
export function cloneAround(dir) {
  for (const at of foldersAbove(dir)) if (fs.existsSync(manifestOf(at))) return at;
}

/** isMine: another user's clone is not run when it was only found. */
export function isMine(root) {
  const me = process.geteuid?.();
  return me === undefined || [root, path.join(root, ".lorimer"), manifestOf(root)].every((file) => fs.statSync(file).uid === me);
}

const recordOf = (dispatcher, root) => path.join(stateHome(dispatcher), "trusted", `${hash(root).slice(0, 32)}.json`);

/** wasAgreed says whether the user agreed to a manifest around a folder, though none may be left. */
export function wasAgreed(dispatcher, dir) {
  for (const at of foldersAbove(dir)) if (fs.existsSync(recordOf(dispatcher, at))) return true;
  return false;
}

/** agreedManifest is what a clone's manifest says, null when the user did not agree to it. */
export function agreedManifest(dispatcher, root) {
  try {
    const bytes = fs.readFileSync(manifestOf(root));
    return JSON.parse(fs.readFileSync(recordOf(dispatcher, root))).manifest === hash(bytes) ? JSON.parse(bytes) : null;
  } catch {
    return null;
  }
}
