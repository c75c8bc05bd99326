// The host's sessions. Descriptors keep facts of their own in these objects, so the runtime keeps its own apart.

import { remember } from "./util.mjs";

const SESSIONS = 4096;
const KEYS = 4096;

const states = new WeakMap();

/** stateOf is what the runtime keeps for a session. */
export function stateOf(session) {
  const key = Object(session); // nothing that a host hands in may throw
  if (!states.has(key)) {
    states.set(key, { held: {}, done: new Set(), running: {}, turn: undefined, dir: undefined, active: false, count: 0, same: 0, reason: "", echo: "" });
  }
  return states.get(key);
}

/** firstTime is true when a session first meets a key. */
export function firstTime(session, key) {
  return remember(stateOf(session).done, key, KEYS);
}

/** hold keeps context for a host event that can carry it. key: whose it is, where several are on their way at once. */
export function hold(slot, session, text, key = "") {
  const place = `${slot} ${key}`;
  if (text) (stateOf(session).held[place] ??= new Set()).add(text);
}

/** take gives what is held, or "". keep: again next time, to hosts that build each request anew. */
export function take(slot, session, key = "", keep = false) {
  const { held } = stateOf(session);
  const place = `${slot} ${key}`;
  const text = [...(held[place] ?? [])].join("\n");
  if (!keep) delete held[place];
  return text;
}

/** createSessions registers the sessions of one shim. */
export function createSessions() {
  const sessions = new Map(); // by id, the newest last
  const register = {
    /** get finds or makes a session. */
    get(id, parent) {
      const session = sessions.get(id) ?? { id, parent: undefined };
      if (parent && parent !== id) session.parent = parent;
      if (id) sessions.set(id, session);
      if (sessions.size > SESSIONS) dropOne();
      return session;
    },
    /** root is the session of an id, or the newest; never a sub-agent. */
    root(id) {
      const found = id ? [sessions.get(id)] : [...sessions.values()];
      return found.findLast((session) => session && !session.parent);
    },
    /** renew makes a session the newest: hosts come back to old ones. */
    renew(session) {
      if (sessions.delete(session.id)) sessions.set(session.id, session);
    },
    /** rootId follows the parents up, as far as they are known. */
    rootId(session) {
      let top = session;
      for (let up = 0; top.parent && up < SESSIONS; up++) top = sessions.get(top.parent) ?? { id: top.parent };
      return top.id;
    },
  };

  // all that are no sub-agents, the newest last
  ROOTS: register.roots = () => [...sessions.values()].filter((session) => !session.parent);

  return register;

  // A server lives for weeks. The oldest sub-agent goes first.
  function dropOne() {
    const old = [...sessions.values()].slice(0, -1);
    sessions.delete((old.find((session) => session.parent) ?? old[0]).id);
  }
}
