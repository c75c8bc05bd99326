import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import fs from "node:fs";
import net from "node:net";
import path from "node:path";
import test from "node:test";
import { rig, tempDir, until } from "./testdata/kit.mjs";
import { closed, connect, HUB, reachable, reply, send, settled, stale } from "./testdata/peer.mjs";

test("the socket is the user's alone, and so is a folder that is made for it", async (t) => {
  const { place } = await reachable(t, { place: path.join(tempDir(t), "new", "folder", "c") });
  assert.equal(fs.statSync(place).mode & 0o777, 0o600);
  assert.equal(fs.statSync(path.dirname(place)).mode & 0o777, 0o700);
  assert.deepEqual(fs.readdirSync(path.dirname(place)), ["c"]);
});

test("the variables are read, trimmed and deleted; ours goes first", async (t) => {
  const dir = tempDir(t);
  process.env.CLAUDE_BG_RENDEZVOUS_SOCK = path.join(dir, "theirs");
  await reachable(t, { place: `  ${path.join(dir, "ours")}\n`, bound: false });
  await until("ours is bound", () => fs.existsSync(path.join(dir, "ours")));
  assert.equal(fs.existsSync(path.join(dir, "theirs")), false);
  assert.equal("LORIMER_RENDEZVOUS" in process.env, false);
  assert.equal("CLAUDE_BG_RENDEZVOUS_SOCK" in process.env, false);
});

test("the other variable does as well when ours is blank", async (t) => {
  process.env.LORIMER_RENDEZVOUS = "  ";
  await reachable(t, { variable: "CLAUDE_BG_RENDEZVOUS_SOCK" });
});

test("without a variable there is no server", async (t) => {
  const it = await reachable(t, { place: " ", bound: false });
  assert.equal(globalThis[HUB].close, undefined);
  assert.deepEqual(it.lines, []);
});

test("sub-agents never bind, and leave the variables alone", async (t) => {
  delete globalThis[HUB];
  const { rt } = rig(t);
  process.env.LORIMER_RENDEZVOUS = path.join(tempDir(t), "c");
  rt.open(rt.session("sub", "main"));
  assert.equal(globalThis[HUB], undefined);
  assert.equal("LORIMER_RENDEZVOUS" in process.env, true);
  delete process.env.LORIMER_RENDEZVOUS;
});

test("close removes the socket and ends connections, a sub-agent's close does not; a later open binds again", async (t) => {
  const it = await reachable(t);
  it.rt.close(it.rt.session("child", "main"));
  assert.ok(fs.existsSync(it.place));
  const connection = await send(t, it.place);
  it.rt.close(it.main);
  assert.equal(fs.existsSync(it.place), false);
  await closed(connection);
  it.rt.open(it.main);
  await until("it is bound again", () => fs.existsSync(it.place));
  assert.deepEqual(await settled(t, it), []);
});

test("close at once after open leaves nothing behind", async (t) => {
  const it = await reachable(t, { bound: false });
  it.rt.close();
  it.rt.open(it.main);
  it.rt.close();
  it.rt.open(it.main);
  await until("it is bound", () => fs.existsSync(it.place));
  await settled(t, it);
  assert.deepEqual([it.lines, fs.readdirSync(path.dirname(it.place))], [[], ["c"]]);
});

test("close while it is still probing binds nothing and says nothing", async (t) => {
  const place = path.join(tempDir(t), "c");
  await stale(place);
  const { ino } = fs.lstatSync(place);
  const served = path.join(tempDir(t), "c");
  const server = net.createServer().listen(served);
  t.after(() => server.close());
  await once(server, "listening");
  for (const taken of [place, served]) {
    const it = await reachable(t, { place: taken, bound: false });
    it.rt.close();
    await new Promise((resolve) => setTimeout(resolve, 100));
    assert.deepEqual(it.lines, []);
  }
  assert.equal(fs.lstatSync(place).ino, ino);
});

test("a fault of the server later on does not reach the host", async (t) => {
  const servers = [];
  const { createServer } = net;
  t.mock.method(net, "createServer", (...args) => (servers.push(createServer(...args)), servers.at(-1)));
  await reachable(t);
  servers[0].emit("error", new Error("EMFILE"));
});

test("a socket that appears while ours is made is left alone", async (t) => {
  const place = path.join(tempDir(t), "c");
  const { chmodSync } = fs;
  t.mock.method(fs, "chmodSync", (...args) => {
    chmodSync(...args);
    fs.writeFileSync(place, "somebody's");
  });
  const it = await reachable(t, { place });
  await until("it is said", () => it.lines.length === 1);
  assert.match(it.lines[0], /another process has taken the path/);
  assert.deepEqual([fs.readFileSync(place, "utf8"), fs.readdirSync(path.dirname(place))], ["somebody's", ["c"]]);
});

test("two shims of a process share the socket", async (t) => {
  const it = await reachable(t);
  const other = rig(t, { host: { inject: (s, text) => void it.got.push([s.id, text]) } });
  other.rt.open(other.rt.session("elsewhere"));
  await send(t, it.place, reply("1", { session_id: "main" }), reply("2", { session_id: "elsewhere" }), reply("3"));
  await until("all arrive", () => it.got.length === 3);
  assert.deepEqual(it.got, [["main", "1"], ["elsewhere", "2"], ["elsewhere", "3"]]);
  other.rt.close();
  await send(t, it.place, reply("4"));
  await until("the first goes on", () => it.got.length === 4);
  it.rt.close();
  assert.equal(fs.existsSync(it.place), false);
  assert.deepEqual([...it.lines, ...other.lines], []);
});

