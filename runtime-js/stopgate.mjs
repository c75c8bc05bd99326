// A blocked stop makes the agent go on until it stops again: a loop. The bit stop_hook_active ends it, or a
// cap, or a prompt, for which our own continuation must not be taken.
import { stateOf } from "./session.mjs";
import { ignore } from "./util.mjs";

const LONG = 24; // characters of a reason that nobody's words hold by chance
const SAME_REASON = 3; // times without a tool call between: the agent gets nowhere

/** isStop says whether a block of the event makes the agent go on. */
export function isStop(event) {
  return event === "Stop" || event === "SubagentStop";
}

/** inTurn runs work after the session's earlier stop: two at once would both read the old bit. */
export function inTurn(session, work) {
  const state = stateOf(session);
  const turn = state.turn ? state.turn.then(work) : work();
  state.turn = turn.catch(ignore);
  return turn;
}

/** stopBit begins a stop and gives its stop_hook_active. A host that has the bit knows better. */
export function stopBit(session, native) {
  const state = stateOf(session);
  state.echo = "";
  if (typeof native !== "boolean") return state.active;
  if (!native) endLoop(state);
  return native;
}

/**
 * passes says why a blocked stop passes all the same; "" when the verdict holds. limit: continuations without a prompt between,
 * 0 for no limit. seesTools: the host shows its tool calls; else none can be missed.
 */
export function passes(session, verdict, limit, seesTools) {
  const state = stateOf(session);
  if (!verdict.blocked) return endLoop(state);
  const why = tooOften(state, verdict.reason, limit, seesTools);
  state.active = !why; // before the continuation is handed out
  if (why) return why; // the counts stay: a host that stops twice must not start over
  state.count++;
  state.same = verdict.reason === state.reason ? state.same + 1 : 1;
  state.reason = verdict.reason;
  state.echo = verdict.reason;
  return "";
}

function tooOften({ count, same, reason }, now, limit, seesTools) {
  if (limit && count >= limit) return `it was blocked ${count} times without a prompt of the user's in between (max_continuations)`;
  if (same >= SAME_REASON && reason === now && seesTools) return `it was blocked ${same} times for the same reason, and no tool was used in between`;
  return "";
}

/** isEcho takes note of a prompt; true for our own continuation, which may come until the next stop, also behind a prompt. */
export function isEcho(session, prompt) {
  const state = stateOf(session);
  if (carries(String(prompt ?? ""), state.echo)) return true;
  endLoop(state);
  return false;
}

/**
 * carries says whether a prompt is the reason and nothing of a user's: the reason alone, with tags around it, or, if it is long, with a
 * host's words where one element encloses all. The dispatcher has the same rule, and both pass runtime-js/testdata/echoes.json.
 */
export function carries(prompt, reason) {
  const [text, wanted] = [flat(prompt), flat(reason)];
  if (!wanted || !text.includes(wanted)) return false;
  if (text === wanted) return true;
  if (untagged(wanted) && untagged(text) === untagged(wanted)) return true;
  const element = /^<([A-Za-z0-9_-]+)[ >]/.exec(text);
  return !!element && text.endsWith(`</${element[1]}>`) && [...wanted].length >= LONG;
}

/** noteTool takes note of a tool call. */
export function noteTool(session) {
  stateOf(session).same = 0;
}

function endLoop(state) {
  state.active = false;
  state.count = state.same = 0;
  return "";
}

// Hosts indent and wrap what they are given.
function flat(text) {
  return text.split(/[ \t\n\v\f\r]+/).filter(Boolean).join(" ");
}

function untagged(text) {
  return flat(text.replace(/<[^<>]*>/g, " "));
}
