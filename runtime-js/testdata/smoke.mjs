// smoke.mjs DIR: what a carrier has to be able to do. Imports a module or a bundle given as SHIM, runs events in both forms,
// takes a message over the socket, leaves a connection open and must end by itself.
import fs from "node:fs";
import net from "node:net";
import path from "node:path";

const [dir, dispatcher, source] = process.argv.slice(2);
const { createShim } = await import(source);
const got = [];
const lines = [];
const config = {
  protocol: 1, harness: "testhost", dispatcher: ["/bin/sh", dispatcher, dir], events: ["PreToolUse", "Stop"], fail_closed: ["Stop"], max_continuations: 8,
};
const rt = createShim(config, { cwd: () => path.join(dir, "gone"), inject: (s, text) => void got.push(text), report: (line) => lines.push(line) });
const s = rt.session("s");
const out = { source: path.basename(source) };

fs.writeFileSync(path.join(dir, "any"), `cat <<'END'\n{"decision":"block","reason":"é\\ud83d\\udeab"}\nEND\nexit 2`);
const fields = () => ({ tool: { name: "write", input: { path: "ü".repeat(100_000) } } });
out.async = (await rt.event("PreToolUse", s, fields)).reason;
out.sync = rt.eventSync("PreToolUse", s, fields).reason;
out.same = new Set(fs.readFileSync(path.join(dir, "calls"), "utf8").trim().split("\n")).size === 1;

const missing = createShim({ ...config, dispatcher: ["/nonexistent/x"] }, { report: (line) => lines.push(line) });
out.closed = (await missing.event("Stop", missing.session("s"), () => ({}))).blocked && missing.eventSync("Stop", missing.session("t"), () => ({})).blocked;
const slow = createShim({ ...config, dispatcher: ["/bin/sh", "-c", "sleep 60 & wait"] }, { limits: { "*": 200 }, report: (line) => lines.push(line) });
out.timeout = (await slow.event("Stop", slow.session("s"), () => ({}))).blocked && slow.eventSync("Stop", slow.session("t"), () => ({})).blocked;

// a grandchild that keeps the pipes must not keep this process
const held = createShim({ ...config, dispatcher: ["/bin/sh", "-c", "sleep 60 & exit 2"] }, { report: (line) => lines.push(line) });
out.held = (await held.event("Stop", held.session("s"), () => ({}))).blocked;

const place = path.join(dir, "c");
process.env.LORIMER_RENDEZVOUS = place;
rt.open(s);
for (let i = 0; i < 1000 && !fs.existsSync(place); i++) await new Promise((r) => setTimeout(r, 5));
out.mode = (fs.statSync(place).mode & 0o777).toString(8);
const peer = net.connect(place);
await new Promise((resolve, reject) => peer.on("connect", resolve).on("error", reject));
const message = Buffer.from(JSON.stringify({ type: "reply", text: "é🚫", mid: "1" }) + "\n");
for (const part of [message.subarray(0, 24), message.subarray(24), message]) {
  peer.write(part);
  await new Promise((r) => setTimeout(r, 20));
}
for (let i = 0; i < 1000 && got.length < 1; i++) await new Promise((r) => setTimeout(r, 5));
out.got = got;
peer.unref();
out.inherited = "LORIMER_RENDEZVOUS" in process.env;
out.faults = lines.length;
console.log(JSON.stringify(out));
// no close: the open socket and its connection must not keep the process
