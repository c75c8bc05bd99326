// The host's sessions. In a session object the descriptor keeps facts of its own; the runtime keeps only id and parent there
// and all else apart, so that no name can collide.

const SESSIONS = 4096;

const states = new WeakMap();

/** stateOf is what the runtime itself keeps for a session. */
export function stateOf(session) {
  if (!states.has(session)) {
    states.set(session, { held: {}, done: new Set(), running: {}, turn: undefined, active: false, count: 0, same: 0, reason: "", echo: "" });
  }
  return states.get(session);
}

/** createSessions registers the sessions of one shim. */
export function createSessions() {
  const sessions = new Map(); // by id, in the order in which they began or were opened
  return {
    /** get finds or makes a session. Without an id nobody finds it again. */
    get(id, parent) {
      const session = sessions.get(id) ?? { id, parent: undefined };
      if (parent && parent !== id) session.parent = parent;
      if (id) sessions.set(id, session);
      if (sessions.size > SESSIONS) dropOne();
      return session;
    },
    /** root finds a session that is no sub-agent: the one of that id, without an id the newest. */
    root(id) {
      const found = id ? [sessions.get(id)] : [...sessions.values()];
      return found.findLast((session) => session && !session.parent);
    },
    /** renew makes a session the newest: a host may come back to an old one. */
    renew(session) {
      if (sessions.delete(session.id)) sessions.set(session.id, session);
    },
    /** rootId follows the parents up. One that was never seen counts as the root. */
    rootId(session) {
      let top = session;
      for (let up = 0; top.parent && up < SESSIONS; up++) top = sessions.get(top.parent) ?? { id: top.parent };
      return top.id;
    },
  };

  // A server lives for weeks. The oldest sub-agent goes first.
  function dropOne() {
    const old = [...sessions.values()].slice(0, -1);
    sessions.delete((old.find((session) => session.parent) ?? old[0]).id);
  }
}
