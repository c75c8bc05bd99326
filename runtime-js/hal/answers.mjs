// What can be counted on in the runtime that was found, and what variables overrule.
import { rowOf, UNKNOWN } from "./cascade.mjs";
import { AUTONOMOUS_ROLES, ROLES } from "./rows.mjs";
import { rangeOf } from "./version.mjs";

const GUPP = ["hook_injection", "startup_fallback", "prompt_preamble", "polling"];

export function answersOf(world, detection) {
  const warnings = [...detection.warnings];
  const row = rowOf(world, detection.provider) ?? rowOf(world, UNKNOWN);
  const range = rangeOf(row, world.runtimeVersion, warnings);
  const env = readable(world.env);
  return {
    range,
    startup: range.startup,
    gupp: guppOf(range, env("GT_GUPP_STRATEGY"), warnings),
    hooks: range.hooks === "full",
    nudge: range.nudgeSupport !== "none",
    restart: range.restart === true,
    sessionId: [...row.sessionEnv, "GT_SESSION_ID"].map(env).find(Boolean) ?? null,
    stall: seconds("GT_STALL_THRESHOLD", env, range.stall, warnings),
    interval: seconds("GT_NUDGE_INTERVAL", env, range.nudge, warnings),
    warnings,
  };
}

/** readable reads variables of whatever was given as an environment. */
function readable(env) {
  return (name) => {
    try {
      return env[name];
    } catch {
      return undefined;
    }
  };
}

/** seconds lets a variable overrule a time; one that is no positive whole number does not. */
function seconds(name, env, otherwise, warnings) {
  const text = env(name);
  if (!text) return otherwise;
  if (/^[0-9]{1,9}$/.test(text) && Number(text) > 0) return Number(text);
  warnings.push(`${name} is ${JSON.stringify(text)}; expected a positive whole number of seconds, so ${otherwise} stays`);
  return otherwise;
}

/** guppOf lets GT_GUPP_STRATEGY overrule the default, but nothing injects by hooks where there are none. */
function guppOf(range, text, warnings) {
  if (!text) return range.gupp;
  if (!GUPP.includes(text)) warnings.push(`GT_GUPP_STRATEGY is ${JSON.stringify(text)}; expected one of ${GUPP.join(", ")}, so ${range.gupp} stays`);
  else if (text === "hook_injection" && range.hooks !== "full") warnings.push(`GT_GUPP_STRATEGY is ${text}, but this runtime has no hooks to inject by, so ${range.gupp} stays`);
  else return text;
  return range.gupp;
}

/**
 * commandsOf returns the shell lines that start an agent of the role. A role that is not known gets what a person's role gets,
 * without the lines that its name would have to be put into.
 */
export function commandsOf(range, role) {
  const known = ROLES.includes(role);
  const lines = [];
  for (const { line, autonomous } of range.commands ?? []) {
    if (autonomous && !AUTONOMOUS_ROLES.includes(role)) continue;
    const named = line.includes("{role}");
    if (named && !known) continue;
    lines.push(named ? line.replaceAll("{role}", role) : line);
  }
  return lines;
}
