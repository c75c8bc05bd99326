// Rendezvous: messages for a live session. None is answered, since the timeline is the delivery: what could not be handed over
// stays owed, and the sender comes again.
import { listenAt } from "./socket.mjs";
import { faultText, remember } from "./util.mjs";

const MIDS = 4096;
const VARIABLES = ["LORIMER_RENDEZVOUS", "CLAUDE_BG_RENDEZVOUS_SOCK"];

/**
 * joinRendezvous makes a shim, {root(id), able(session), inject(session, text), report(line)}, reachable and returns leave().
 * The socket is the process's, which may load several shims, or this one anew in the middle of a session.
 */
export function joinRendezvous(member) {
  const hub = (globalThis[Symbol.for("lorimer.rendezvous.1")] ??= { members: new Set(), mids: new Set() });
  hub.place = takePlace() || hub.place;
  hub.members.add(member);
  const unbound = (fault) => member.report(`no rendezvous at ${hub.place}: ${fault.message}. The session goes on without it`);
  if (hub.place) hub.close ??= listenAt(hub.place, (line) => receive(hub, line), unbound);
  return () => {
    hub.members.delete(member);
    if (hub.members.size > 0) return;
    hub.close?.();
    hub.close = undefined;
  };
}

// Where the launcher wants it. The variables go: no child may answer for this process.
function takePlace() {
  const places = VARIABLES.map((name) => process.env[name]?.trim());
  for (const name of VARIABLES) delete process.env[name];
  return places.find(Boolean);
}

function receive(hub, line) {
  const message = replyIn(line);
  if (!message) return;
  for (const member of [...hub.members].reverse()) {
    const session = member.root(message.session_id);
    if (session) return void handOver(hub.mids, member, session, message);
  }
}

function replyIn(line) {
  try {
    const message = JSON.parse(line);
    if (message?.type === "reply" && typeof message.text === "string" && message.text) return message;
  } catch {
    // Others may say other things here.
  }
}

// Marked first, since it may come again meanwhile, and owed again when the host refuses.
async function handOver(mids, member, session, { text, mid }) {
  if (!member.able(session)) return;
  const marked = typeof mid === "string" && mid !== "";
  if (marked && !remember(mids, mid, MIDS)) return;
  try {
    await member.inject(session, text.toWellFormed());
  } catch (thrown) {
    if (marked) mids.delete(mid);
    member.report(`a message could not be handed to the session: ${faultText(thrown)}`);
  }
}
