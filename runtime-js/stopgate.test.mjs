import assert from "node:assert/strict";
import fs from "node:fs";
import path from "node:path";
import test from "node:test";
import { carries } from "./stopgate.mjs";
import { block, rig, until } from "./testdata/kit.mjs";

const bits = (calls) => calls.filter((c) => /Stop$/.test(c.hook_event_name)).map((c) => c.stop_hook_active);
const stop = (rt, s, fields = {}) => rt.event("Stop", s, () => fields);
const prompt = (rt, s, text) => rt.event("UserPromptSubmit", s, () => ({ prompt: text }));
const tool = (rt, s) => rt.event("PreToolUse", s, () => ({ tool: { name: "bash", input: {} } }));

test("the bit is false on a natural stop, true on the one after a block, false again after an allowed one", async (t) => {
  const { rt, answer, calls } = rig(t);
  const s = rt.session("s");
  answer("Stop", block("tests are red"));
  assert.deepEqual(await stop(rt, s), { blocked: true, reason: "tests are red", context: "" });
  answer("Stop", "");
  assert.equal((await stop(rt, s)).blocked, false);
  await stop(rt, s);
  assert.deepEqual(bits(calls()), [false, true, false]);
});

test("the bit is set before the continuation is handed out", async (t) => {
  const { rt, answer, calls } = rig(t);
  const s = rt.session("s");
  answer("Stop", block("again"));
  await stop(rt, s).then(() => stop(rt, s)); // a host that stops inside the inject
  assert.deepEqual(bits(calls()), [false, true]);
});

test("a prompt of the user's resets the bit", async (t) => {
  const { rt, answer, calls } = rig(t);
  const s = rt.session("s");
  answer("Stop", block("tests are red"));
  await stop(rt, s);
  await prompt(rt, s, "never mind");
  await stop(rt, s);
  assert.deepEqual(bits(calls()), [false, false]);
});

test("each session has its own loop, a sub-agent too", async (t) => {
  const { rt, answer, calls } = rig(t);
  const main = rt.session("main");
  const sub = rt.session("sub", "main");
  answer("any", block("no"));
  await stop(rt, main);
  await rt.event("SubagentStop", sub, () => ({}));
  await rt.event("SubagentStop", sub, () => ({}));
  await stop(rt, rt.session("other"));
  assert.deepEqual(bits(calls()), [false, false, true, false]);
  assert.deepEqual(calls().map((c) => c.agent_id), [undefined, "sub", "sub", undefined]);
  assert.deepEqual(calls().map((c) => c.session_id), ["main", "main", "main", "other"]);
});

test("a host's own bit is passed on", async (t) => {
  const { rt, answer, calls } = rig(t);
  const s = rt.session("s");
  answer("Stop", block("no"));
  for (const bit of [true, false, true]) await stop(rt, s, { stop_hook_active: bit });
  assert.deepEqual(bits(calls()), [true, false, true]);
});

test("a bit that is no boolean is none", async (t) => {
  const { rt, answer, calls } = rig(t);
  answer("Stop", block("no"));
  for (const bit of [null, undefined, "yes"]) await stop(rt, rt.session("s"), { stop_hook_active: bit });
  assert.deepEqual(bits(calls()), [false, true, true]);
});

test("a gate that never passes ends after the cap, and says so", async (t) => {
  const { rt, answer, lines } = rig(t, { config: { max_continuations: 3 } });
  const s = rt.session("s");
  const verdicts = [];
  for (let i = 0; i < 5; i++) {
    answer("Stop", block(`reason ${i}`));
    verdicts.push((await stop(rt, s)).blocked);
  }
  assert.deepEqual(verdicts, [true, true, true, false, false]);
  assert.equal(lines.length, 2);
  assert.match(lines[0], /^lorimer: Stop allowed although it was blocked: it was blocked 3 times .*max_continuations.*reason 3$/);
});

test("after the cap the bit is false, and a prompt or an allowed stop gives the gate its force back", async (t) => {
  const { rt, answer, calls } = rig(t, { config: { max_continuations: 1 } });
  const s = rt.session("s");
  answer("Stop", block("a"));
  const verdicts = [];
  const ask = async () => verdicts.push((await stop(rt, s)).blocked);
  await ask();
  await ask();
  await ask();
  await prompt(rt, s, "go on");
  await ask();
  await ask();
  answer("Stop", "");
  await ask();
  answer("Stop", block("a"));
  await ask();
  assert.deepEqual(verdicts, [true, false, false, true, false, false, true]);
  assert.deepEqual(bits(calls()), [false, true, false, false, true, false, false]);
});

