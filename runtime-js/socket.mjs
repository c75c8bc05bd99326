// A unix socket for this user alone (a named pipe on Windows), which takes lines and never says anything.
import fs from "node:fs";
import net from "node:net";
import path from "node:path";
import { once } from "node:events";

const PATH_LENGTH = 104; // bytes, with the zero at the end: the least that systems agree on
const LINE_LENGTH = 1 << 20; // bytes
const PROBE = 800; // ms

/**
 * listenAt binds place and calls onLine(text) for each line of each connection. What goes wrong is reported, never thrown: the
 * session goes on without the socket. Returns close().
 */
export function listenAt(place, onLine, report) {
  const connections = new Set();
  const server = net.createServer((connection) => {
    connections.add(connection);
    connection.unref(); // a peer that stays connected must not keep the host from ending
    connection.on("close", () => connections.delete(connection));
    connection.on("error", () => {});
    readLines(connection, onLine);
  });
  server.unref();
  const state = { closed: false, mine: undefined };
  server.on("error", () => {}); // the one that ends the binding is caught below
  const bind = process.platform === "win32" ? bindPipe : bindSocket;
  bind(server, place, state).catch((fault) => {
    server.close();
    if (!state.closed) report(`rendezvous not bound at ${place}: ${fault.message}; the session goes on without it`);
  });
  return function close() {
    state.closed = true;
    server.close();
    for (const connection of connections) connection.destroy();
    if (state.mine) removeOwn(place, state.mine);
  };
}

async function bindPipe(server, place) {
  if (!/^\\\\[.?]\\pipe\\./.test(place)) throw new Error("on Windows it has to be a named pipe, \\\\.\\pipe\\NAME");
  server.listen(place);
  await once(server, "listening");
}

// The socket is bound under a scratch name and moved into place when only its owner can use it. The system removes the name
// that was bound when the server ends, whoever has it by then; the scratch name is nobody's.
async function bindSocket(server, place, state) {
  const size = Buffer.byteLength(place);
  if (size >= PATH_LENGTH) throw new Error(`its path has ${size} bytes; a socket path must have under ${PATH_LENGTH}, so use a shorter folder`);
  privateFolder(path.dirname(place));
  const stale = await staleSocket(place);
  if (state.closed) return;
  const scratch = scratchName(place);
  if (identity(scratch)?.socket) fs.unlinkSync(scratch);
  server.listen(scratch);
  await once(server, "listening");
  fs.chmodSync(scratch, 0o600);
  if (!same(identity(place), stale)) throw new Error("somebody else has taken the path meanwhile");
  fs.renameSync(scratch, place);
  state.mine = identity(place);
}

// As long as the path itself, so that it fits where the path fits.
function scratchName(place) {
  return place.slice(0, -1) + (place.endsWith("~") ? "-" : "~");
}

function privateFolder(folder) {
  fs.mkdirSync(folder, { recursive: true, mode: 0o700 });
  const { mode, uid } = fs.statSync(folder);
  if (uid !== process.getuid()) throw new Error(`its folder ${folder} belongs to another user`);
  if (mode & 0o077) throw new Error(`its folder ${folder} is open to others (mode ${(mode & 0o777).toString(8)}); run chmod 700 on it`);
}

// The identity of a socket that nobody serves, undefined when there is no file. Throws when the path is taken.
async function staleSocket(place) {
  const found = identity(place);
  if (!found) return undefined;
  if (!found.socket) throw new Error("there is a file there that is no socket; remove it");
  const answer = await probe(place);
  if (answer === "connected") throw new Error("another process listens there");
  if (answer !== "ECONNREFUSED" && answer !== "ENOENT") throw new Error(`it is not certain that nobody listens there (${answer})`);
  return found;
}

// Whether anyone listens can only be told by connecting: "connected" or the error's code.
function probe(place) {
  return new Promise((resolve) => {
    const connection = net.connect(place);
    const settle = (answer) => {
      connection.destroy();
      resolve(answer);
    };
    connection.on("connect", () => settle("connected"));
    connection.on("error", (fault) => settle(fault.code));
    connection.setTimeout(PROBE, () => settle("no answer"));
  });
}

function identity(file) {
  const stat = fs.lstatSync(file, { throwIfNoEntry: false, bigint: true });
  return stat && { id: `${stat.dev}:${stat.ino}`, socket: stat.isSocket() };
}

function same(a, b) {
  return a?.id === b?.id;
}

function removeOwn(place, mine) {
  try {
    if (same(identity(place), mine)) fs.unlinkSync(place);
  } catch {
    // It is gone already.
  }
}

// Lines are cut from bytes and decoded whole, so a character that comes in two parts survives. A line that does not end is
// not waited for: its connection goes, the others stay.
function readLines(connection, onLine) {
  let parts = [];
  let size = 0;
  connection.on("data", (chunk) => {
    for (let at = 0; at < chunk.length; ) {
      const end = chunk.indexOf("\n", at);
      const part = chunk.subarray(at, end < 0 ? chunk.length : end);
      size += part.length;
      if (size > LINE_LENGTH) return connection.destroy();
      parts.push(part);
      if (end < 0) return;
      onLine(Buffer.concat(parts).toString("utf8"));
      parts = [];
      size = 0;
      at = end + 1;
    }
  });
}
