// The two levels: a shim of the project's, the user's own, and both in one process.
import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import fs from "node:fs";
import path from "node:path";
import { test } from "node:test";
import { block, rig, tempDir } from "./testdata/kit.mjs";

const sha = (bytes) => createHash("sha256").update(bytes).digest("hex");

// A home with a clone in it whose manifest the user agreed to.
function world(t, manifest = {}) {
  const home = fs.realpathSync(tempDir(t));
  const before = { HOME: process.env.HOME, LORIMER_HOME: process.env.LORIMER_HOME };
  Object.assign(process.env, { HOME: home, LORIMER_HOME: path.join(home, "state") });
  t.after(() => Object.assign(process.env, before));
  const root = path.join(home, "clone");
  fs.mkdirSync(path.join(root, ".lorimer"), { recursive: true });
  fs.mkdirSync(path.join(root, "deep"));
  fs.mkdirSync(path.join(home, "state", "trusted"), { recursive: true });
  const bytes = JSON.stringify({ protocol: 1, harnesses: ["testhost"], max_continuations: 8, events: {}, ...manifest });
  const file = path.join(root, ".lorimer", "manifest.json");
  fs.writeFileSync(file, bytes);
  fs.writeFileSync(path.join(home, "state", "trusted", sha(root).slice(0, 32) + ".json"), JSON.stringify({ root, manifest: sha(bytes) }));
  return { home, root, file };
}

// Two shims of one host in one process, as a host loads them: the user's own, and the project's with the clone's name.
function both(t, { root }, cwd = root) {
  const users = rig(t, { config: { user: true }, host: { cwd: () => cwd } });
  const project = rig(t, { host: { cwd: () => cwd } });
  return { users, project: rig(t, { config: { dispatcher: ["/bin/sh", path.join(import.meta.dirname, "testdata/dispatcher.sh"), project.dir, "--root", root] }, host: { cwd: () => cwd } }), dir: project.dir };
}

const callsIn = (dir) => (fs.existsSync(path.join(dir, "calls")) ? fs.readFileSync(path.join(dir, "calls"), "utf8").trim().split("\n").length : 0);

test("the user's own shim serves the clone that a session began in, and nothing where there is none", async (t) => {
  const w = world(t);
  for (const [cwd, times] of [[w.root, 1], [path.join(w.root, "deep"), 1], [w.home, 0], [path.join(w.home, "gone"), 0], ["/", 0]]) {
    const r = rig(t, { config: { user: true }, host: { cwd: () => cwd } });
    await r.rt.event("Notification", r.rt.session("s"), () => ({ message: "m" }));
    assert.equal(r.calls().length, times, cwd);
    assert.deepEqual(r.lines, []);
  }
});

test("in a session with a home of its own clones lie below the user's", async (t) => {
  const w = world(t);
  const { LORIMER_USER_HOME } = process.env;
  t.after(() => (LORIMER_USER_HOME === undefined ? delete process.env.LORIMER_USER_HOME : (process.env.LORIMER_USER_HOME = LORIMER_USER_HOME)));
  process.env.HOME = fs.realpathSync(tempDir(t));
  for (const [home, times] of [["", 0], [w.home, 1], ["/nonexistent", 0]]) {
    process.env.LORIMER_USER_HOME = home;
    const r = rig(t, { config: { user: true }, host: { cwd: () => w.root } });
    await r.rt.event("Notification", r.rt.session("s"), () => ({ message: "m" }));
    assert.equal(r.calls().length, times, home);
  }
});

test("an agent that goes elsewhere takes its clone along", async (t) => {
  const w = world(t);
  let cwd = w.root;
  const r = rig(t, { config: { user: true }, host: { cwd: () => cwd } });
  await r.rt.event("Notification", r.rt.session("s"), () => ({ message: "m" }));
  cwd = "/";
  await r.rt.event("Notification", r.rt.session("s"), () => ({ message: "m" }));
  await r.rt.event("Notification", r.rt.session("other"), () => ({ message: "m" }));
  assert.deepEqual(r.calls().map((c) => c.payload?.cwd ?? c.cwd), [w.root, "/"]);
});