test("a stale socket is replaced", async (t) => {
  const place = path.join(tempDir(t), "c");
  await stale(place);
  const it = await reachable(t, { place, bound: false });
  await until("it answers", async () => {
    const connection = net.connect(place);
    const [answer] = await Promise.race([once(connection, "connect").then(() => ["ok"]), once(connection, "error")]).catch((e) => [e]);
    connection.destroy();
    return answer === "ok";
  });
  assert.deepEqual(it.lines, []);
});

test("a scratch name that a crash left behind does not matter", async (t) => {
  const dir = tempDir(t);
  await stale(path.join(dir, "~"));
  await reachable(t, { place: path.join(dir, "c") });
  assert.deepEqual(fs.readdirSync(dir), ["c"]);
});

test("a socket that somebody serves is left alone, aloud", async (t) => {
  const place = path.join(tempDir(t), "c");
  const server = net.createServer();
  t.after(() => server.close());
  server.listen(place);
  await once(server, "listening");
  const it = await reachable(t, { place });
  await until("it is said", () => it.lines.length === 1);
  assert.match(it.lines[0], /no rendezvous at .*: another process listens there. The session goes on without it/);
  it.rt.close();
  assert.ok(fs.existsSync(place));
});

test("a socket of which it is not certain that nobody serves it is left alone", async (t) => {
  const place = path.join(tempDir(t), "c");
  const script = `require("net").createServer().listen({ path: process.argv[1], backlog: 1 }, () => console.log("up"))`;
  const frozen = spawn(process.execPath, ["-e", script, place]);
  t.after(() => frozen.kill("SIGKILL"));
  await once(frozen.stdout, "data");
  frozen.kill("SIGSTOP");
  for (let full = false; !full; ) {
    const connection = connect(t, place);
    full = await Promise.race([once(connection, "connect").then(() => false), once(connection, "error").then(() => true)]).catch(() => true);
  }
  const it = await reachable(t, { place });
  await until("it is said", () => it.lines.length === 1);
  assert.match(it.lines[0], /not certain that nobody listens/);
  assert.ok(fs.existsSync(place));
});

test("a file that is no socket is left alone", async (t) => {
  const place = path.join(tempDir(t), "c");
  fs.writeFileSync(place, "precious");
  const it = await reachable(t, { place });
  await until("it is said", () => it.lines.length === 1);
  assert.match(it.lines[0], /is no socket/);
  assert.equal(fs.readFileSync(place, "utf8"), "precious");
});

test("close leaves a socket that is no longer its own", async (t) => {
  const it = await reachable(t);
  fs.unlinkSync(it.place);
  await stale(it.place);
  it.rt.close();
  assert.ok(fs.existsSync(it.place));
});

test("a path of 104 bytes or more is refused with its length", async (t) => {
  const dir = tempDir(t);
  const longest = path.join(dir, "x".repeat(103 - dir.length - 1));
  const fits = await reachable(t, { place: longest });
  fits.rt.close();
  const it = await reachable(t, { place: `${longest}y`, bound: false });
  await until("it is said", () => it.lines.length === 1);
  assert.match(it.lines[0], /the path has 104 bytes and must have less than 104/);
});

test("a folder that others can enter is refused", async (t) => {
  for (const mode of [0o701, 0o710, 0o755]) {
    const dir = tempDir(t);
    fs.chmodSync(dir, mode);
    const it = await reachable(t, { place: path.join(dir, "c"), bound: false });
    await until("it is said", () => it.lines.length === 1);
    assert.match(it.lines[0], /open to others; run chmod 700/);
    assert.deepEqual(fs.readdirSync(dir), it.lines.length ? [] : ["?"]);
  }
});

test("a folder of another user's is refused", async (t) => {
  t.mock.method(process, "getuid", () => 4242);
  const it = await reachable(t, { bound: false });
  await until("it is said", () => it.lines.length === 1);
  assert.match(it.lines[0], /belongs to another user/);
});

test("a folder that cannot be made is said, not thrown", async (t) => {
  const file = path.join(tempDir(t), "file");
  fs.writeFileSync(file, "");
  const it = await reachable(t, { place: path.join(file, "c"), bound: false });
  await until("it is said", () => it.lines.length === 1);
});

test("on Windows the place is a named pipe and nothing else", async (t) => {
  const { platform } = process;
  const cwd = process.cwd();
  t.after(() => {
    Object.defineProperty(process, "platform", { value: platform });
    process.chdir(cwd);
  });
  process.chdir(tempDir(t)); // elsewhere the pipe's name is a file's
  Object.defineProperty(process, "platform", { value: "win32" });
  const refused = await reachable(t, { place: "C:\\Users\\x\\c", bound: false });
  await until("it is said", () => refused.lines.length === 1);
  assert.match(refused.lines[0], /has to be a pipe/);
  refused.rt.close();
  const it = await reachable(t, { place: "\\\\.\\pipe\\lorimer-1" });
  await send(t, it.place, reply("through the pipe"));
  await until("it arrives", () => it.got.length === 1);
  it.rt.close();
});
