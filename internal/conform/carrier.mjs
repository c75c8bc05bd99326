// The carrier: loads a shim into the imitation of its host, and plays what it is told to, one JSON line a command.
//
//   carrier.mjs SHIM IMITATION TOKEN ARGV
//
// Its answers begin with TOKEN, so that whatever else a shim writes to the host's streams is seen. ARGV is a JSON list: what the
// host's own process has behind its name.
import fs from "node:fs";
import { register } from "node:module";
import path from "node:path";
import readline from "node:readline";
import { pathToFileURL } from "node:url";

const [shim, imitation, token, argv] = process.argv.slice(2);
process.argv = [process.execPath, path.join(process.cwd(), "host"), ...JSON.parse(argv)];

const tell = (message) => process.stdout.write(`${token}${JSON.stringify(message)}\n`);
process.on("unhandledRejection", (thrown) => tell({ stray: `a promise was rejected and nobody waits for it: ${thrown}` }));
process.on("uncaughtException", (thrown) => tell({ stray: `an error was thrown and nobody caught it: ${thrown?.stack ?? thrown}` }));

// A shim is JavaScript, whatever its host wants it called, and not every node knows what .ts is.
if (shim.endsWith(".ts") && !process.versions.bun) {
  const load = `import { readFile } from "node:fs/promises";
    export const load = async (url, context, next) =>
      new URL(url).pathname.endsWith(".ts") ? { format: "module", shortCircuit: true, source: await readFile(new URL(url)) } : next(url, context);`;
  register(`data:text/javascript,${encodeURIComponent(load)}`);
}

const fake = await import(pathToFileURL(imitation));
let registered = []; // [name, fn]
let returned = []; // what the module returned
let loads = 0;
let samples = 0;
let ticks = 0;
let seen = nothing();
setInterval(() => ticks++, 2).unref();

function nothing() {
  return { effects: {}, report: [], thrown: [] };
}

function note(effect, value) {
  if (value !== undefined && value !== null) (seen.effects[effect] ??= []).push(value);
}

const host = {
  cwd: process.cwd(),
  busy: false,
  refuses: false,
  sync: false, // a handler has not returned yet
  loaded: undefined, // settles when all that the module returns is there
  noticed: undefined,
  add: (name, fn) => void registered.push([name, fn]),
  prompt(text) {
    if (host.refuses) throw new Error("the host takes no message now");
    note("continue", text);
  },
  context: (text) => note("context", text),
  notify(text) {
    host.noticed = text;
    note("notify", text);
  },
  report: (line) => void seen.report.push(line),
};

async function load() {
  registered = [];
  returned = [];
  let done;
  host.loaded = new Promise((resolve) => (done = resolve));
  const module = await import(pathToFileURL(shim).href + (loads++ ? `?${loads}` : ""));
  for (const [name, entry] of Object.entries(module)) {
    if (typeof entry !== "function") throw new Error(`the export ${name} is no function`);
    returned.push((await entry(fake.params(host))) ?? {});
  }
  done();
}

function functionsFor(name, { register, property }) {
  if (register === "call") return registered.filter(([at]) => at === name).map(([, fn]) => fn);
  return returned.map((hooks) => hooks[register === "bus" ? property : name]).filter(Boolean);
}

/** fire does what the host does at one event: it calls the handlers, and looks at what came of them. */
async function fire(name, play, ...given) {
  const way = fake.handlers[name];
  const scope = { ...play, host, n: ++samples };
  scope.event = given.length > 0 ? given[0] : fake.events[name](scope);
  const args = fake.args[way.channel](scope);
  for (const fn of functionsFor(name, way)) {
    let result, thrown;
    try {
      host.sync = true;
      result = fn(...args);
      host.sync = false;
      if (way.awaited) result = await result;
    } catch (fault) {
      host.sync = false;
      thrown = fault ?? new Error(String(fault));
      seen.thrown.push(String(fault?.message ?? fault));
    }
    if (!way.awaited) await idle();
    if (given.length > 0) continue; // nobody could say what the host makes of that
    for (const [effect, look] of Object.entries(fake.saw[name] ?? {})) note(effect, look({ ...scope, result, thrown }));
  }
}

// A bus waits for nobody. Whoever started programs, or does something when they have ended, has done so after some turns.
async function idle() {
  const patience = canCount() ? 4 : 100;
  for (let quiet = 0; quiet < patience; quiet++) {
    await new Promise((resolve) => setTimeout(resolve, 4));
    if (children() > 0) quiet = 0;
  }
}

const tasks = "/proc/self/task";
function canCount() {
  return fs.existsSync(`${tasks}/${process.pid}/children`) || !process.versions.bun;
}

function children() {
  if (!fs.existsSync(tasks)) return process.getActiveResourcesInfo().filter((kind) => kind === "ProcessWrap").length;
  const of = (task) => fs.readFileSync(`${tasks}/${task}/children`, "utf8").split(" ").filter(Boolean).length;
  return fs.readdirSync(tasks).reduce((sum, task) => sum + readable(() => of(task)), 0);
}

function readable(read) {
  try {
    return read();
  } catch {
    return 0; // the thread has ended meanwhile
  }
}

// Copies of a sample, each without one of its members, down to the third level.
function lacking(sample, depth = 3) {
  if (typeof sample !== "object" || sample === null || depth === 0) return [];
  return Object.keys(sample).flatMap((key) => [
    { ...sample, [key]: undefined },
    ...lacking(sample[key], depth - 1).map((member) => ({ ...sample, [key]: member })),
  ]);
}

const commands = {
  load,
  async play({ events, times = 1, ...play }) {
    host.noticed = undefined;
    ticks = 0;
    for (const name of events) await Promise.all(Array.from({ length: times }, () => fire(name, play)));
  },
  /** strange fires each event again and again, each time with another part of it missing. */
  async strange({ events, ...play }) {
    for (const name of events) {
      for (const event of lacking(fake.events[name]({ ...play, host, n: 0 }))) {
        try {
          fake.args[fake.handlers[name].channel]({ ...play, host, n: 0, event });
        } catch {
          continue; // the imitation itself needs that part
        }
        await fire(name, play, event);
      }
    }
  },
  set: ({ busy, refuses }) => void Object.assign(host, { busy, refuses }),
  /** look gives what was seen since the last command. */
  look() {},
  /** leave stops listening: a process that nothing else keeps ends now. */
  leave() {
    lines.close();
    process.stdin.destroy();
  },
};

const lines = readline.createInterface({ input: process.stdin });
for await (const line of lines) {
  const { id, command, ...more } = JSON.parse(line);
  let fault = "";
  const began = Date.now();
  try {
    await commands[command](more);
  } catch (thrown) {
    fault = String(thrown?.stack ?? thrown);
  }
  tell({ id, fault, seen: { ...seen, ticks, ms: Date.now() - began } });
  seen = nothing();
}
