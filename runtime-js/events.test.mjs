import assert from "node:assert/strict";
import fs from "node:fs";
import path from "node:path";
import test from "node:test";
import { block, rig, tempDir, until } from "./testdata/kit.mjs";

const PASS = { blocked: false, reason: "", context: "" };
const missing = { dispatcher: ["/nonexistent/lorimer-dispatch"] };
const both = (rt) => [["event", (...a) => rt.event(...a)], ["eventSync", async (...a) => rt.eventSync(...a)]];

test("an event is dispatched with its payload, its harness and its name", async (t) => {
  const { rt, dir, answer, calls } = rig(t, { host: { transcript: (s) => `/t/${s.id}`, tools: { names: { bash: "Bash" } } } });
  answer("PreToolUse", `echo "$harness $event" >'${dir}/argv'`);
  const fields = () => ({ tool: { name: "bash", input: { command: "ls" }, use_id: "c1" } });
  assert.deepEqual(await rt.event("PreToolUse", rt.session("s1"), fields), PASS);
  assert.deepEqual(calls(), [{
    session_id: "s1", transcript_path: "/t/s1", cwd: dir, hook_event_name: "PreToolUse",
    tool_name: "Bash", tool_use_id: "c1", tool_input: { command: "ls" },
  }]);
  assert.equal(fs.readFileSync(path.join(dir, "argv"), "utf8"), "testhost PreToolUse\n");
});

test("both forms give the same payload and the same verdict", async (t) => {
  const { rt, answer, calls } = rig(t);
  const s = rt.session("s");
  const fields = () => ({ tool: { name: "x", input: { a: "ü" }, response: { b: 1 } } });
  for (const [shell, want] of [
    [block("no"), { blocked: true, reason: "no", context: "" }],
    ["echo nope >&2; exit 2", { blocked: true, reason: "nope", context: "" }],
    ["exit 2", { blocked: true, reason: "a PostToolUse hook blocked this without giving a reason", context: "" }],
    [`echo '{"hookSpecificOutput":{"additionalContext":"read"}}'`, { ...PASS, context: "read" }],
    [`echo '{"hookSpecificOutput":{"updatedInput":{"command":"id"}}}'`, { ...PASS, input: { command: "id" } }],
    ["exit 1", PASS],
  ]) {
    answer("PostToolUse", shell);
    for (const [form, ask] of both(rt)) assert.deepEqual(await ask("PostToolUse", s, fields), want, form);
  }
  const [first, second] = calls();
  assert.equal(JSON.stringify(first), JSON.stringify(second));
});

test("an event that no handler wants costs nothing: its fields are not even read", async (t) => {
  const { rt, calls, lines } = rig(t, { config: { events: ["SessionStart"] } });
  for (const [form, ask] of both(rt)) {
    assert.deepEqual(await ask("PreToolUse", rt.session("s"), () => assert.fail("read")), PASS, form);
    assert.deepEqual(await ask("UserPromptSubmit", rt.session("s"), () => assert.fail("read")), PASS, form);
  }
  assert.deepEqual([calls(), lines], [[], []]);
});

test("wants: what is subscribed, and what the stop gate has to see", (t) => {
  const wants = (...events) => rig(t, { config: { events } }).rt.wants;
  assert.equal(wants()(), true);
  assert.equal(wants("PreToolUse")("PostToolUse"), false);
  assert.equal(wants("PreToolUse")("PostToolUse", "PreToolUse"), true);
  for (const stop of ["Stop", "SubagentStop"]) {
    for (const seen of ["UserPromptSubmit", "PreToolUse"]) assert.equal(wants(stop)(seen), true);
    assert.equal(wants(stop)("PostToolUse"), false);
  }
  assert.equal(wants("SessionStart")("UserPromptSubmit", "PreToolUse"), false);
});

test("the host is asked when the event happens, not when its turn comes", async (t) => {
  const { rt, answer, calls } = rig(t);
  const s = rt.session("s");
  answer("Stop", "sleep 0.1");
  const host = { text: "now" };
  const stops = [1, 2].map(() => rt.event("Stop", s, () => ({ last_assistant_message: host.text })));
  host.text = "stale";
  await Promise.all(stops);
  assert.deepEqual(calls().map((c) => c.last_assistant_message), ["now", "now"]);
});

