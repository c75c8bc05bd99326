// The host's sessions. The descriptor keeps facts of its own in a session object (ctx, model, ...); the runtime keeps only
// id and parent there, and everything else in WeakMaps, so that no name can collide.

const SESSIONS = 4096;

/** createSessions is the register of one shim's sessions. */
export function createSessions() {
  const sessions = new Map(); // by id; roots in the order in which they began or were opened
  const register = {
    /** get finds or makes the session of an id. Without an id it makes one that nobody else will find. */
    get(id, parent) {
      const session = sessions.get(id) ?? { id, parent: undefined };
      if (parent && parent !== id) session.parent = parent;
      if (id && !sessions.has(id)) add(session);
      return session;
    },
    find: (id) => sessions.get(id),
    /** renew makes a root the newest one: a host may come back to an old session. */
    renew(session) {
      if (!sessions.delete(session.id)) return;
      sessions.set(session.id, session);
    },
    /** newest is the root that began or was opened last: the one that a message without a session is for. */
    newest: () => [...sessions.values()].findLast((session) => !session.parent),
    /** rootId follows the parents up. A parent that was never seen counts as the root. */
    rootId(session) {
      let top = session;
      for (let up = 0; top.parent && up < SESSIONS; up++) top = sessions.get(top.parent) ?? { id: top.parent };
      return top.id;
    },
  };

  // Servers live for weeks. Of too many sessions the oldest sub-agent goes first.
  function add(session) {
    sessions.set(session.id, session);
    if (sessions.size <= SESSIONS) return;
    const older = [...sessions.values()].slice(0, -1);
    sessions.delete((older.find((old) => old.parent) ?? older[0]).id);
  }

  return register;
}