test("what must hold in the clone holds when the dispatcher is gone, and nowhere else", async (t) => {
  const strict = { events: { PreToolUse: [{ name: "g", block: true, on_error: "block" }] } };
  for (const [what, manifest, change, blocked] of [
    ["strict", strict, () => {}, true],
    ["lax", { events: { PreToolUse: [{ name: "g", block: true, on_error: "allow" }] } }, () => {}, false],
    ["for another harness", { events: { PreToolUse: [{ name: "g", block: true, on_error: "block", harnesses: ["x"] }] } }, () => {}, false],
    ["of an observer", { events: { PreToolUse: [{ name: "g", block: false, on_error: "block" }] } }, () => {}, false],
    ["not what was agreed to", strict, (w) => fs.appendFileSync(w.file, " "), false],
  ]) {
    const w = world(t, manifest);
    change(w);
    const r = rig(t, { config: { user: true, dispatcher: ["/nonexistent/lorimer-dispatch", "--user"] }, host: { cwd: () => w.root } });
    const verdict = await r.rt.event("PreToolUse", r.rt.session("s"), () => ({ tool: { name: "Bash", input: {}, use_id: "1" } }));
    assert.equal(verdict.blocked, blocked, what);
    assert.equal(r.lines.length, 1, what);
    const elsewhere = await r.rt.event("PreToolUse", r.rt.session("s2"), () => ({ tool: { name: "Bash", input: {}, use_id: "2" } }));
    assert.equal(elsewhere.blocked, blocked);
  }
});

test("a manifest that was agreed to and is gone is the dispatcher's to judge", async (t) => {
  const w = world(t);
  fs.rmSync(path.join(w.root, ".lorimer"), { recursive: true });
  const r = rig(t, { config: { user: true }, host: { cwd: () => path.join(w.root, "deep") } });
  await r.rt.event("Notification", r.rt.session("s"), () => ({ message: "m" }));
  assert.equal(r.calls().length, 1);
});

test("the clone's own cap ends a loop", async (t) => {
  const w = world(t, { max_continuations: 2 });
  const r = rig(t, { config: { user: true }, host: { cwd: () => w.root } });
  r.answer("Stop", `n=$(cat "$1/n" 2>/dev/null || echo 0); echo $((n + 1)) >"$1/n"; echo "no $n" >&2; exit 2`);
  const verdicts = [];
  for (let i = 0; i < 3; i++) verdicts.push((await r.rt.event("Stop", r.rt.session("s"), () => ({}))).blocked);
  assert.deepEqual(verdicts, [true, true, false]);
});

for (const form of ["event", "eventSync"]) {
  test(`two shims of one host ask once, whichever comes first; two equal events stay two (${form})`, async (t) => {
    const w = world(t);
    const { users, project, dir } = both(t, w);
    for (let round = 1; round <= 3; round++) {
      for (const { rt } of round === 2 ? [project, users] : [users, project]) await rt[form]("Notification", rt.session("s"), () => ({ message: "m" }));
      assert.equal(users.calls().length + callsIn(dir), round);
    }
  });
}

test("at the same time, too, and the verdict is said once", async (t) => {
  const w = world(t);
  const { users, project, dir } = both(t, w);
  users.answer("PreToolUse", "sleep 0.2; " + block("no"));
  const tool = () => ({ tool: { name: "Bash", input: { command: "x" }, use_id: "1" } });
  const verdicts = await Promise.all([users, project].map(({ rt }) => rt.event("PreToolUse", rt.session("s"), tool)));
  assert.deepEqual(verdicts.map((v) => v.blocked), [true, false]);
  assert.equal(users.calls().length + callsIn(dir), 1);
});

