// The one block verdict: blocked is exit 2, nothing else; the reason is read in the contract's order. The Go side has the same
// rules, and both pass runtime-js/testdata/verdicts.json.
import { isObject } from "./util.mjs";

// The scan for glued objects must not keep the host busy: so many characters, so many braces that only seemed to open one.
const SCAN_LENGTH = 1 << 20;
const SCAN_MISSES = 100;

/** readVerdict turns the dispatcher's answer {code, out, err} into {blocked, reason, context}, and where asked for {input, output, env, allowed, notice, stop}. */
export function readVerdict({ code, out, err }, fallback) {
  const beside = besideIn(out);
  if (code !== 2) return { blocked: false, reason: "", ...(code === 0 ? effectsIn(out) : { context: "" }), ...beside };
  const reason = reasonIn(lines(out)) ?? reasonIn(objects(out)) ?? (err.trim() || fallback);
  const verdict = { blocked: true, reason: reason.toWellFormed(), context: "", ...beside }; // model APIs refuse half a surrogate pair
  REPLACE: Object.assign(verdict, outputIn(Array.from(lines(out), specific)));
  return verdict;
}

// A reason counts in the very object that blocks.
function reasonIn(found) {
  for (const object of found) {
    if (object?.decision === "block" && object.reason && typeof object.reason === "string") return object.reason;
  }
}

// The designed channel: an object alone in its line.
function* lines(out) {
  for (const line of out.split("\n")) if (line.startsWith("{")) yield parse(line);
}

// What else may be asked for, found in the same order.
function effectsIn(out) {
  const alone = [...lines(out)].filter(Boolean);
  const said = alone.length > 0 ? alone.map(specific) : Array.from(objects(out), specific);
  const texts = said.map(({ additionalContext }) => additionalContext).filter((text) => typeof text === "string" && text);
  const effects = { context: texts.join("\n").toWellFormed() };
  REWRITE: Object.assign(effects, inputIn(said));
  REPLACE: Object.assign(effects, outputIn(said));
  ENV: Object.assign(effects, envIn(said));
  ALLOW: if (said.some(allows)) effects.allowed = true;
  return effects;
}

const specific = (object) => object?.hookSpecificOutput ?? {};

function inputIn(said) {
  const input = said.map(({ updatedInput }) => updatedInput).findLast(isObject);
  return input && { input };
}

function outputIn(said) {
  const replaced = said.findLast(({ updatedToolOutput }) => updatedToolOutput !== undefined);
  return replaced && { output: replaced.updatedToolOutput };
}

function envIn(said) {
  const variables = said.map(({ env }) => env).findLast(isObject);
  return variables && { env: variables };
}

// Before a tool, and where the host is about to ask.
function allows({ permissionDecision, decision }) {
  return permissionDecision === "allow" || decision?.behavior === "allow";
}

// What is asked for beside any verdict.
function besideIn(out) {
  const said = [...lines(out)];
  const notice = said.findLast((object) => typeof object?.systemMessage === "string")?.systemMessage;
  const stop = said.some((object) => object?.continue === false);
  return { ...(notice && { notice: notice.toWellFormed() }), ...(stop && { stop }) };
}

// The outermost objects of a text, also glued or over several lines. A brace that opens none is noise, and the search goes on
// right behind it: a log line like "main() {" must not hide the verdict that follows.
function* objects(out) {
  const text = out.slice(0, SCAN_LENGTH);
  let misses = 0;
  for (let at = text.indexOf("{"); at >= 0 && misses < SCAN_MISSES; ) {
    const end = opens(text, at) ? closing(text, at) : 0;
    const object = end > 0 && parseLoose(text.slice(at, end));
    if (object) yield object;
    else if (end !== 0) misses++;
    at = text.indexOf("{", object ? end : at + 1);
  }
}

// A glance that saves most scans.
function opens(text, at) {
  const key = /[ \t\r\n]*["}]/y;
  key.lastIndex = at + 1;
  return key.test(text);
}

// The index behind the brace that closes the one at the index, or -1.
function closing(text, at) {
  let depth = 0;
  let quoted = false;
  for (let i = at; i < text.length; i++) {
    const c = text[i];
    if (quoted && c === "\\") i++;
    else if (c === '"') quoted = !quoted;
    else if (quoted) continue;
    else if (c === "{") depth++;
    else if (c === "}" && --depth === 0) return i + 1;
  }
  return -1;
}

function parse(json) {
  try {
    return JSON.parse(json);
  } catch {
    return undefined;
  }
}

// Shell scripts leave raw line breaks in their strings, readable all the same. A backslash before one escapes nothing.
function parseLoose(json) {
  const escaped = (all, pair, slash, control) => pair ?? slash + slash + JSON.stringify(control).slice(1, -1);
  const inString = (string) => string.replace(/(\\[^\x00-\x1f])|(\\?)([\x00-\x1f])/g, escaped);
  return parse(json) ?? parse(json.replace(/"(?:[^"\\]|\\[^])*"/g, inString));
}
