import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import fs from "node:fs";
import net from "node:net";
import path from "node:path";
import test from "node:test";
import { block, rig, tempDir, until } from "./testdata/kit.mjs";

const HUB = Symbol.for("lorimer.rendezvous.1");
const reply = (text, more = {}) => JSON.stringify({ type: "reply", text, ...more }) + "\n";

/** reachable makes a shim with one root session "main" that waits at place; got is what was injected. */
async function reachable(t, { place = path.join(tempDir(t), "c"), variable = "LORIMER_RENDEZVOUS", host = {}, bound = true } = {}) {
  delete globalThis[HUB];
  const got = [];
  const it = rig(t, { host: { inject: (session, text) => void got.push([session.id, text]), ...host } });
  process.env[variable] = place;
  const main = it.rt.session("main");
  it.rt.open(main);
  if (bound) await until("the socket is bound", () => fs.existsSync(place));
  return { ...it, got, place, main, texts: () => got.map(([, text]) => text) };
}

function connect(t, place) {
  const connection = net.connect(place);
  connection.on("error", () => {});
  t.after(() => connection.destroy());
  return connection;
}

async function send(t, place, ...lines) {
  const connection = connect(t, place);
  await once(connection, "connect");
  for (const line of lines) connection.write(line);
  return connection;
}

/** closed waits for the end of a connection, however it comes. */
function closed(connection) {
  return new Promise((resolve) => (connection.destroyed ? resolve() : connection.on("close", resolve)));
}

/** settled sends one more message and waits for it: whatever came before it has been dealt with then. */
async function settled(t, { place, got }) {
  const mark = `mark ${Math.random()}`;
  await send(t, place, reply(mark));
  await until("the mark arrives", () => got.some(([, text]) => text === mark));
  return got.filter(([, text]) => !text.startsWith("mark")).map(([, text]) => text);
}

test("a message is injected into the session", async (t) => {
  const it = await reachable(t);
  await send(t, it.place, reply("hello", { mid: "m1" }));
  await until("it arrives", () => it.got.length === 1);
  assert.deepEqual(it.got, [["main", "hello"]]);
});

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

test("the server never writes a byte, whatever it hears", async (t) => {
  const it = await reachable(t, { host: { able: () => true } });
  const connection = await send(t, it.place, reply("a", { mid: "1" }), reply("a", { mid: "1" }), "garbage\n", '{"type":"repaint"}\n');
  let heard = 0;
  connection.on("data", (d) => (heard += d.length));
  await settled(t, it);
  connection.end();
  await closed(connection);
  assert.equal(heard, 0);
});

test("a character that comes in parts survives", async (t) => {
  const it = await reachable(t);
  const connection = await send(t, it.place);
  connection.setNoDelay(true);
  for (const byte of Buffer.from(reply("é 失敗 🚫"))) {
    connection.write(Buffer.of(byte));
    await new Promise((resolve) => setImmediate(resolve));
  }
  await until("it arrives", () => it.got.length === 1);
  assert.deepEqual(it.texts(), ["é 失敗 🚫"]);
});

test("several messages in one write, one message in several, and a half one at the end", async (t) => {
  const it = await reachable(t);
  const [head, tail] = [reply("third").slice(0, 9), reply("third").slice(9)];
  const connection = await send(t, it.place, reply("first") + reply("second") + head);
  await until("two arrive", () => it.got.length === 2);
  connection.write(tail + reply("fourth").trim());
  connection.end();
  await closed(connection);
  assert.deepEqual(await settled(t, it), ["first", "second", "third"]);
});

test("every line that is no message is ignored", async (t) => {
  const it = await reachable(t);
  const noise = ["", "not json", "null", "[]", '"reply"', "7", '{"type":"reply"}', '{"type":"reply","text":7}', '{"type":"reply","text":""}',
    '{"type":"other","text":"x"}', '{"text":"x"}', '{"role":"controller","auth":"x"}', '{"type":"repaint"}', '{"type":"reply","text":"cut', "\u0000\u0001", "{".repeat(9999)];
  await send(t, it.place, noise.join("\n") + "\n", Buffer.from([0xff, 0xfe, 0x0a]));
  assert.deepEqual([await settled(t, it), it.lines], [[], []]);
});

