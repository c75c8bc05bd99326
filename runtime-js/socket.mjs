// A unix socket for this user alone (a named pipe on Windows) that takes lines and never answers.
import { events, fs, net, path } from "./node.mjs";
import { ignore } from "./util.mjs";

const PATH_LENGTH = 104; // bytes with the final zero, the least among the systems
const LINE_LENGTH = 1 << 20; // bytes
const PROBE = 800; // ms

/** listenAt calls onLine(text) for each line of each connection, or onFault(error). Returns close(). */
export function listenAt(place, onLine, onFault) {
  const connections = new Set();
  const server = net.createServer((connection) => {
    connections.add(connection);
    connection.unref(); // a peer that stays must not keep the host from ending
    connection.on("close", () => connections.delete(connection));
    connection.on("error", ignore);
    readLines(connection, onLine);
  });
  server.unref();
  server.on("error", ignore); // the one that matters rejects the binding
  const binding = { closed: false, id: "" };
  const bind = process.platform === "win32" ? bindPipe : bindSocket;
  bind(server, place, binding).catch((fault) => {
    server.close();
    if (!binding.closed) onFault(fault);
  });
  return () => {
    binding.closed = true;
    server.close();
    for (const connection of connections) connection.destroy();
    if (binding.id && binding.id === identity(place)) fs.rmSync(place);
  };
}

async function bindPipe(server, place) {
  if (!/^\\\\[.?]\\pipe\\./.test(place)) throw new Error("on Windows it has to be a pipe, \\\\.\\pipe\\NAME");
  server.listen(place);
  await events.once(server, "listening");
}

// Bound under a scratch name, as long as its own, and moved into place when private. For the system removes the bound name when
// the server ends, whosever it is by then; the scratch name is nobody's.
async function bindSocket(server, place, binding) {
  const size = Buffer.byteLength(place);
  if (size >= PATH_LENGTH) throw new Error(`the path has ${size} bytes and must have less than ${PATH_LENGTH}; use a shorter folder`);
  makePrivate(path.dirname(place));
  const stale = identity(place);
  if (stale) await checkStale(place);
  if (binding.closed) return;
  const scratch = place.slice(0, -1) + (place.endsWith("~") ? "-" : "~");
  if (identity(scratch)) checkSocket(scratch), fs.rmSync(scratch);
  server.listen(scratch);
  await events.once(server, "listening");
  fs.chmodSync(scratch, "600");
  if (identity(place) !== stale) throw new Error("another process has taken the path meanwhile");
  fs.renameSync(scratch, place);
  binding.id = identity(place);
}

function makePrivate(folder) {
  fs.mkdirSync(folder, { recursive: true, mode: "700" });
  const { uid, mode } = fs.statSync(folder);
  if (uid !== process.getuid()) throw new Error(`its folder ${folder} belongs to another user`);
  if (!mode.toString(8).endsWith("00")) throw new Error(`its folder ${folder} is open to others; run chmod 700 on it`);
}

// Throws unless it is certain that nobody listens, which only connecting tells.
async function checkStale(place) {
  checkSocket(place);
  const connection = net.connect(place);
  const answer = await new Promise((resolve) => {
    connection.on("connect", () => resolve("connected"));
    connection.on("error", (fault) => resolve(fault.code));
    connection.setTimeout(PROBE, () => resolve("no answer"));
  });
  connection.destroy();
  if (answer === "connected") throw new Error("another process listens there");
  if (answer !== "ECONNREFUSED" && answer !== "ENOENT") throw new Error(`it is not certain that nobody listens there (${answer})`);
}

function checkSocket(file) {
  if (!fs.lstatSync(file).isSocket()) throw new Error(`${file} is no socket; remove it`);
}

// Tells whether the same file is still there.
function identity(file) {
  const stat = fs.lstatSync(file, { throwIfNoEntry: false, bigint: true });
  return stat && `${stat.dev} ${stat.ino}`;
}

// Lines are decoded whole: a character may come in parts. One that does not end costs its connection, and no other.
function readLines(connection, onLine) {
  let parts = [];
  let size = 0;
  connection.on("data", (chunk) => {
    for (let at = 0, end = 0; end >= 0; at = end + 1) {
      end = chunk.indexOf("\n", at);
      parts.push(chunk.subarray(at, end < 0 ? chunk.length : end));
      size += parts.at(-1).length;
      if (size > LINE_LENGTH) return connection.destroy();
      if (end < 0) return;
      onLine(Buffer.concat(parts).toString());
      parts = [];
      size = 0;
    }
  });
}
