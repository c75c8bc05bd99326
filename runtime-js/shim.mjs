// One shim: what the generated glue sees of the runtime. The glue knows the host; the rest is here.
import { createContext } from "./context.mjs";
import { createEvents } from "./events.mjs";
import { createReporter } from "./loud.mjs";
import { join, takeVariables } from "./rendezvous.mjs";
import { createSessions } from "./session.mjs";
import { faultText, recordOf, remember } from "./util.mjs";

const KEYS = 4096;

/**
 * createShim joins a host to the dispatcher.
 *
 * config is the shim's CONFIG line. host says how to ask this host for things and how to tell it something: tools (tables of
 * names), limits (ms by event, "*" for the rest), cwd, transcript, able, mcp_servers (each of a session), inject(session,
 * text), report(line). All but cwd may be missing.
 *
 * Nothing that is returned here throws into the host, and no promise of it rejects.
 */
export function createShim(config, host) {
  const loud = createReporter(host.report, config.dispatcher?.[0] ?? "");
  const { report, reportOnce } = loud;
  const sessions = createSessions();
  const { wants, event, eventSync, after } = createEvents(config, host, sessions, loud);
  const done = new WeakMap();
  let leave;

  /** holds tests a descriptor's condition. One that throws does not hold. */
  function holds(test) {
    try {
      return !!test();
    } catch (thrown) {
      reportOnce(`a condition could not be tested: ${faultText(thrown)}`);
      return false;
    }
  }

  /** enter finds the session of a handler's call; undefined when a host object has gone stale. May be a promise of it. */
  function enter(find) {
    const lost = (thrown) => reportOnce(`an event of the host belongs to no session: ${faultText(thrown)}`) && undefined;
    try {
      const session = find();
      return session?.then ? session.then((found) => found, lost) : session;
    } catch (thrown) {
      return lost(thrown);
    }
  }

  /** quiet runs what a host would neither wait for nor survive. */
  async function quiet(fn) {
    try {
      return await fn?.();
    } catch (thrown) {
      report(`the host refused what a hook asked for: ${faultText(thrown)}`);
    }
  }

  /** once is true the first time that a session meets a key. */
  function once(session, key) {
    return remember(recordOf(done, session, () => new Set()), key, KEYS);
  }

  const member = {
    find: (id) => [sessions.find(id)].find((session) => session && !session.parent),
    newest: sessions.newest,
    able: (session) => !host.able || holds(() => host.able(session)),
    inject: (session, text) => host.inject(session, text),
    report,
  };

  /** open makes the session reachable from outside, when the launcher has named a socket. Sub-agents never are. */
  function open(session) {
    if (session?.parent) return;
    if (session) sessions.renew(session);
    if (process.env.LORIMER_DISABLE === "1") takeVariables();
    else quiet(() => void (leave ??= join(member)));
  }

  /** close ends that. A later open begins it again: hosts reload their extensions in the middle of a session. */
  function close(session) {
    if (session?.parent) return;
    quiet(() => leave?.());
    leave = undefined;
  }

  return {
    wants, event, eventSync, after, enter, holds, quiet, once, open, close, report,
    ...createContext(),
    /** session finds or makes the record of a host session. The descriptor may keep facts of its own in it. */
    session: sessions.get,
    /** main is the newest session that is no sub-agent. */
    get main() {
      return sessions.newest();
    },
    /** facts is what the descriptor keeps for the whole process. */
    facts: {},
  };
}