test("CRLF ends a line too", async (t) => {
  const it = await reachable(t);
  await send(t, it.place, reply("windows").replace("\n", "\r\n"));
  await until("it arrives", () => it.got.length === 1);
});

test("a line over 1 MiB loses its connection, and no other", async (t) => {
  const it = await reachable(t);
  const other = await send(t, it.place, '{"type":"reply",');
  const long = await send(t, it.place, reply("before"), reply("x".repeat(1 << 20)), reply("behind"));
  await closed(long);
  other.write('"text":"other"}\n');
  await until("the other arrives", () => it.got.length === 2);
  assert.deepEqual(await settled(t, it), ["before", "other"]);
});

test("a line of 1 MiB exactly is a line", async (t) => {
  const it = await reachable(t);
  const text = "x".repeat((1 << 20) - (reply("").length - 1));
  await send(t, it.place, reply(text));
  await until("it arrives", () => it.got.length === 1);
  assert.equal(it.texts()[0].length, text.length);
});

test("a line without an end is not kept for ever", async (t) => {
  const it = await reachable(t);
  const connection = await send(t, it.place);
  for (let i = 0; i < 64 && !connection.destroyed; i++) connection.write("y".repeat(64 << 10));
  await closed(connection);
});

test("a probe does not displace a poke, nor do a hundred connections", async (t) => {
  const it = await reachable(t);
  const poke = await send(t, it.place, '{"type":"reply","mid":"p",');
  for (let i = 0; i < 20; i++) (await send(t, it.place)).destroy();
  await Promise.all(Array.from({ length: 100 }, (_, i) => send(t, it.place, reply(`n${i}`, { mid: `n${i}` }))));
  poke.write('"text":"poke"}\n');
  await until("all arrive", () => it.got.length === 101);
  assert.equal(new Set(it.texts()).size, 101);
});

test("a repeated mid is injected once, on whichever connection; without a mid there is no dedupe", async (t) => {
  const it = await reachable(t);
  await send(t, it.place, reply("a", { mid: "1" }), reply("a", { mid: "1" }), reply("b"), reply("b"));
  await send(t, it.place, reply("a", { mid: "1" }));
  const odd = [7, "", null, ["m"]].flatMap((mid) => [reply("odd", { mid }), reply("odd", { mid })]);
  await send(t, it.place, ...odd);
  assert.deepEqual((await settled(t, it)).sort(), ["a", "b", "b", ...Array(8).fill("odd")]);
});

test("a mid is marked while its injection still runs", async (t) => {
  let release;
  const gate = new Promise((resolve) => (release = resolve));
  const got = [];
  const it = await reachable(t, { host: { inject: (s, text) => { got.push(text); return gate; } } });
  await send(t, it.place, reply("slow", { mid: "1" }));
  await until("it runs", () => got.length === 1);
  await send(t, it.place, reply("slow", { mid: "1" }), reply("mark"));
  await until("the mark comes", () => got.length === 2);
  release();
  assert.deepEqual(got, ["slow", "mark"]);
});

test("a host that cannot take it now leaves the message owed", async (t) => {
  let able = false;
  const asked = [];
  const it = await reachable(t, { host: { able: (s) => { asked.push(s.id); return able; } } });
  await send(t, it.place, reply("a", { mid: "1" }));
  await until("it was asked", () => asked.length === 1);
  assert.deepEqual([it.got, asked], [[], ["main"]]);
  able = true;
  await send(t, it.place, reply("a", { mid: "1" }));
  await until("it arrives", () => it.got.length === 1);
});

test("a host whose answer throws cannot take it", async (t) => {
  let fail = true;
  const it = await reachable(t, { host: { able: () => { if (fail) throw new Error("stale"); return true; } } });
  await send(t, it.place, reply("a", { mid: "1" }));
  await until("it is said", () => it.lines.length === 1);
  fail = false;
  await send(t, it.place, reply("a", { mid: "1" }));
  await until("it arrives", () => it.got.length === 1);
});

