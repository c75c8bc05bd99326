// The rendezvous in company: peers that stay, a board that looks every 100 ms who is alive, a shim that is loaded anew.
import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import net from "node:net";
import path from "node:path";
import test from "node:test";
import { fileURLToPath } from "node:url";
import { tempDir, until } from "./testdata/kit.mjs";
import { reachable, reply, send, settled } from "./testdata/peer.mjs";

const config = { protocol: 1, harness: "testhost", dispatcher: ["/bin/true"], events: [] };
const sleep = (ms) => new Promise((resolve) => setTimeout(resolve, ms));

test("a hundred peers that stay, each in the middle of a line, hold nobody up", async (t) => {
  const it = await reachable(t);
  const peers = await Promise.all(Array.from({ length: 100 }, (_, i) => send(t, it.place, `{"type":"reply","mid":"p${i}","text":"pee`)));
  for (let i = 0; i < 20; i++) await send(t, it.place, reply(`poke ${i}`, { mid: `k${i}` }));
  await until("the pokes arrive", () => it.got.length === 20);
  for (const [i, peer] of peers.entries()) peer.write(`r ${i}"}\n`);
  await until("the peers' lines arrive", () => it.got.length === 120);
  assert.equal(new Set(it.texts()).size, 120);
  for (const peer of peers) peer.destroy();
  assert.equal((await settled(t, it)).length, 120);
  assert.deepEqual(it.lines, []);
});

// What a board does to know a session alive: it connects, and goes.
async function probe(place) {
  const connection = net.connect(place);
  const began = Date.now();
  const answer = await Promise.race([once(connection, "connect").then(() => "alive", (fault) => fault.code), sleep(800).then(() => "unproven")]);
  connection.destroy();
  return [answer, Date.now() - began];
}

test("a board that probes every 100 ms finds the session alive, and no message suffers", async (t) => {
  const it = await reachable(t);
  const answers = [];
  const board = setInterval(() => probe(it.place).then(([answer]) => answers.push(answer)), 100);
  t.after(() => clearInterval(board));
  it.answer("PreToolUse", "sleep 0.2");
  const line = Buffer.from(reply("slow — é🚫", { mid: "slow" }));
  const slow = await send(t, it.place);
  for (const byte of line) {
    slow.write(Buffer.of(byte));
    await sleep(15); // longer than the board's rest, in all
    if (byte === 0x2c) await it.rt.event("PreToolUse", it.main, () => ({ tool: { name: "bash", input: {} } }));
  }
  await until("it arrives", () => it.got.length === 1);
  assert.deepEqual(it.texts(), ["slow — é🚫"]);
  assert.ok(answers.length >= 5, `${answers.length} probes`);
  assert.deepEqual(new Set(answers), new Set(["alive"]));
  it.rt.close(it.main);
  assert.match((await probe(it.place))[0], /ENOENT|ECONNREFUSED/);
});

test("another instance of the module, as a reload loads it, takes over socket and mids", async (t) => {
  const it = await reachable(t);
  await send(t, it.place, reply("once", { mid: "m" }));
  await until("it arrives", () => it.got.length === 1);
  const { createShim } = await import("./shim.mjs?again");
  const rt = createShim(config, { inject: (session, text) => void it.got.push([`new ${session.id}`, text]), report: (line) => it.lines.push(line) });
  t.after(() => rt.close());
  it.rt.close(it.main);
  rt.open(rt.session("main"));
  await until("it listens again", async () => (await probe(it.place))[0] === "alive");
  await send(t, it.place, reply("once", { mid: "m" }), reply("twice"));
  await until("it arrives", () => it.got.length === 2);
  assert.deepEqual(it.got[1], ["new main", "twice"]);
  assert.deepEqual(it.lines, []);
});

test("half a message ends with its session; the next session gets the others, and the old one its own", async (t) => {
  const it = await reachable(t);
  const [one, two] = [await send(t, it.place, '{"type":"reply","text":"ne'), await send(t, it.place, '{"type":"reply","session_id":"main","text":"o')];
  await settled(t, it);
  it.got.length = 0;
  it.rt.close(it.main); // as a host does for /new: the old session ends, the next begins, in one process
  it.rt.open(it.rt.session("next"));
  await until("it listens again", async () => (await probe(it.place))[0] === "alive");
  one.write('wer"}\n'); // that connection went with the old session: a half message is nobody's
  two.write('ld"}\n');
  await send(t, it.place, reply("newest"), reply("old", { session_id: "main" }));
  await until("they arrive", () => it.got.length === 2);
  assert.deepEqual(it.got, [["next", "newest"], ["main", "old"]]);
});

test("a process with a hundred peers ends by itself, and what a killed one left behind is replaced", async (t) => {
  const place = path.join(tempDir(t), "c");
  const host = () => {
    const script = `import { createShim } from ${JSON.stringify(fileURLToPath(new URL("shim.mjs", import.meta.url)))};
      const rt = createShim({ protocol: 1, dispatcher: ["/bin/true"] }, { inject: (session, text) => console.log(text) });
      rt.open(rt.session("s"));
      process.stdin.once("data", () => process.stdin.destroy());`;
    return spawn(process.execPath, ["--input-type=module", "-e", script], { env: { ...process.env, LORIMER_RENDEZVOUS: place } });
  };
  const killed = host();
  await until("the first listens", async () => (await probe(place))[0] === "alive");
  killed.kill("SIGKILL");
  await once(killed, "exit");
  const second = host();
  t.after(() => second.kill("SIGKILL"));
  await until("the second listens", async () => (await probe(place))[0] === "alive");
  let heard = "";
  second.stdout.on("data", (text) => (heard += text));
  for (let i = 0; i < 100; i++) await send(t, place, reply("here"));
  await until("all are served", () => heard === "here\n".repeat(100));
  second.stdin.write("end\n");
  await until("it ends", () => second.exitCode !== null || second.signalCode);
  assert.deepEqual([second.exitCode, second.signalCode], [0, null]);
  assert.equal((await probe(place))[0], "ECONNREFUSED"); // nobody closed it, and nobody serves it
});