test("a host that does not tell its folder or transcript costs a key, once aloud, and no gate", async (t) => {
  const stale = () => { throw new Error("stale"); };
  const { rt, answer, calls, lines } = rig(t, { host: { cwd: stale, transcript: stale } });
  answer("PreToolUse", block("no"));
  for (let i = 0; i < 2; i++) assert.equal((await rt.event("PreToolUse", rt.session("s"), () => ({}))).blocked, true);
  assert.equal(calls()[0].cwd, process.cwd());
  assert.equal("transcript_path" in calls()[0], false);
  assert.equal(lines.length, 2);
});

test("MCP servers are asked for when a tool call needs them", async (t) => {
  const { rt, calls } = rig(t, { host: { tools: { mcp: { join: "_" } }, mcp_servers: (s) => [`srv-${s.id}`] } });
  await rt.event("PreToolUse", rt.session("a"), () => ({ tool: { name: "srv-a_echo", input: {} } }));
  assert.equal(calls()[0].tool_name, "mcp__srv-a__echo");
});

test("a sub-agent's events carry its own id and the session's", async (t) => {
  const { rt, calls } = rig(t);
  rt.session("root");
  rt.session("child", "root");
  await rt.event("PreToolUse", rt.session("grandchild", "child"), () => ({}));
  await rt.event("PreToolUse", rt.session("orphan", "unseen"), () => ({}));
  assert.deepEqual(calls().map((c) => [c.session_id, c.agent_id]), [["root", "grandchild"], ["unseen", "orphan"]]);
});

test("an event without a session id is dispatched without one", async (t) => {
  const { rt, calls } = rig(t);
  await rt.event("Notification", rt.session(undefined), () => ({ message: "hi" }));
  assert.equal("session_id" in calls()[0], false);
  assert.equal(rt.main, undefined);
});

test("a fault lets the event pass and is said once, whatever events it hits", async (t) => {
  const { rt, lines } = rig(t, { config: missing });
  const s = rt.session("s");
  for (const name of ["PreToolUse", "PreToolUse", "PostToolUse"]) {
    for (const [, ask] of both(rt)) assert.deepEqual(await ask(name, s, () => ({})), PASS);
  }
  assert.equal(new Set(lines).size, lines.length);
  assert.equal(lines.filter((l) => l.includes("/nonexistent")).length, 1);
  assert.match(lines[0], /^lorimer: PreToolUse allowed: its hooks did not run: .nonexistent.lorimer-dispatch could not be started \(ENOENT\).*lorimer materialize/);
});

test("an exit code other than 0 and 2 is a fault, and another fault is said too", async (t) => {
  const { rt, answer, lines } = rig(t);
  const s = rt.session("s");
  for (const shell of ["exit 1", "exit 1", "echo boom >&2; exit 127"]) {
    answer("any", shell);
    assert.deepEqual(await rt.event("PreToolUse", s, () => ({})), PASS);
  }
  assert.equal(lines.length, 2);
  assert.match(lines[1], /exit code 127: boom/);
});

test("an event that fails closed is blocked, with fault and remedy in the reason", async (t) => {
  const { rt, lines } = rig(t, { config: { ...missing, fail_closed: ["PreToolUse"] } });
  const s = rt.session("s");
  for (const [form, ask] of both(rt)) {
    const verdict = await ask("PreToolUse", s, () => ({}));
    assert.equal(verdict.blocked, true, form);
    assert.match(verdict.reason, /PreToolUse hooks could not run.*nonexistent.*ENOENT.*lorimer materialize/, form);
    assert.deepEqual(await ask("PostToolUse", s, () => ({})), PASS, form);
  }
  assert.match(lines[0], /PreToolUse blocked/);
});

test("a timeout is a fault", async (t) => {
  for (const fail_closed of [[], ["PreToolUse"]]) {
    const { rt, answer, lines } = rig(t, { config: { fail_closed }, host: { limits: { "*": 20_000, PreToolUse: 100 } } });
    answer("any", "sleep 5");
    const verdict = await rt.event("PreToolUse", rt.session("s"), () => ({}));
    assert.equal(verdict.blocked, fail_closed.length === 1);
    assert.match(lines[0], /did not answer within 0.1 s/);
  }
});