for (const [kind, refuse] of [["throws", () => { throw new Error("no session"); }], ["rejects", async () => { throw new Error("no session"); }]]) {
  test(`an injection that ${kind} is owed again, and is said aloud`, async (t) => {
    let refusing = true;
    const it = await reachable(t, { host: { inject: (s, text) => (refusing ? refuse() : void it.got.push([s.id, text])) } });
    await send(t, it.place, reply("a", { mid: "1" }));
    await until("it is said", () => it.lines.length === 1);
    assert.match(it.lines[0], /could not be handed to the session: Error: no session/);
    refusing = false;
    await send(t, it.place, reply("a", { mid: "1" }), reply("a", { mid: "1" }));
    assert.deepEqual(await settled(t, it), ["a"]);
  });
}

test("a host without a way to inject refuses aloud", async (t) => {
  const it = await reachable(t, { host: { inject: undefined } });
  await send(t, it.place, reply("a"));
  await until("it is said", () => it.lines.length === 1);
});

test("the newest 4096 mids are remembered", async (t) => {
  const it = await reachable(t);
  await send(t, it.place, ...Array.from({ length: 4097 }, (_, i) => reply("x", { mid: `m${i}` })));
  await until("all arrive", () => it.got.length === 4097);
  await send(t, it.place, reply("remembered", { mid: "m1" }), reply("remembered", { mid: "m4096" }), reply("forgotten", { mid: "m0" }));
  assert.deepEqual((await settled(t, it)).slice(4097), ["forgotten"]);
});

test("a message is a prompt to the stop gate: it gets its force back", async (t) => {
  const it = await reachable(t);
  it.answer("Stop", block("no"));
  const stop = async () => (await it.rt.event("Stop", it.main, () => ({}))).blocked;
  for (let i = 0; i < 9; i++) await stop();
  assert.equal(await stop(), false);
  await send(t, it.place, reply("go on"));
  await until("it arrives", () => it.got.length === 1);
  assert.equal(await stop(), true);
});

test("half a surrogate pair does not reach the host", async (t) => {
  const it = await reachable(t);
  await send(t, it.place, '{"type":"reply","text":"a\\ud800"}\n');
  await until("it arrives", () => it.got.length === 1);
  assert.deepEqual(it.texts(), ["a\ufffd"]);
});

test("a message goes to the session it names, without one to the newest root", async (t) => {
  const it = await reachable(t);
  it.rt.session("second");
  it.rt.session("child", "second");
  await send(t, it.place, reply("to newest"), reply("to main", { session_id: "main" }), reply("null", { session_id: null }));
  await until("they arrive", () => it.got.length === 3);
  assert.deepEqual(it.got, [["second", "to newest"], ["main", "to main"], ["second", "null"]]);
  it.rt.open(it.main); // the host has come back to it
  await send(t, it.place, reply("to newest again"));
  await until("it arrives", () => it.got.length === 4);
  assert.equal(it.got[3][0], "main");
});

test("a session that is unknown, or a sub-agent's, gets nothing; the message stays owed", async (t) => {
  const it = await reachable(t);
  it.rt.session("child", "main");
  await send(t, it.place, reply("a", { mid: "1", session_id: "later" }), reply("b", { session_id: "child" }), reply("c", { session_id: 7 }));
  assert.deepEqual(await settled(t, it), []);
  it.rt.session("later");
  await send(t, it.place, reply("a", { mid: "1", session_id: "later" }));
  await until("it arrives", () => it.got.some(([id]) => id === "later"));
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

test("mids outlive a reload: close, and a new shim", async (t) => {
  const it = await reachable(t);
  await send(t, it.place, reply("a", { mid: "1" }));
  await until("it arrives", () => it.got.length === 1);
  it.rt.close();
  const again = rig(t, { host: { inject: (s, text) => void it.got.push([s.id, text]) } });
  again.rt.open(again.rt.session("main"));
  await until("the new one is bound", () => fs.existsSync(it.place));
  await send(t, it.place, reply("a", { mid: "1" }));
  assert.deepEqual(await settled(t, it), ["a"]);
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

// A socket file that nobody serves: node removes the name it bound, so the file has to have another by then.
async function stale(place) {
  const server = net.createServer();
  server.listen(`${place}.was`);
  await once(server, "listening");
  fs.renameSync(`${place}.was`, place);
  server.close();
}

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
