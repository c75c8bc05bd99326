// The host's sessions. Descriptors keep facts of their own in these objects, so the runtime keeps its own apart.

const SESSIONS = 4096;

const states = new WeakMap();

/** stateOf is what the runtime keeps for a session. */
export function stateOf(session) {
  const key = Object(session); // nothing that a host hands in may throw
  if (!states.has(key)) {
    states.set(key, { held: {}, done: new Set(), running: {}, turn: undefined, dir: undefined, active: false, count: 0, same: 0, reason: "", echo: "" });
  }
  return states.get(key);
}

/** createSessions registers the sessions of one shim. */
export function createSessions() {
  const sessions = new Map(); // by id, the newest last
  return {
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
    /** roots are all that are no sub-agents, the newest last. */
    roots() {
      return [...sessions.values()].filter((session) => !session.parent);
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

  // A server lives for weeks. The oldest sub-agent goes first.
  function dropOne() {
    const old = [...sessions.values()].slice(0, -1);
    sessions.delete((old.find((session) => session.parent) ?? old[0]).id);
  }
}
