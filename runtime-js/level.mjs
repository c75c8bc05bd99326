// Level: a shim of the project's own knows its clone; one that is committed finds it above itself; the user's own serves every
// clone, and looks for the one that a session works in.
import { agreedManifest, cloneAround, dispatcherHere, fromHere, hasManifest, isMine, wasAgreed } from "./files.mjs";
import { stateOf } from "./session.mjs";

/**
 * createLevel returns unknown, for what belongs nowhere, and placeOf(session, cwd, event): where an event belongs, or undefined
 * where there is nothing to do. root is the clone ("" when no other shim may be kept from it), dir where to start the dispatcher,
 * argv the dispatcher, fault why it cannot be started, strict(event) whether it must block when hooks cannot run, cap the most
 * continuations.
 */
export function createLevel(config) {
  if (config.portable) return portableLevel(config);
  return config.user ? usersLevel(config) : projectLevel(config);
}

function projectLevel(config) {
  const strict = (name) => [].concat(config.fail_closed ?? []).includes(name);
  const argv = [].concat(config.dispatcher);
  const unknown = { root: "", dir: undefined, argv, strict, cap: config.max_continuations };
  const place = { ...unknown, root: (argv.includes("--root") && argv[argv.indexOf("--root") + 1]) || "" };
  return { unknown, placeOf: () => place };
}

// A shim that is committed comes into checkouts whose user has no Lorimer, or never ran it there: it does nothing in them, but for
// what must not pass unasked.
function portableLevel(config) {
  const root = fromHere(config.portable);
  const { unknown } = projectLevel(config);
  return {
    unknown,
    placeOf(session, cwd, name) {
      const file = dispatcherHere();
      if (file && hasManifest(root)) return { ...unknown, root, argv: [file, "--root", root] };
      const missing = file ? "the hooks of this checkout were never set up (lorimer init)" : "lorimer is not installed here (https://github.com/lorimer-dev/lorimer)";
      return unknown.strict(name) ? { ...unknown, fault: missing } : undefined;
    },
  };
}

function usersLevel({ harness, dispatcher, max_continuations }) {
  const [file] = [].concat(dispatcher);
  const unknown = { root: "", dir: undefined, argv: [].concat(dispatcher), strict: () => false, cap: max_continuations };
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
        argv: unknown.argv,
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