test("an event that cannot be read is a fault", async (t) => {
  const cyclic = {};
  cyclic.self = cyclic;
  const unreadable = [
    () => { throw new Error("stale ctx"); },
    () => ({ tool: { name: "x", input: cyclic } }),
    () => ({ tool: { name: "x", input: { n: 1n } } }),
    () => ({ get prompt() { throw null; } }),
  ];
  for (const fields of unreadable) {
    const { rt, calls, lines } = rig(t, { config: { fail_closed: ["PreToolUse"] } });
    const s = rt.session("s");
    for (const [, ask] of both(rt)) {
      assert.deepEqual(await ask("PostToolUse", s, fields), PASS);
      const verdict = await ask("PreToolUse", s, fields);
      assert.equal(verdict.blocked, true);
      assert.match(verdict.reason, /lorimer materialize/);
    }
    assert.deepEqual(calls(), []);
    assert.equal(lines.length, 2); // once allowed, once blocked
  }
});

test("a CONFIG of another protocol is refused aloud, and what fails closed blocks", async (t) => {
  for (const protocol of [2, undefined, "1"]) {
    const { rt, calls, lines } = rig(t, { config: { protocol, fail_closed: ["PreToolUse"] } });
    const s = rt.session("s");
    for (const [, ask] of both(rt)) {
      assert.deepEqual(await ask("SessionStart", s, () => ({})), PASS);
      assert.match((await ask("PreToolUse", s, () => ({}))).reason, /protocol/);
    }
    assert.deepEqual(calls(), []);
    assert.match(lines[0], new RegExp(`CONFIG speaks protocol ${protocol}, the shim around it 1`));
  }
});

test("a CONFIG of another shape is refused as loudly, and does not stop the host", async (t) => {
  for (const odd of [{ events: { PreToolUse: 1 }, fail_closed: "x", dispatcher: 7 }, { events: undefined, fail_closed: null }]) {
    const { rt, lines } = rig(t, { config: { protocol: 9, ...odd } });
    assert.equal(rt.wants("PreToolUse"), true);
    for (const [, ask] of both(rt)) assert.deepEqual(await ask("PreToolUse", rt.session("s"), () => ({})), PASS);
    assert.equal(lines.length, 1);
    assert.match(lines[0], /protocol 9/);
  }
});

test("a prompt that cannot be read and that no handler wants resets nothing", async (t) => {
  const { rt, answer, calls } = rig(t, { config: { events: ["Stop"] } });
  const s = rt.session("s");
  answer("Stop", block("no"));
  await rt.event("Stop", s, () => ({}));
  assert.deepEqual(await rt.event("UserPromptSubmit", s, () => { throw new Error("stale"); }), PASS);
  await rt.event("Stop", s, () => ({}));
  assert.deepEqual(calls().map((c) => c.stop_hook_active), [false, true]);
});

test("the dispatcher's loud lines are passed on, once, the handlers' stderr is not", async (t) => {
  const { rt, answer, lines } = rig(t);
  answer("any", "echo 'lorimer: not trusted; run lorimer trust' >&2; echo 'handler noise' >&2");
  for (let i = 0; i < 2; i++) await rt.event("PreToolUse", rt.session("s"), () => ({}));
  assert.deepEqual(lines, ["lorimer: not trusted; run lorimer trust"]);
});

test("a loud line that is the reason itself is not said twice", async (t) => {
  const { rt, answer, lines } = rig(t);
  answer("any", "echo 'lorimer: manifest is damaged' >&2; exit 2");
  assert.equal((await rt.event("PreToolUse", rt.session("s"), () => ({}))).reason, "lorimer: manifest is damaged");
  assert.deepEqual(lines, []);
});

test("LORIMER_DISABLE turns the hooks off, aloud", async (t) => {
  process.env.LORIMER_DISABLE = "1";
  t.after(() => delete process.env.LORIMER_DISABLE);
  const { rt, answer, calls, lines } = rig(t, { config: { fail_closed: ["PreToolUse"] } });
  answer("any", block("no"));
  for (const [, ask] of both(rt)) assert.deepEqual(await ask("PreToolUse", rt.session("s"), () => ({})), PASS);
  assert.deepEqual(calls(), []);
  assert.deepEqual(lines, ["lorimer: LORIMER_DISABLE is 1: no hook runs"]);
});

