// The shim runtime. The glue, which knows the host, calls createShim and nothing else. A statement with a label in capitals is a part
// that only some hosts need: gen/shim/parts.go leaves it out of the other shims, with all that nothing else calls.
import { createEvents } from "./events.mjs";
import { createReporter } from "./loud.mjs";
import { joinRendezvous } from "./rendezvous.mjs";
import { createSessions, firstTime, hold, take } from "./session.mjs";
import { isEcho } from "./stopgate.mjs";
import { faultText } from "./util.mjs";

/**
 * createShim joins a host to the dispatcher. host: tools (tables of names), sees_tools (each call shows itself before it runs),
 * limits (ms by event, "*" for the rest), and what it can be asked and told: cwd, transcript, able, mcp_servers (all of a session),
 * inject(session, text), report(line). Nothing that is returned throws into the host or rejects.
 */
export function createShim(config, host) {
  const loud = createReporter(config, host);
  const sessions = createSessions();
  const rt = {
    ...createEvents(config, host, sessions, loud),
    report: loud.report,

    /** session finds or makes one; a parent makes it a sub-agent. */
    session: sessions.get,

    /** enter gives the session that is found, or a promise of it. When the host's objects are stale it is one without a name. */
    enter(find) {
      const lost = (thrown) => {
        loud.reportOnce(`an event of the host belongs to no session: ${faultText(thrown)}`);
        return nameless;
      };
      try {
        const session = find();
        return session?.then?.(undefined, lost) ?? session;
      } catch (thrown) {
        return lost(thrown);
      }
    },

    /** holds tests a condition. One that throws does not hold. */
    holds(test) {
      try {
        return !!test();
      } catch (thrown) {
        loud.reportOnce(`a condition could not be tested: ${faultText(thrown)}`);
        return false;
      }
    },

    /** quiet does what the host would not survive failing. */
    async quiet(fn) {
      try {
        return await fn?.();
      } catch (thrown) {
        loud.report(`the host refused what a hook asked for: ${faultText(thrown)}`);
      }
    },

    /** open makes the session reachable if the launcher named a socket. Sub-agents never are. */
    open(session) {
      if (session?.parent) return;
      if (session) sessions.renew(session);
      rt.quiet(() => void (leave ??= joinRendezvous(member)));
    },

    /** close ends that until the next open: hosts reload in the middle of a session. */
    close(session) {
      if (session?.parent) return;
      rt.quiet(() => leave?.());
      leave = undefined;
    },
  };

  // facts are the descriptor's, for the whole process
  FACTS: rt.facts = {};

  // main is the newest session that is no sub-agent
  MAIN: Object.defineProperty(rt, "main", { get: () => sessions.root(), enumerable: true });

  // roots are all sessions that are no sub-agents
  ROOTS: Object.defineProperty(rt, "roots", { get: sessions.roots, enumerable: true });

  // each does work for every session that is found, all at once: a host that ends does not wait for ever
  EACH: rt.each = async (find, work) => {
    const found = (await rt.quiet(() => [...find()])) ?? [];
    await Promise.all(found.map((session) => rt.quiet(() => work(session))));
  };

  ONCE: rt.once = firstTime;
  HELD: Object.assign(rt, { hold, take });

  let leave;
  const nameless = sessions.get();
  const member = {
    root: sessions.root,
    able: (session) => !host.able || rt.holds(() => host.able(session)),
    inject(session, text) {
      isEcho(session, text); // to the stop gate a message is a prompt
      return host.inject(session, text);
    },
    report: loud.report,
  };
  return rt;
}
