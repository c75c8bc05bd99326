// The Runtime HAL: which coding agent this process runs in, and what can be counted on there. It looks once, at variables, files
// and its ancestors, and keeps the answer. It never writes, never throws and never waits: what cannot be seen is no answer, and
// without any the runtime is "unknown", for which everything has a working default.
import { answersOf, commandsOf } from "./answers.mjs";
import { detect } from "./cascade.mjs";
import { AUTONOMOUS_ROLES, ROLES, RUNTIMES } from "./rows.mjs";
import { ancestors } from "./table.mjs";

/** PROVIDERS are the ids that detectProvider can return. */
export const PROVIDERS = RUNTIMES.map((row) => row.id);

export { AUTONOMOUS_ROLES, ROLES };

/** createHAL returns a HAL that has not looked yet. Every option has a default: the process's own world. */
export function createHAL(options = {}) {
  const world = { env: process.env, ancestors, rows: RUNTIMES, ...options };
  world.runtime = textOf(world.runtime);
  world.runtimeVersion = textOf(world.runtimeVersion);
  let known;
  const look = () => {
    if (!known) {
      const detection = detect(world);
      known = { detection, answers: answersOf(world, detection) };
    }
    return known;
  };
  const answers = () => look().answers;
  return {
    detectProvider: () => look().detection.provider,
    getStartupStrategy: () => answers().startup,
    getStartupCommands: (role) => commandsOf(answers().range, role),
    supportsHooks: () => answers().hooks,
    supportsNudge: () => answers().nudge,
    supportsRestart: () => answers().restart,
    getSessionId: () => answers().sessionId,
    getGUPPStrategy: () => answers().gupp,
    getStallThreshold: () => answers().stall,
    getNudgeInterval: () => answers().interval,
    explain: () => structuredClone(look().detection),
    getWarnings: () => [...answers().warnings],
  };
}

/** textOf: what is no text is taken for absent, because even to print it may throw. */
function textOf(value) {
  return typeof value === "string" ? value : "";
}

// What a program has of its own, without making one.
const own = createHAL();
export const detectProvider = () => own.detectProvider();
export const getStartupStrategy = () => own.getStartupStrategy();
export const getStartupCommands = (role) => own.getStartupCommands(role);
export const supportsHooks = () => own.supportsHooks();
export const supportsNudge = () => own.supportsNudge();
export const supportsRestart = () => own.supportsRestart();
export const getSessionId = () => own.getSessionId();
export const getGUPPStrategy = () => own.getGUPPStrategy();
export const getStallThreshold = () => own.getStallThreshold();
export const getNudgeInterval = () => own.getNudgeInterval();
export const explain = () => own.explain();
export const getWarnings = () => own.getWarnings();
