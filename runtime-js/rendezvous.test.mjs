import assert from "node:assert/strict";
import fs from "node:fs";
import test from "node:test";
import { block, rig, until } from "./testdata/kit.mjs";
import { closed, reachable, reply, send, settled } from "./testdata/peer.mjs";

test("a message is injected into the session", async (t) => {
  const it = await reachable(t);
  await send(t, it.place, reply("hello", { mid: "m1" }));
  await until("it arrives", () => it.got.length === 1);
  assert.deepEqual(it.got, [["main", "hello"]]);
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
