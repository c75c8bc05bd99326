// The stop gate. A blocked stop makes the agent go on until it stops again: a loop. It ends by the bit stop_hook_active, at
// which handlers let go, or by a cap; and our own continuations must not be taken for prompts, which end it too.
import { stateOf } from "./session.mjs";
import { ignore } from "./util.mjs";

const SAME_REASON = 3; // continuations with one reason and no tool call between: the agent is not getting anywhere

/** isStop says whether a block of the event makes the agent go on. */
export function isStop(event) {
  return event === "Stop" || event === "SubagentStop";
}

/** inTurn runs work once the session's earlier stop has its verdict: two at once would both read the old bit. */
export function inTurn(session, work) {
  const state = stateOf(session);
  const turn = state.turn ? state.turn.then(work) : work();
  state.turn = turn.catch(ignore);
  return turn;
}

/** stopBit opens a stop and gives its stop_hook_active. A host that has the bit itself knows better. */
export function stopBit(session, native) {
  const state = stateOf(session);
  state.echo = "";
  if (typeof native !== "boolean") return state.active;
  if (!native) endLoop(state);
  return native;
}

/**
 * passes says why a stop passes although it was blocked; "" when the verdict holds. limit: continuations without a prompt
 * between, 0 for no limit. seesTools: whether the host shows its tool calls; where not, none can be missed.
 */
export function passes(session, verdict, limit, seesTools) {
  const state = stateOf(session);
  if (!verdict.blocked) return endLoop(state);
  const why = tooOften(state, verdict.reason, limit, seesTools);
  state.active = !why; // before the continuation is handed out
  if (why) return why; // with the counts as they are: a host that stops twice must not start over
  state.count++;
  state.same = verdict.reason === state.reason ? state.same + 1 : 1;
  state.reason = verdict.reason;
  state.echo = flat(verdict.reason);
  return "";
}

function tooOften({ count, same, reason }, now, limit, seesTools) {
  if (limit && count >= limit) return `it was blocked ${count} times without a prompt between (max_continuations)`;
  if (same >= SAME_REASON && reason === now && seesTools) return `it was blocked ${same} times for one reason without a tool call between`;
  return "";
}

/** isEcho takes note of a prompt; true when it is our own continuation coming back, which ends nothing. */
export function isEcho(session, prompt) {
  const state = stateOf(session);
  if (state.echo && flat(prompt).includes(state.echo)) return true;
  endLoop(state);
  return false;
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

// Hosts wrap and indent what they are given.
function flat(text) {
  return String(text ?? "").replace(/\s+/g, " ").trim();
}