test("no cap when it is 0", async (t) => {
  const { rt, answer } = rig(t, { config: { max_continuations: 0 } });
  const s = rt.session("s");
  for (let i = 0; i < 12; i++) {
    answer("Stop", block(`reason ${i}`));
    assert.equal((await stop(rt, s)).blocked, true);
  }
});

test("a native bit that arrives false begins a new count, true does not", async (t) => {
  const { rt, answer } = rig(t, { config: { max_continuations: 2 } });
  const s = rt.session("s");
  answer("Stop", block("no"));
  const verdicts = [];
  for (const bit of [false, true, true, false, true, true]) verdicts.push((await stop(rt, s, { stop_hook_active: bit })).blocked);
  assert.deepEqual(verdicts, [true, true, false, true, true, false]);
});

test("one reason three times without a tool call between: the next passes, and a line says so", async (t) => {
  const { rt, answer, lines } = rig(t, { host: { sees_tools: true } });
  const s = rt.session("s");
  answer("Stop", block("same"));
  const verdicts = [];
  for (let i = 0; i < 4; i++) verdicts.push((await stop(rt, s)).blocked);
  assert.deepEqual(verdicts, [true, true, true, false]);
  assert.match(lines.join("\n"), /it was blocked 3 times for the same reason, and no tool was used in between\. .*same$/);
});

test("a tool call between is progress, whether a handler wants it or not", async (t) => {
  for (const events of [["Stop"], ["Stop", "PreToolUse"]]) {
    const { rt, answer, calls } = rig(t, { config: { events }, host: { sees_tools: true } });
    const s = rt.session("s");
    assert.equal(rt.wants("PreToolUse"), true);
    answer("Stop", block("same"));
    for (let i = 0; i < 6; i++) {
      assert.equal((await stop(rt, s)).blocked, true);
      await tool(rt, s);
    }
    assert.equal(calls().filter((c) => c.hook_event_name === "PreToolUse").length, events.length === 1 ? 0 : 6);
  }
});

test("a tool call of another session is none of this one's", async (t) => {
  const { rt, answer } = rig(t, { host: { sees_tools: true } });
  const s = rt.session("s");
  answer("Stop", block("same"));
  for (let i = 0; i < 3; i++) {
    await tool(rt, rt.session("other"));
    assert.equal((await stop(rt, s)).blocked, true);
  }
  assert.equal((await stop(rt, s)).blocked, false);
});

test("another reason is progress too", async (t) => {
  const { rt, answer } = rig(t, { host: { sees_tools: true } });
  const s = rt.session("s");
  for (let i = 0; i < 7; i++) {
    answer("Stop", block(i % 4 < 3 ? "one" : "two"));
    assert.equal((await stop(rt, s)).blocked, true);
  }
});

test("where tool calls cannot be seen, none were missed", async (t) => {
  const { rt, answer } = rig(t);
  const s = rt.session("s");
  answer("Stop", block("same"));
  for (let i = 0; i < 6; i++) assert.equal((await stop(rt, s)).blocked, true);
});

test("our own continuation that comes back as a prompt is none: not dispatched, resets nothing", async (t) => {
  const { rt, answer, calls } = rig(t, { config: { max_continuations: 2 } });
  const s = rt.session("s");
  answer("Stop", block("tests are red:\n  fix them"));
  const verdicts = [];
  for (let i = 0; i < 3; i++) {
    verdicts.push((await stop(rt, s)).blocked);
    await prompt(rt, s, "<system-reminder>\n\ttests are red: fix them\n</system-reminder>");
  }
  assert.deepEqual(verdicts, [true, true, false]);
  assert.deepEqual(bits(calls()), [false, true, true]);
  assert.equal(calls().filter((c) => c.hook_event_name === "UserPromptSubmit").length, 1); // the one after the cap: it was not ours
});

test("an echo may come twice, and behind a prompt of the user's", async (t) => {
  const { rt, answer, calls } = rig(t);
  const s = rt.session("s");
  answer("Stop", block("tests are red"));
  await stop(rt, s);
  for (const text of ["tests are red", "tests are red", "and hurry", "tests are red"]) await prompt(rt, s, text);
  assert.deepEqual(calls().filter((c) => c.prompt).map((c) => c.prompt), ["and hurry"]);
});

