import assert from "node:assert/strict";
import fs from "node:fs";
import test from "node:test";
import { readVerdict } from "./verdict.mjs";

const vectors = JSON.parse(fs.readFileSync(new URL("testdata/verdicts.json", import.meta.url), "utf8"));

test("every vector gives its verdict", async (t) => {
  assert.ok(vectors.length >= 60, `only ${vectors.length} vectors`);
  for (const { name, fallback, want, ...answer } of vectors) {
    await t.test(name, () => {
      const { blocked, reason } = readVerdict(answer, fallback);
      assert.deepEqual({ blocked, reason }, want);
    });
  }
});

test("what the dispatcher answers is read as it was meant", async (t) => {
  const answers = JSON.parse(fs.readFileSync(new URL("testdata/answers.json", import.meta.url), "utf8"));
  assert.ok(answers.length >= 8, `only ${answers.length} answers`);
  for (const { name, reply, want } of answers) {
    await t.test(name, () => assert.deepEqual(readVerdict({ code: reply.exit, out: reply.stdout, err: reply.stderr }, "fallback"), want));
  }
});

const context = (out, code = 0) => readVerdict({ code, out, err: "" }, "fallback").context;
const carrying = (text) => JSON.stringify({ hookSpecificOutput: { hookEventName: "X", additionalContext: text } });

test("context is what hookSpecificOutput says", () => {
  assert.equal(context(carrying("read this") + "\n"), "read this");
});

test("contexts of several objects are joined by a newline, in lines of their own or glued", () => {
  assert.equal(context(carrying("one") + "\nnoise {\n" + carrying("two") + "\n"), "one\ntwo");
  assert.equal(context("noise { " + carrying("one") + carrying("two")), "one\ntwo");
});

test("a context of any length arrives", () => {
  const long = "ü".repeat(2 << 20);
  assert.equal(context(carrying(long) + "\n"), long);
});

test("there is no context on a block, on a fault, in plain text or of another kind", () => {
  assert.equal(context(carrying("x"), 2), "");
  assert.equal(context(carrying("x"), 1), "");
  assert.equal(context("plain text\n"), "");
  assert.equal(context(JSON.stringify({ additionalContext: "top level" })), "");
  assert.equal(context(JSON.stringify({ hookSpecificOutput: { additionalContext: 42 } })), "");
  assert.equal(context(JSON.stringify({ hookSpecificOutput: null })), "");
});

test("half a surrogate pair in a context becomes U+FFFD", () => {
  assert.equal(context('{"hookSpecificOutput":{"additionalContext":"a\\ud800"}}'), "a\ufffd");
});

test("hostile output does not keep the host busy", () => {
  const hostile = ['{"a":'.repeat(400_000), '{"'.repeat(800_000), "{ ".repeat(800_000), '{"a":"' + "\\".repeat(2_000_001), '{"a":1,'.repeat(300_000)];
  for (const out of hostile) {
    const before = process.cpuUsage().user;
    assert.equal(readVerdict({ code: 2, out, err: "stderr" }, "").reason, "stderr");
    const ms = (process.cpuUsage().user - before) / 1000;
    assert.ok(ms < 2000, `${JSON.stringify(out.slice(0, 10))}... took ${ms} ms`);
  }
});

test("a long reason with raw line breaks is read", () => {
  const long = 'line \\"one\\" \n'.repeat(70_000);
  assert.equal(readVerdict({ code: 2, out: `{"decision":"block","reason":"${long}"}`, err: "" }, "").reason, long.replaceAll("\\", ""));
});

test("a verdict behind more noise than is scanned is still found as a line of its own", () => {
  const out = "{noise ".repeat(500_000) + '\n{"decision":"block","reason":"far away"}\n';
  assert.equal(readVerdict({ code: 2, out, err: "" }, "").reason, "far away");
});
