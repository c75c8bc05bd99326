import assert from "node:assert/strict";
import fs from "node:fs";
import path from "node:path";
import test from "node:test";
import { createShim } from "./shim.mjs";
import { rig, tempDir, until } from "./testdata/kit.mjs";

const config = { protocol: 1, harness: "testhost", dispatcher: ["lorimer-dispatch"], events: [], fail_closed: [], max_continuations: 8 };
const boom = () => { throw new Error("boom"); };

test("the glue finds what it calls", (t) => {
  const { rt } = rig(t);
  const names = ["after", "close", "each", "enter", "event", "eventSync", "facts", "hold", "holds", "main", "once", "open", "quiet", "report", "roots", "session", "take", "wants"];
  assert.deepEqual(Object.keys(rt).sort(), names);
});

test("a session is found again, keeps the descriptor's facts, and stays a sub-agent", (t) => {
  const { rt } = rig(t);
  const s = rt.session("a");
  s.ctx = { fact: 1 };
  assert.equal(rt.session("a"), s);
  assert.equal(rt.session("a").ctx.fact, 1);
  const child = rt.session("b", "a");
  assert.equal(rt.session("b").parent, "a");
  assert.equal(rt.session("b", "").parent, "a");
  assert.equal(child.parent, "a");
  assert.equal(rt.session("c", "c").parent, undefined); // nobody is its own parent
});

test("what the descriptor keeps in a session cannot disturb the runtime", async (t) => {
  const { rt, calls } = rig(t);
  const s = Object.assign(rt.session("s"), { held: null, done: 7, running: "x", turn: boom, active: true, count: 99, echo: "go" });
  assert.equal(rt.once(s, "k"), true);
  rt.hold("slot", s, "text");
  await rt.event("UserPromptSubmit", s, () => ({ prompt: "go" }));
  await rt.event("Stop", s, () => ({}));
  assert.equal(calls()[1].stop_hook_active, false);
});

test("main is the newest session that is no sub-agent", (t) => {
  const { rt } = rig(t);
  assert.equal(rt.main, undefined);
  const a = rt.session("a");
  assert.equal(rt.main, a);
  const b = rt.session("b");
  rt.session("c", "b");
  assert.equal(rt.main, b);
  rt.open(a);
  assert.equal(rt.main, a);
  rt.session("a", "b"); // it turns out to be a sub-agent
  assert.equal(rt.main, b);
});

test("a host's end is every main session's, one fault costs no other, and a list that cannot be read none at all", async (t) => {
  const { rt } = rig(t);
  for (const [id, parent] of [["a"], ["b", "a"], ["c"], ["d"]]) rt.session(id, parent);
  const ended = [];
  await rt.each(() => rt.roots, async ({ id }) => {
    if (id === "a") throw new Error("no");
    await undefined;
    ended.push(id);
  });
  assert.deepEqual(ended, ["c", "d"]);
  for (const find of [() => undefined.roots, () => undefined, () => 7]) await rt.each(find, () => assert.fail());
});

test("a server that lives for weeks keeps its main sessions, and no more than 4096 in all", (t) => {
  const { rt } = rig(t);
  const main = rt.session("main");
  const first = rt.session("child 0", "main");
  for (let i = 1; i < 6000; i++) rt.session(`child ${i}`, "main");
  assert.equal(rt.session("main"), main);
  assert.equal(rt.main, main);
  assert.notEqual(rt.session("child 0", "main"), first);
  for (let i = 0; i < 6000; i++) rt.session(`root ${i}`);
  assert.equal(rt.main.id, "root 5999");
});

test("a circle of parents ends", async (t) => {
  const { rt, calls } = rig(t);
  rt.session("a", "b");
  await rt.event("PreToolUse", rt.session("b", "a"), () => ({}));
  assert.equal(calls().length, 1);
});

test("once is true once for a key and a session", (t) => {
  const { rt } = rig(t);
  const [a, b] = [rt.session("a"), rt.session("b")];
  assert.deepEqual([rt.once(a, "k"), rt.once(a, "k"), rt.once(a, "l"), rt.once(b, "k")], [true, false, true, true]);
});

test("holds is a condition's truth; one that throws does not hold and is said once", (t) => {
  const { rt, lines } = rig(t);
  assert.deepEqual([rt.holds(() => 1), rt.holds(() => 0), rt.holds(() => undefined), rt.holds(boom), rt.holds(boom)], [true, false, false, false, false]);
  assert.deepEqual(lines, ["lorimer: a condition could not be tested: Error: boom"]);
});

test("quiet gives what the function gives, and swallows what it throws, aloud", async (t) => {
  const { rt, lines } = rig(t);
  let ran = false;
  const done = rt.quiet(() => { ran = true; return 7; });
  assert.equal(ran, true); // before anything is awaited
  assert.equal(await done, 7);
  assert.equal(await rt.quiet(boom), undefined);
  assert.equal(await rt.quiet(async () => boom()), undefined);
  assert.equal(await rt.quiet(() => Promise.reject(null)), undefined);
  assert.equal(await rt.quiet(undefined), undefined);
  assert.equal(lines.length, 3);
});

