// Rendezvous: messages for a live session, over the socket that the launcher named. Nothing is ever answered: the timeline is
// the delivery. What could not be handed over stays owed, and the sender comes again.
import { listenAt } from "./socket.mjs";
import { faultText, remember } from "./util.mjs";

const MIDS = 4096;
const VARIABLES = ["LORIMER_RENDEZVOUS", "CLAUDE_BG_RENDEZVOUS_SOCK"];

/**
 * join makes a shim reachable and returns leave(). member: find(id) and newest() give a root session or undefined, able(session)
 * says whether the host takes a message now, inject(session, text) hands it over, report(line) is for faults.
 *
 * A process has one socket however many shims it has loaded: a host may serve several folders, and may load the module anew
 * in the middle of a session. So the socket's state belongs to the process.
 */
export function join(member) {
  const hub = (globalThis[Symbol.for("lorimer.rendezvous.1")] ??= { place: "", members: new Set(), mids: new Set(), close: undefined });
  hub.place = takeVariables() || hub.place;
  hub.members.add(member);
  if (hub.place) hub.close ??= listenAt(hub.place, (line) => receive(hub, line), member.report);
  return function leave() {
    hub.members.delete(member);
    if (hub.members.size > 0) return;
    hub.close?.();
    hub.close = undefined;
  };
}

/** takeVariables reads where to bind, and deletes it: no child of this process may answer for it. */
export function takeVariables() {
  const places = VARIABLES.map((name) => process.env[name]?.trim());
  for (const name of VARIABLES) delete process.env[name];
  return places.find(Boolean) ?? "";
}

function receive(hub, line) {
  const message = replyIn(line);
  if (!message) return;
  for (const member of [...hub.members].reverse()) {
    const session = message.session_id ? member.find(message.session_id) : member.newest();
    if (session) return void handOver(hub.mids, member, session, message);
  }
}

function replyIn(line) {
  try {
    const message = JSON.parse(line);
    if (message?.type === "reply" && typeof message.text === "string" && message.text) return message;
  } catch {
    // Not a message. Others may speak other protocols on this socket.
  }
}

// A message is marked before it is handed over, because a second connection may bring it again meanwhile; and it is owed
// again when the host refuses it.
async function handOver(mids, member, session, { text, mid }) {
  if (!member.able(session)) return;
  const marked = typeof mid === "string" && mid !== "";
  if (marked && !remember(mids, mid, MIDS)) return;
  try {
    await member.inject(session, text.toWellFormed());
  } catch (fault) {
    if (marked) mids.delete(mid);
    member.report(`a message could not be handed to the session: ${faultText(fault)}`);
  }
}