test("an input that the first rewrote is the same call to the second", async (t) => {
  const w = world(t);
  const { users, project, dir } = both(t, w);
  const input = { command: "x" };
  const tool = () => ({ tool: { name: "Bash", input, use_id: "1" } });
  await users.rt.event("PreToolUse", users.rt.session("s"), tool);
  input.command = "y";
  await project.rt.event("PreToolUse", project.rt.session("s"), tool);
  assert.equal(users.calls().length + callsIn(dir), 1);
});

test("what the first cannot ask, the second does", async (t) => {
  const w = world(t);
  const { project, dir } = both(t, w);
  const broken = rig(t, { config: { user: true, dispatcher: ["/nonexistent/lorimer-dispatch", "--user"] }, host: { cwd: () => w.root } });
  for (const form of ["event", "eventSync"]) {
    for (const { rt } of [broken, project]) await rt[form]("Notification", rt.session("s"), () => ({ message: form }));
  }
  assert.equal(callsIn(dir), 2);
});

test("two clones, one inside the other, are two policies, and both hold", async (t) => {
  const w = world(t);
  const outer = both(t, { root: w.home }, w.root);
  for (const { rt } of [outer.users, outer.project]) await rt.event("Notification", rt.session("s"), () => ({ message: "m" }));
  assert.equal(outer.users.calls().length, 1);
  assert.equal(callsIn(outer.dir), 1);
});

test("a blocked stop loops through one shim, whose bit the other does not see", async (t) => {
  const w = world(t);
  const { users, project, dir } = both(t, w);
  users.answer("Stop", block("again"));
  for (let i = 0; i < 3; i++) {
    for (const { rt } of [users, project]) await rt.event("Stop", rt.session("s"), () => ({ last_assistant_message: "m" }));
  }
  assert.deepEqual(users.calls().map((c) => (c.payload ?? c).stop_hook_active), [false, true, true]);
  assert.equal(callsIn(dir), 0);
});

test("a committed shim does nothing where there is no lorimer or no manifest, blocks what must not pass, and serves its checkout", async (t) => {
  const w = world(t);
  const bin = path.join(w.home, "state", "bin");
  const dispatcher = path.join(bin, "lorimer-dispatch");
  const heard = path.join(w.home, "heard");
  const strict = { portable: w.root, dispatcher: ["lorimer-dispatch"], fail_closed: ["PreToolUse"] };
  const ask = async (config, event = "PreToolUse") => {
    const r = rig(t, { config: { ...strict, ...config }, host: { cwd: () => "/" } });
    const verdict = await r.rt.event(event, r.rt.session("s"), () => ({ tool: { name: "Bash", input: {}, use_id: `${Math.random()}` } }));
    return { ...verdict, lines: r.lines };
  };
  const before = process.env.PATH;
  process.env.PATH = path.join(w.home, "empty");
  t.after(() => (process.env.PATH = before));

  assert.deepEqual(await ask({ fail_closed: [] }), { blocked: false, reason: "", context: "", lines: [] });
  const missing = await ask({});
  assert.ok(missing.blocked && missing.reason.includes("lorimer is not installed here"), missing.reason);

  fs.mkdirSync(bin, { recursive: true });
  fs.writeFileSync(dispatcher, `#!/bin/sh\necho "$*" >>'${heard}'\n`, { mode: 0o755 });
  assert.deepEqual(await ask({}), { blocked: false, reason: "", context: "", lines: [] });
  assert.equal(fs.readFileSync(heard, "utf8"), `--root ${w.root} testhost PreToolUse\n`);

  fs.rmSync(w.file);
  assert.deepEqual(await ask({ fail_closed: [] }), { blocked: false, reason: "", context: "", lines: [] });
  const bare = await ask({});
  assert.ok(bare.blocked && bare.reason.includes("were never set up (lorimer init)"), bare.reason);
});