test("after waits for the dispatches of that event and session, and for nothing else", async (t) => {
  const { rt, dir, answer } = rig(t);
  const s = rt.session("s");
  answer("SessionStart", `until [ -f '${dir}/go' ]; do sleep 0.01; done`);
  await rt.after(s, "SessionStart");
  let over = 0;
  for (let i = 0; i < 2; i++) rt.event("SessionStart", s, () => ({})).then(() => over++);
  await rt.after(s, "UserPromptSubmit");
  await rt.after(rt.session("other"), "SessionStart");
  assert.equal(over, 0);
  const waited = rt.after(s, "SessionStart");
  fs.writeFileSync(path.join(dir, "go"), "");
  await waited;
  await until("both are over", () => over === 2);
});

test("after comes back when the dispatch has its verdict", async (t) => {
  const { rt, answer, calls } = rig(t);
  const s = rt.session("s");
  answer("SessionStart", "sleep 0.1");
  rt.event("SessionStart", s, () => ({}));
  await rt.after(s, "SessionStart");
  assert.equal(calls().length, 1);
  await rt.event("UserPromptSubmit", s, () => ({ prompt: "p" }));
  assert.deepEqual(calls().map((c) => c.hook_event_name), ["SessionStart", "UserPromptSubmit"]);
});

test("nothing throws into the host, whatever it hands in", async (t) => {
  const { rt } = rig(t);
  for (const fields of [undefined, () => null, () => 7, () => "text", () => ({ tool: 7 }), () => ({ tool: { name: Symbol("x") } })]) {
    for (const [, ask] of both(rt)) assert.equal((await ask("PreToolUse", rt.session("s"), fields)).blocked, false);
  }
  for (const session of [undefined, null, 7]) {
    for (const [, ask] of both(rt)) assert.equal((await ask("Stop", session, () => ({}))).blocked, false);
    await rt.after(session, "Stop");
    rt.hold("slot", session, "text");
    rt.take("slot", session);
    rt.once(session, "key");
    rt.close(session);
  }
});

test("a folder of the host's that is gone does not stop the hooks", async (t) => {
  const cwd = path.join(tempDir(t), "gone");
  const { rt, answer, lines } = rig(t, { host: { cwd: () => cwd } });
  answer("PreToolUse", block("still here"));
  for (const [form, ask] of both(rt)) assert.equal((await ask("PreToolUse", rt.session("s"), () => ({}))).reason, "still here", form);
  assert.deepEqual(lines, []);
});

test("a notice is shown to the user, or is a loud line where the host cannot", async (t) => {
  const shown = [];
  const seen = `echo '{"systemMessage":"look"}'`;
  const can = rig(t, { host: { notify: (session, text) => shown.push([session.id, text]) } });
  const cannot = rig(t);
  const fails = rig(t, { host: { notify: () => { throw new Error("stale"); } } });
  for (const { rt, answer } of [can, cannot, fails]) {
    answer("Stop", seen);
    assert.equal((await rt.event("Stop", rt.session("s"), () => ({}))).blocked, false);
  }
  assert.deepEqual([shown, can.lines], [[["s", "look"]], []]);
  for (const { lines } of [cannot, fails]) assert.match(lines.join(), /^[^,]*look$/);
});

test("a replaced result and a rewritten input reach the glue, the input in the host's names", async (t) => {
  const { rt, answer, lines } = rig(t, { host: { tools: { args: { write: { path: "file_path" } }, paths: { edit: { from: "paths" } } } } });
  answer("PreToolUse", `echo '{"hookSpecificOutput":{"updatedInput":{"file_path":"/b","file_paths":["c"]}}}'`);
  answer("PostToolUse", `echo '{"hookSpecificOutput":{"updatedToolOutput":null}}'; echo '{"hookSpecificOutput":{"updatedToolOutput":[]}}'`);
  const call = (name, input) => () => ({ tool: { name, input } });
  assert.deepEqual((await rt.event("PreToolUse", rt.session("s"), call("write", { path: "/a" }))).input, { path: "/b", file_paths: ["c"] });
  assert.deepEqual((await rt.event("PostToolUse", rt.session("s"), call("write", {}))).output, []);
  assert.deepEqual(lines, []);
  assert.deepEqual((await rt.event("PreToolUse", rt.session("s"), call("edit", { paths: ["a", "d"] }))).input, { file_path: "/b" });
  assert.match(lines.join(), /rewrote file_paths/);
});
