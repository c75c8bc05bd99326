// Level: a shim of the project's own knows its clone; the user's own serves every clone, and looks for the one that a session
// works in.
import { agreedManifest, cloneAround, isMine, wasAgreed } from "./files.mjs";
import { stateOf } from "./session.mjs";

/**
 * createLevel returns unknown, for what belongs nowhere, and placeOf(session, cwd): where an event belongs, or undefined where
 * there is nothing to do. root is the clone ("" when no other shim may be kept from it), dir where to start the dispatcher,
 * strict(event) whether it must block when hooks cannot run, cap the most continuations.
 */
export function createLevel(config) {
  return config.user ? usersLevel(config) : projectLevel(config);
}

function projectLevel(config) {
  const strict = (name) => [].concat(config.fail_closed ?? []).includes(name);
  const unknown = { root: "", dir: undefined, strict, cap: config.max_continuations };
  const argv = [].concat(config.dispatcher);
  const place = { ...unknown, root: (argv.includes("--root") && argv[argv.indexOf("--root") + 1]) || "" };
  return { unknown, placeOf: () => place };
}

function usersLevel({ harness, dispatcher, max_continuations }) {
  const [file] = [].concat(dispatcher);
  const unknown = { root: "", dir: undefined, strict: () => false, cap: max_continuations };
  return {
    unknown,
    placeOf(session, cwd) {
      const dir = (stateOf(session).dir ??= cwd); // where it began: an agent that goes elsewhere takes its clone along
      const root = cloneAround(dir);
      if (!root) return wasAgreed(file, dir) ? { ...unknown, dir } : undefined; // the dispatcher says what holds then
      const manifest = () => agreedManifest(file, root); // read when something went wrong, or a stop was blocked
      return {
        root: isMine(root) ? root : "",
        dir,
        strict: (name) => mustHold(manifest(), harness, name),
        get cap() {
          return manifest()?.max_continuations ?? max_continuations;
        },
      };
    },
  };
}

function mustHold(manifest, harness, name) {
  if (!manifest?.harnesses?.includes(harness)) return false;
  return [].concat(manifest.events?.[name] ?? []).some((h) => h.block && h.on_error === "block" && (h.harnesses ?? [harness]).includes(harness));
}