test("enter gives the session, or a promise of it; a host object gone stale gives one without a name, aloud", async (t) => {
  const { rt, lines, answer, calls } = rig(t, { config: { max_continuations: 1 } });
  const s = rt.session("s");
  assert.equal(rt.enter(() => s), s);
  assert.equal(await rt.enter(async () => s), s);
  assert.equal(rt.enter(() => undefined), undefined);
  const nameless = rt.enter(boom);
  assert.equal(await rt.enter(async () => boom()), nameless);
  assert.deepEqual(lines, ["lorimer: an event of the host belongs to no session: Error: boom"]);
  assert.equal(rt.main, s);
  answer("any", "echo no >&2; exit 2"); // the gates hold, and end
  const verdicts = [];
  for (let i = 0; i < 2; i++) verdicts.push((await rt.event("Stop", rt.enter(boom), () => ({}))).blocked);
  assert.deepEqual(verdicts, [true, false]);
  assert.equal("session_id" in calls()[0], false);
});

test("context is held for a session and a slot, in order, each text once", (t) => {
  const { rt } = rig(t);
  const [a, b] = [rt.session("a"), rt.session("b")];
  for (const text of ["one", "", undefined, "two", "one"]) rt.hold("slot", a, text);
  rt.hold("other", a, "elsewhere");
  for (const key of ["call 1", "call 2", "__proto__"]) rt.hold("slot", a, `of ${key}`, key);
  assert.equal(rt.take("slot", b), "");
  assert.equal(rt.take("slot", a), "one\ntwo");
  assert.equal(rt.take("slot", a), "");
  assert.equal(rt.take("other", a), "elsewhere");
  for (const key of ["__proto__", "call 2", "call 1"]) assert.equal(rt.take("slot", a, key), `of ${key}`);
  assert.equal(rt.take("slot", a, "call 1"), "");
});

test("context that is kept is given every time", (t) => {
  const { rt } = rig(t);
  const s = rt.session("s");
  rt.hold("system", s, "rules");
  assert.deepEqual([1, 2].map(() => rt.take("system", s, undefined, true)), ["rules", "rules"]);
});

test("a loud line is one line, marked, and steers no terminal", (t) => {
  const { rt, lines } = rig(t);
  rt.report("a\nb\r\n\x1b[31mred\x07 \x9b5m\x00");
  rt.report("lorimer: marked already");
  rt.report("x".repeat(5000));
  rt.report(undefined);
  assert.deepEqual(lines.slice(0, 2), ["lorimer: a b [31mred 5m", "lorimer: marked already"]);
  assert.ok(lines[2].length < 1100);
});

test("a line that the host cannot show goes to stderr", async (t) => {
  const errors = [];
  t.mock.method(console, "error", (line) => void errors.push(line));
  for (const report of [undefined, boom, async () => boom()]) createShim(config, { report }).report("seen");
  await until("all three are said", () => errors.length === 3);
  assert.deepEqual(new Set(errors), new Set(["lorimer: seen"]));
});

test("a thing that cannot be printed can be thrown", async (t) => {
  const { rt, lines } = rig(t);
  const unprintable = { toString: boom };
  await rt.quiet(() => { throw unprintable; });
  assert.match(lines[0], /an error that cannot be printed/);
});

test("loud lines are logged where there is a state home, the dispatcher's are not logged again", async (t) => {
  const home = tempDir(t);
  const { LORIMER_HOME } = process.env;
  process.env.LORIMER_HOME = home;
  t.after(() => (process.env.LORIMER_HOME = LORIMER_HOME));
  const { rt } = rig(t);
  rt.report("something");
  rt.report("lorimer: said by the dispatcher");
  const log = fs.readFileSync(path.join(home, "log"), "utf8");
  assert.match(log, /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ testhost shim: something\n$/);
  assert.equal(fs.statSync(path.join(home, "log")).mode & 0o777, 0o600);
});

test("the state home is found as the dispatcher finds it", (t) => {
  const dir = tempDir(t);
  const variables = { ...process.env };
  t.after(() => Object.assign(process.env, variables));
  const homes = { installed: path.join(dir, "installed"), xdg: path.join(dir, "xdg/lorimer"), user: path.join(dir, "home/.local/state/lorimer") };
  for (const home of Object.values(homes)) fs.mkdirSync(home, { recursive: true });
  fs.mkdirSync(path.join(homes.installed, "trusted"));
  const logged = (dispatcher, env) => {
    for (const name of ["LORIMER_HOME", "XDG_STATE_HOME"]) delete process.env[name];
    Object.assign(process.env, { HOME: path.join(dir, "home") }, env);
    createShim({ ...config, dispatcher }, { report() {} }).report("x");
    const found = Object.keys(homes).filter((name) => fs.existsSync(path.join(homes[name], "log")));
    for (const home of Object.values(homes)) fs.rmSync(path.join(home, "log"), { force: true });
    return found.join();
  };
  const installed = [path.join(homes.installed, "bin/lorimer-dispatch")];
  assert.equal(logged(installed, { LORIMER_HOME: homes.xdg }), "xdg");
  assert.equal(logged(installed, { XDG_STATE_HOME: path.join(dir, "xdg") }), "installed");
  assert.equal(logged(["/usr/bin/lorimer-dispatch"], { XDG_STATE_HOME: path.join(dir, "xdg") }), "xdg");
  assert.equal(logged(["lorimer-dispatch"], {}), "user");
  assert.equal(logged(["lorimer-dispatch"], { HOME: path.join(dir, "nobody") }), "");
});
