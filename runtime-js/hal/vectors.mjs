// Asks the module at argv[2] every vector of the file at argv[3] and prints what does not hold, as JSON. Started by
// vectors.test.mjs under each carrier.
import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { pathToFileURL } from "node:url";

const { createHAL } = await import(pathToFileURL(process.argv[2]).href);
const { answers, vectors } = JSON.parse(fs.readFileSync(process.argv[3], "utf8"));
const work = fs.mkdtempSync(path.join(os.tmpdir(), "hal"));
const wrong = [];
vectors.forEach((v, i) => {
  const world = path.join(work, String(i));
  fs.mkdirSync(world);
  for (const [file, text] of Object.entries(v.files ?? {})) {
    fs.mkdirSync(path.join(world, path.dirname(file)), { recursive: true });
    fs.writeFileSync(path.join(world, file), text);
  }
  const h = createHAL({
    env: v.env ?? {},
    cwd: path.join(world, v.cwd ?? ""),
    ancestors: "ancestors" in v ? v.ancestors : [],
    runtime: v.runtime,
    runtimeVersion: v.version,
  });
  const { provider, by, answers: common, session = null, warnings = 0, ...over } = v.want;
  const want = { provider, by, session, warnings, ...answers[common], ...over };
  const got = {
    provider: h.detectProvider(),
    by: h.explain().by,
    session: h.getSessionId(),
    warnings: h.getWarnings().length,
    startup: h.getStartupStrategy(),
    gupp: h.getGUPPStrategy(),
    hooks: h.supportsHooks(),
    nudge: h.supportsNudge(),
    restart: h.supportsRestart(),
    stall: h.getStallThreshold(),
    interval: h.getNudgeInterval(),
    person: h.getStartupCommands("crew"),
    autonomous: h.getStartupCommands("polecat"),
  };
  for (const key of Object.keys(got)) {
    if (JSON.stringify(got[key]) !== JSON.stringify(want[key])) wrong.push({ vector: v.name, key, want: want[key], got: got[key] });
  }
});
fs.rmSync(work, { recursive: true });
console.log(JSON.stringify({ vectors: vectors.length, wrong }));