test("a short reason in a prompt of the user's is the user's", async (t) => {
  const { rt, answer, calls } = rig(t);
  const s = rt.session("s");
  answer("Stop", block("no"));
  for (const text of ["I know", "no, stop", "<b></b>"]) {
    await stop(rt, s);
    await prompt(rt, s, text);
  }
  assert.deepEqual(calls().filter((c) => c.prompt).map((c) => c.prompt), ["I know", "no, stop", "<b></b>"]);
  assert.deepEqual(bits(calls()), [false, false, false]);
});

const echoes = JSON.parse(fs.readFileSync(new URL("testdata/echoes.json", import.meta.url), "utf8"));

test("the shared vectors of what is our own continuation", () => {
  assert.ok(echoes.length > 35);
  for (const { name, reason, prompt, echo } of echoes) assert.equal(carries(prompt, reason), echo, name);
});

test("a prompt of the user's that holds a long reason is dispatched, and ends the loop", async (t) => {
  const { rt, answer, calls } = rig(t);
  const s = rt.session("s");
  answer("Stop", block("run the tests before you stop"));
  await stop(rt, s);
  await prompt(rt, s, "run the tests before you stop: what does that mean?");
  await stop(rt, s);
  assert.deepEqual(bits(calls()), [false, false]);
  assert.equal(calls().filter((c) => c.prompt).length, 1);
});

test("after the next stop the reason is a text like any other, and in other sessions it always is", async (t) => {
  const { rt, answer, calls } = rig(t);
  const s = rt.session("s");
  answer("Stop", block("tests are red"));
  await stop(rt, s);
  await prompt(rt, rt.session("other"), "tests are red");
  answer("Stop", "");
  await stop(rt, s);
  await prompt(rt, s, "tests are red");
  assert.equal(calls().filter((c) => c.prompt === "tests are red").length, 2);
});

test("prompts are seen though no handler wants them", async (t) => {
  const { rt, answer, calls } = rig(t, { config: { events: ["SubagentStop"] } });
  const s = rt.session("s", "root");
  assert.equal(rt.wants("UserPromptSubmit"), true);
  const subStop = () => rt.event("SubagentStop", s, () => ({}));
  answer("SubagentStop", block("tests are red"));
  await subStop();
  await prompt(rt, s, "tests are red");
  await subStop();
  await prompt(rt, s, "something else");
  await subStop();
  assert.deepEqual(bits(calls()), [false, true, false]);
  assert.equal(calls().length, 3);
});

test("overlapping stops of a session are answered one after the other", async (t) => {
  const { rt, dir, answer, calls } = rig(t);
  const s = rt.session("s");
  answer("Stop", `until [ -f '${dir}/go' ]; do sleep 0.01; done; ${block("slow")}`);
  const both = [stop(rt, s, { last_assistant_message: "first" }), stop(rt, s, { last_assistant_message: "second" })];
  await until("the first is asked", () => calls().length === 1);
  fs.writeFileSync(path.join(dir, "go"), "");
  assert.deepEqual((await Promise.all(both)).map((v) => v.blocked), [true, true]);
  const mine = calls().filter((c) => c.session_id === "s");
  assert.deepEqual(mine.map((c) => [c.last_assistant_message, c.stop_hook_active]), [["first", false], ["second", true]]);
});

test("a stop whose dispatch fails lets the next one begin anew", async (t) => {
  const { rt, answer, calls } = rig(t);
  const s = rt.session("s");
  answer("Stop", block("no"));
  await stop(rt, s);
  answer("Stop", "exit 3");
  assert.equal((await stop(rt, s)).blocked, false);
  answer("Stop", "");
  await stop(rt, s);
  assert.deepEqual(bits(calls()), [false, true, false]);
});

test("a stop that fails closed ends after the cap as well", async (t) => {
  const { rt } = rig(t, { config: { dispatcher: ["/nonexistent/x"], fail_closed: ["Stop"], max_continuations: 2 } });
  const s = rt.session("s");
  const verdicts = [];
  for (let i = 0; i < 4; i++) verdicts.push((await stop(rt, s)).blocked);
  assert.deepEqual(verdicts, [true, true, false, false]);
});

test("the synchronous form goes by the same rules", async (t) => {
  const { rt, answer, calls } = rig(t, { config: { max_continuations: 2 } });
  const s = rt.session("s");
  answer("Stop", block("no"));
  const verdicts = [];
  for (let i = 0; i < 3; i++) {
    verdicts.push(rt.eventSync("Stop", s, () => ({})).blocked);
    rt.eventSync("UserPromptSubmit", s, () => ({ prompt: "<reminder>no</reminder>" }));
  }
  assert.deepEqual(verdicts, [true, true, false]);
  assert.deepEqual(bits(calls()), [false, true, true]);
});
