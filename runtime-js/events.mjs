// What becomes of an event: noted, written down, asked about, answered. The two forms differ in how the dispatcher is started
// and in nothing else.
import { claim } from "./claim.mjs";
import { run, runSync } from "./dispatch.mjs";
import { failed, PASS, protocolFault } from "./failure.mjs";
import { hash } from "./files.mjs";
import { createLevel } from "./level.mjs";
import { payloadOf } from "./payload.mjs";
import { stateOf } from "./session.mjs";
import { inTurn, isEcho, isStop, noteTool, passes, stopBit } from "./stopgate.mjs";
import { hostInput, hostOutput } from "./tools.mjs";
import { faultText } from "./util.mjs";
import { readVerdict } from "./verdict.mjs";

const LIMIT = 597_500; // ms, where the host sets none
const TOOL_EVENTS = ["PreToolUse", "PostToolUse", "PostToolUseFailure", "PermissionRequest"];

// The stop gate has to see them though no handler wants them.
const OBSERVED = ["UserPromptSubmit", "PreToolUse"];

/** createEvents returns the shim's wants and event, and where they are needed eventSync and after. */
export function createEvents(config, host, sessions, { report, reportOnce }) {
  const broken = protocolFault(config); // then every event is listened to, to say so
  const subscribed = [].concat(config.events ?? []);
  const gated = subscribed.some(isStop);
  const level = createLevel(config);
  const origin = JSON.stringify(config.dispatcher);

  const shim = {
    /** wants says whether to listen for any of the events; without a name, yes. */
    wants(...names) {
      return !!broken || names.length === 0 || names.some((name) => subscribed.includes(name) || (gated && OBSERVED.includes(name)));
    },

    /** event resolves {blocked, reason, context, input?, output?}. fields() reads the host's event. */
    async event(name, session, fields) {
      const draft = drafted(name, session, fields);
      if (!draft) return PASS;
      const { other, end } = sighted(name, session, draft);
      const ask = async () => {
        const call = sealed(name, session, draft);
        const answer = call.fault ? call : await run(...call.args);
        end?.(!answer.fault);
        return verdictOn(name, session, answer, draft);
      };
      const go = () => (isStop(name) ? inTurn(session, ask) : ask());
      const asked = other ? other.then((served) => (served ? PASS : go())) : go();
      AFTER: noteRunning(session, name, asked);
      return asked;
    },
  };

  // eventSync is event for a host that does not wait
  SYNC: shim.eventSync = (name, session, fields) => {
    const draft = drafted(name, session, fields);
    if (!draft) return PASS;
    const { other, done, end } = sighted(name, session, draft);
    if (other && done !== false) return PASS;
    const call = sealed(name, session, draft);
    const answer = call.fault ? call : runSync(...call.args);
    end?.(!answer.fault);
    return verdictOn(name, session, answer, draft);
  };

  // after waits for an event's dispatches that still run
  AFTER: shim.after = async (session, name) => void (await Promise.all(stateOf(session).running[name] ?? []));

  return shim;

  // The payload and the host's tool call, or the fault, of an event that a handler is to hear of.
  function drafted(name, session, fields) {
    if (TOOL_EVENTS.includes(name)) noteTool(session);
    const wanted = broken || subscribed.includes(name);
    const prompt = gated && name === "UserPromptSubmit";
    if (!wanted && !prompt) return undefined;
    if (process.env.LORIMER_DISABLE === "1") return reportOnce("LORIMER_DISABLE is 1: no hook runs");
    let place = level.unknown;
    try {
      const where = placeOf(session);
      place = level.placeOf(session, where.cwd, name);
      if (!place) return undefined;
      if (place.fault && wanted) return { place, fault: place.fault };
      const read = fields() ?? {};
      if (prompt && isEcho(session, read.prompt)) return undefined;
      return wanted && { place, tool: read.tool, payload: payloadOf(name, where, read, host.tools ?? {}, () => told("mcp_servers", session) ?? []) };
    } catch (thrown) {
      return { place, fault: `the host's event could not be read: ${faultText(thrown)}` };
    }
  }

  // Another shim of this host may hear of the same event. The loop guard's bit is each shim's own, and a tool's input may have
  // been rewritten by then.
  function sighted(name, session, { place, tool, payload }) {
    if (!place.root || !payload) return {};
    try {
      const what = tool?.use_id ?? hash(JSON.stringify(payload));
      return claim(JSON.stringify([config.harness, name, payload.session_id, place.root, what]), origin);
    } catch {
      return {}; // sealed says why it cannot be written
    }
  }

  function placeOf(session) {
    return {
      session_id: sessions.rootId(session),
      transcript_path: told("transcript", session) ?? undefined,
      cwd: told("cwd", session) || process.cwd(),
      agent_id: session.parent && session.id,
    };
  }

  // What the host fails to tell costs a key, not the gate.
  function told(what, session) {
    try {
      return host[what]?.(session);
    } catch (thrown) {
      reportOnce(`the host did not tell its ${what}: ${faultText(thrown)}`);
    }
  }

  // Made last: the bit is not known before the earlier stop has its verdict.
  function sealed(name, session, { place, payload, fault }) {
    const bit = isStop(name) && stopBit(session, payload?.stop_hook_active);
    if (broken || fault) return { fault: broken || fault };
    if (isStop(name)) payload.stop_hook_active = bit;
    try {
      const limit = host.limits?.[name] || host.limits?.["*"] || LIMIT;
      return { args: [[...place.argv, config.harness, name], JSON.stringify(payload), limit, place.dir ?? payload.cwd] };
    } catch (thrown) {
      return { fault: `the payload could not be written: ${faultText(thrown)}` };
    }
  }

  // A host that cannot show it, or fails to, has a line for it all the same.
  function notify(session, notice) {
    NOTIFY: try {
      if (host.notify) return void host.notify(session, notice);
    } catch {}
    report(notice);
  }

  function verdictOn(name, session, answer, { place, tool }) {
    const fallback = `a ${name} hook blocked this without giving a reason`;
    const verdict = answer.fault ? failed(name, answer.fault, place.strict(name), reportOnce) : readVerdict(answer, fallback);
    // Of its stderr only the dispatcher's loud lines are for the user.
    for (const line of (answer.err ?? "").slice(0, 1 << 16).match(/^lorimer: .+/gm) ?? []) {
      if (!verdict.reason.includes(line)) reportOnce(line);
    }
    if (verdict.notice) notify(session, verdict.notice);
    REWRITE: if (verdict.input) {
      const lost = (key) => report(`${name}: a hook rewrote ${key}, which is derived; the host cannot be given another`);
      verdict.input = hostInput(host.tools ?? {}, tool?.name, tool?.input, verdict.input, lost);
    }
    REPLACE: if ("output" in verdict) verdict.output = hostOutput(verdict.output);
    const why = isStop(name) && passes(session, verdict, place.cap, host.sees_tools);
    if (!why) return verdict;
    report(`${name} allowed although it was blocked: ${why}. The last reason was: ${verdict.reason}`);
    return PASS;
  }
}

function noteRunning(session, name, asked) {
  const running = (stateOf(session).running[name] ??= new Set()).add(asked);
  const ended = () => running.delete(asked);
  asked.then(ended, ended);
}
