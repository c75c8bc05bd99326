import assert from "node:assert/strict";
import test from "node:test";
import { payloadOf } from "./payload.mjs";

const place = { session_id: "s", transcript_path: "/t", cwd: "/w", agent_id: "sub" };
const text = (event, fields, where = place) => JSON.stringify(payloadOf(event, where, fields, {}, () => []));

test("keys stand in the order of the contract, the tool's response last", () => {
  const fields = { tool: { name: "x", use_id: "u", input: { a: 1 }, response: "r" }, duration_ms: 3, permission_mode: "plan" };
  assert.equal(
    text("PostToolUse", fields),
    '{"session_id":"s","transcript_path":"/t","cwd":"/w","permission_mode":"plan","hook_event_name":"PostToolUse","agent_id":"sub",' +
      '"duration_ms":3,"tool_name":"x","tool_use_id":"u","tool_input":{"a":1},"tool_response":"r"}',
  );
});

test("what is unknown is absent", () => {
  const where = { session_id: "s", cwd: "/w" };
  assert.equal(text("SessionStart", { source: undefined }, where), '{"session_id":"s","cwd":"/w","hook_event_name":"SessionStart"}');
  assert.equal(
    text("PreToolUse", { tool: { name: "x", input: "none" } }, where),
    '{"session_id":"s","cwd":"/w","hook_event_name":"PreToolUse","tool_name":"x","tool_input":{}}',
  );
});

test("agent_id comes before anything that a tool is told", () => {
  const json = text("PreToolUse", { tool: { name: "x", input: { content: '"agent_id":"fake"' } } });
  assert.ok(json.indexOf('"agent_id":"sub"') < json.indexOf('"tool_input"'));
});

test("a descriptor's fields cannot change whose event it is", () => {
  const p = payloadOf("PreToolUse", place, { session_id: "other", hook_event_name: "Stop", cwd: "/there", agent_id: "named" }, {}, () => []);
  assert.equal(p.session_id, "s");
  assert.equal(p.hook_event_name, "PreToolUse");
  assert.equal(p.cwd, "/there");
  assert.equal(p.agent_id, "named");
});

test("a stop's bit stands first among its keys", () => {
  const keys = Object.keys(payloadOf("Stop", place, { last_assistant_message: "done" }, {}, () => []));
  assert.deepEqual(keys.slice(-2), ["stop_hook_active", "last_assistant_message"]);
});
