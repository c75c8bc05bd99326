// What the tests of the rendezvous share: a shim that waits at a socket, and its peers.
import { once } from "node:events";
import fs from "node:fs";
import net from "node:net";
import path from "node:path";
import { rig, tempDir, until } from "./kit.mjs";

export const HUB = Symbol.for("lorimer.rendezvous.1");
export const reply = (text, more = {}) => JSON.stringify({ type: "reply", text, ...more }) + "\n";

/** reachable makes a shim with one root session "main" that waits at place; got is what was injected. */
export async function reachable(t, { place = path.join(tempDir(t), "c"), variable = "LORIMER_RENDEZVOUS", host = {}, bound = true } = {}) {
  delete globalThis[HUB];
  const got = [];
  const it = rig(t, { host: { inject: (session, text) => void got.push([session.id, text]), ...host } });
  process.env[variable] = place;
  const main = it.rt.session("main");
  it.rt.open(main);
  if (bound) await until("the socket is bound", () => fs.existsSync(place));
  return { ...it, got, place, main, texts: () => got.map(([, text]) => text) };
}

export function connect(t, place) {
  const connection = net.connect(place);
  connection.on("error", () => {});
  t.after(() => connection.destroy());
  return connection;
}

export async function send(t, place, ...lines) {
  const connection = connect(t, place);
  await once(connection, "connect");
  for (const line of lines) connection.write(line);
  return connection;
}

/** closed waits for the end of a connection, however it comes. */
export function closed(connection) {
  return new Promise((resolve) => (connection.destroyed ? resolve() : connection.on("close", resolve)));
}

/** settled sends one more message and waits for it: whatever came before it has been dealt with then. */
export async function settled(t, { place, got }) {
  const mark = `mark ${Math.random()}`;
  await send(t, place, reply(mark));
  await until("the mark arrives", () => got.some(([, text]) => text === mark));
  return got.filter(([, text]) => !text.startsWith("mark")).map(([, text]) => text);
}

// A socket file that nobody serves: node removes the name it bound, so the file has to have another by then.
export async function stale(place) {
  const server = net.createServer();
  server.listen(`${place}.was`);
  await once(server, "listening");
  fs.renameSync(`${place}.was`, place);
  server.close();
}
