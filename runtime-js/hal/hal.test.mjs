// What the vectors cannot say: that nothing throws, that it looks once, and what rows may have that no built-in one has.
import assert from "node:assert/strict";
import test from "node:test";
import { createHAL, detectProvider, getSessionId, PROVIDERS } from "../../golden/hal/hal.mjs";

const none = { env: {}, ancestors: [], cwd: "/" };
const all = (h) => [
  h.detectProvider(), h.getStartupStrategy(), h.getGUPPStrategy(), h.supportsHooks(), h.supportsNudge(), h.supportsRestart(),
  h.getSessionId(), h.getStallThreshold(), h.getNudgeInterval(), h.getStartupCommands("polecat"), h.explain().by,
];
const unknown = ["unknown", "polling", "polling", false, true, false, null, 300, 120, [], "none"];

test("whatever breaks is no answer, and nothing throws", () => {
  const hostile = new Proxy({}, { get() { throw new Error("no environment"); } });
  const odd = { toString() { throw new Error("no text"); } };
  for (const options of [
    { ...none, env: hostile },
    { ...none, ancestors: () => { throw new Error("no table"); } },
    { ...none, ancestors: () => { throw null; } },
    { ...none, ancestors: "x" },
    { ...none, ancestors: null },
    { ...none, ancestors: [null] },
    { ...none, ancestors: [{ exe: 7, args: "x" }] },
    { ...none, cwd: "/nowhere/at/all" },
    { ...none, cwd: 7 },
  ]) {
    assert.deepEqual(all(createHAL(options)), unknown);
  }
  for (const role of [undefined, null, 7, Symbol("x"), odd, "x; rm -rf ~"]) {
    assert.deepEqual(createHAL({ ...none, runtime: "codex", runtimeVersion: "0.1" }).getStartupCommands(role), ["gt prime"]);
  }
  for (const runtimeVersion of [7, 7n, {}, Symbol("x"), odd]) assert.equal(typeof createHAL({ ...none, runtimeVersion }).getStallThreshold(), "number");
  for (const runtime of [7, {}, odd, Symbol("x")]) assert.equal(createHAL({ ...none, runtime }).detectProvider(), "unknown");
});

test("it looks once", () => {
  let looked = 0;
  const h = createHAL({ ...none, ancestors: () => { looked++; return [{ exe: "/bin/codex" }]; } });
  assert.equal(looked, 0);
  for (let i = 0; i < 3; i++) assert.equal(h.detectProvider(), "codex");
  h.explain().provider = "changed";
  assert.equal(h.explain().provider, "codex");
  assert.equal(looked, 1);
});

test("markers of all forms, and commands with a role in them", () => {
  const rows = [{
    id: "pony", name: "Pony", markers: [{ key: "PONY", notIn: ["0"] }, { key: "PONY_HOME", match: "^/" }], sessionEnv: [], processes: [], files: [],
    ranges: [{ hooks: "none", startup: "startup_fallback", gupp: "polling", stall: 1, nudge: 1, nudgeSupport: "none", commands: [{ line: "pony --as {role}" }, { line: "pony alone", autonomous: true }] }],
  }, { id: "unknown", name: "Unknown", markers: [], sessionEnv: [], processes: [], files: [], ranges: [{ hooks: "none", startup: "polling", gupp: "polling", stall: 300, nudge: 120, nudgeSupport: "filesystem" }] }];
  for (const [env, want] of [[{ PONY: "1" }, "pony"], [{ PONY: "0" }, "unknown"], [{ PONY_HOME: "/x" }, "pony"], [{ PONY_HOME: "x" }, "unknown"]]) {
    assert.equal(createHAL({ ...none, rows, env }).detectProvider(), want);
  }
  const pony = createHAL({ ...none, rows, env: { PONY: "1" } });
  assert.deepEqual(pony.getStartupCommands("crew"), ["pony --as crew"]);
  assert.deepEqual(pony.getStartupCommands("boot"), ["pony --as boot", "pony alone"]);
  assert.deepEqual(pony.getStartupCommands("a$&b"), []);
  assert.equal(pony.supportsNudge(), false);
});

test("the module asks about its own process", () => {
  assert.ok(PROVIDERS.includes(detectProvider()));
  assert.ok(getSessionId() === null || getSessionId().length > 0);
});
