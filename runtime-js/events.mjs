// What becomes of one event: it is taken note of, written down as a payload, asked about and answered. The asynchronous and
// the synchronous form differ in how the dispatcher is started and in nothing else.
import { run, runSync } from "./dispatch.mjs";
import { createFailurePolicy, PASS, protocolFault } from "./failure.mjs";
import { isStop, payloadOf } from "./payload.mjs";
import { createStopGate } from "./stopgate.mjs";
import { faultText, recordOf } from "./util.mjs";
import { readVerdict } from "./verdict.mjs";

const LIMIT = 595_000; // ms, for a host that sets none
const CONTINUATIONS = 8; // for a CONFIG that sets none
const TOOL_EVENTS = new Set(["PreToolUse", "PostToolUse", "PostToolUseFailure", "PermissionRequest"]);

// What the stop gate has to see even when no handler wants it: prompts end its loop, tool calls are progress.
const OBSERVED = new Set(["UserPromptSubmit", "PreToolUse"]);

/** createEvents returns wants, event, eventSync and after of the shim. */
export function createEvents(config, host, sessions, { report, reportOnce }) {
  const subscribed = new Set(config.events);
  const gated = [...subscribed].some(isStop);
  const bound = new Set(); // events that the glue has a handler for
  const running = new WeakMap();
  const fail = createFailurePolicy(config, reportOnce);
  const gate = createStopGate({
    limit: config.max_continuations ?? CONTINUATIONS,
    seesTools: () => bound.has("PreToolUse"),
    report,
  });

  const events = {
    wants(...names) {
      for (const name of names) bound.add(name);
      return names.length === 0 || names.some((name) => subscribed.has(name) || (gated && OBSERVED.has(name)));
    },
    async event(name, session, fields) {
      try {
        const call = prepare(name, session, fields);
        if (!call) return PASS;
        const ask = () => askLater(name, session, call);
        return await noted(name, session, isStop(name) ? gate.inTurn(session, ask) : ask());
      } catch (thrown) {
        return fail(name, faultText(thrown));
      }
    },
    eventSync(name, session, fields) {
      try {
        const call = prepare(name, session, fields);
        return call ? askNow(name, session, call) : PASS;
      } catch (thrown) {
        return fail(name, faultText(thrown));
      }
    },
    async after(session, name) {
      await Promise.all(running.get(session)?.get(name) ?? []);
    },
  };

  // The payload or the fault of an event that a handler wants; nothing when no handler is to hear of it.
  function prepare(name, session, fields) {
    bound.add(name);
    if (TOOL_EVENTS.has(name)) gate.worked(session);
    if (process.env.LORIMER_DISABLE === "1") return reportOnce("LORIMER_DISABLE is 1: no hook runs"), undefined;
    const prompt = gated && name === "UserPromptSubmit";
    if (!prompt && !subscribed.has(name)) return undefined;
    try {
      const read = fields?.() ?? {};
      if (prompt && gate.prompted(session, read.prompt)) return undefined;
      return subscribed.has(name) ? { payload: draft(name, session, read) } : undefined;
    } catch (thrown) {
      return { fault: `the host's event could not be read: ${faultText(thrown)}` };
    }
  }

  function draft(name, session, fields) {
    const servers = fields.tool && host.tools?.mcp ? hostValue("mcp_servers", session) : undefined;
    return payloadOf(name, placeOf(session), fields, host.tools ?? {}, servers ?? []);
  }

  function placeOf(session) {
    return {
      session_id: sessions.rootId(session),
      transcript_path: hostValue("transcript", session) ?? undefined,
      cwd: hostValue("cwd", session) || hostFolder(),
      agent_id: session.parent ? session.id : undefined,
    };
  }

  // What the host does not tell costs a key of the payload, not the gate.
  function hostValue(name, session) {
    try {
      return host[name]?.(session);
    } catch (thrown) {
      reportOnce(`the host's ${name} could not be read: ${faultText(thrown)}`);
    }
  }

  async function askLater(name, session, call) {
    const sealed = seal(name, session, call);
    return verdictOn(name, session, sealed.fault ? sealed : await run(sealed.argv, sealed.text, sealed));
  }

  function askNow(name, session, call) {
    const sealed = seal(name, session, call);
    return verdictOn(name, session, sealed.fault ? sealed : runSync(sealed.argv, sealed.text, sealed));
  }

  // The text is made last: the loop bit is not known before the session's earlier stop has its verdict.
  function seal(name, session, { payload, fault }) {
    const bit = isStop(name) ? gate.begin(session, payload?.stop_hook_active) : undefined;
    const broken = protocolFault(config) ?? fault;
    if (broken) return { fault: broken };
    if (bit !== undefined) payload.stop_hook_active = bit;
    try {
      return { text: JSON.stringify(payload), argv: [...config.dispatcher, config.harness, name], cwd: payload.cwd, timeout: limitOf(name) };
    } catch (thrown) {
      return { fault: `the payload could not be written: ${faultText(thrown)}` };
    }
  }

  function limitOf(name) {
    return host.limits?.[name] || host.limits?.["*"] || LIMIT;
  }

  function verdictOn(name, session, answer) {
    const fallback = `a ${name} hook blocked this without giving a reason`;
    const verdict = answer.fault ? fail(name, answer.fault) : readVerdict(answer, fallback);
    for (const line of loudLines(answer.err)) if (!verdict.reason.includes(line)) reportOnce(line);
    return isStop(name) ? gate.settle(name, session, verdict) : verdict;
  }

  // Keeps a dispatch in view of after() until it is done.
  function noted(name, session, dispatch) {
    const all = recordOf(recordOf(running, session, () => new Map()), name, () => new Set());
    all.add(dispatch);
    return dispatch.finally(() => all.delete(dispatch));
  }

  return events;
}

// The dispatcher's own loud lines. Its stderr is ours to pass on; what handlers print there is not.
function loudLines(err = "") {
  return err.slice(0, 1 << 16).match(/^lorimer: .+$/gm) ?? [];
}

function hostFolder() {
  try {
    return process.cwd();
  } catch {
    return undefined; // it has been removed
  }
}
