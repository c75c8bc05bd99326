// Rendezvous: messages for a live session. Nothing is answered, because the timeline is the delivery: what could not be handed
// over stays owed, and the sender comes again.
import { listenAt } from "./socket.mjs";
import { faultText, remember } from "./util.mjs";

const MIDS = 4096;
const VARIABLES = ["LORIMER_RENDEZVOUS", "CLAUDE_BG_RENDEZVOUS_SOCK"];

/**
 * joinRendezvous makes a shim reachable and returns leave(). member: root(id) finds a session, able(session) says whether the
 * host takes a message now, inject(session, text) hands it over, report(line). The socket is the process's, which may have
 * loaded several shims, or this one anew in the middle of a session.
 */
export function joinRendezvous(member) {
  const hub = (globalThis[Symbol.for("lorimer.rendezvous.1")] ??= { members: new Set(), mids: new Set() });
  hub.place = takePlace() || hub.place;
  hub.members.add(member);
  const failed = (fault) => member.report(`no rendezvous at ${hub.place}: ${fault.message}. The session goes on without it`);
  if (hub.place) hub.close ??= listenAt(hub.place, (line) => receive(hub, line), failed);
  return () => {
    hub.members.delete(member);
    if (hub.members.size > 0) return;
    hub.close?.();
    hub.close = undefined;
  };
}

// Where the launcher wants the socket. The variables go, so that no child of this process answers for it.
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
    // Others may speak other protocols here.
  }
}

// A message is marked first, because another connection may bring it again meanwhile, and is owed again when the host refuses.
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
