// The stop gate: a blocked stop makes the agent go on until its next stop, which is a loop. What ends it is kept here: the
// loop bit for handlers that let go at the second try, a cap for those that never do, and the knowledge which prompts are
// our own continuations.
import { PASS } from "./failure.mjs";
import { recordOf } from "./util.mjs";

const SAME_REASON = 3; // continuations with one reason and no tool call between: the agent is not getting anywhere

/**
 * createStopGate keeps one loop a session. limit: continuations without a prompt between, 0 for no limit. seesTools(): whether
 * this host shows its tool calls at all; where it does not, nothing is concluded from their absence.
 */
export function createStopGate({ limit, seesTools, report }) {
  const loops = new WeakMap();
  const loopOf = (session) => recordOf(loops, session, newLoop);
  return {
    /** inTurn runs work when the session's earlier stop has its verdict: two stops at once would both read the old bit. */
    inTurn(session, work) {
      const loop = loopOf(session);
      const turn = loop.turn ? loop.turn.then(work) : work();
      loop.turn = turn.catch(() => {});
      return turn;
    },
    /** begin opens a stop and gives its stop_hook_active. A host that knows the bit itself is right about it. */
    begin(session, native) {
      const loop = loopOf(session);
      loop.injected = "";
      if (native === false) release(loop);
      return native ?? loop.active;
    },
    /** settle takes the verdict on a stop and gives the one that holds. The bit is set before the continuation is handed out. */
    settle(event, session, verdict) {
      const loop = loopOf(session);
      if (!verdict.blocked) return release(loop), verdict;
      const why = exhausted(loop, verdict.reason);
      loop.active = !why;
      if (!why) return handOut(loop, verdict);
      report(`${event} allowed although it was blocked: ${why}. The last reason was: ${verdict.reason}`);
      return PASS;
    },
    /** prompted takes note of a prompt; true when it is a continuation of ours coming back, which is no prompt at all. */
    prompted(session, prompt) {
      const loop = loopOf(session);
      if (loop.injected && flat(prompt).includes(loop.injected)) return true;
      release(loop);
      return false;
    },
    /** worked takes note of a tool call. */
    worked(session) {
      loopOf(session).same = 0;
    },
  };

  // Both counts stay as they are when they end a loop: a host that says "stop" twice must not start it over.
  function exhausted(loop, reason) {
    if (limit && loop.count >= limit) return `it was blocked ${limit} times without a prompt between (max_continuations)`;
    if (loop.same >= SAME_REASON && reason === loop.reason && seesTools()) {
      return `it was blocked ${SAME_REASON} times for one reason without a tool call between`;
    }
  }
}

function newLoop() {
  return { active: false, count: 0, reason: "", same: 0, injected: "", turn: undefined };
}

function handOut(loop, verdict) {
  loop.count++;
  loop.same = verdict.reason === loop.reason ? loop.same + 1 : 1;
  loop.reason = verdict.reason;
  loop.injected = flat(verdict.reason);
  return verdict;
}

function release(loop) {
  loop.active = false;
  loop.count = 0;
  loop.same = 0;
}

// Hosts wrap and indent what they are given.
function flat(text) {
  return String(text ?? "").replace(/\s+/g, " ").trim();
}
