// The runtime under every carrier: this node, and bun where there is one (on PATH, or named by BUN).
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import fs from "node:fs";
import path from "node:path";
import test from "node:test";
import { fileURLToPath } from "node:url";
import { tempDir } from "./testdata/kit.mjs";

const here = fileURLToPath(new URL(".", import.meta.url));
const smoke = path.join(here, "testdata/smoke.mjs");
const dispatcher = path.join(here, "testdata/dispatcher.sh");
const bun = process.env.BUN || "bun";
const hasBun = spawnSync(bun, ["--version"]).status === 0;
const modules = fs.readdirSync(here).filter((name) => name.endsWith(".mjs") && !name.includes(".test."));
if (!hasBun) console.error("SKIPPED: bun is not here; the runtime was tested under node alone. Install bun or set BUN to its path.");

for (const [name, carrier, skip] of [["node", process.execPath, false], ["bun", bun, !hasBun && "bun is not here"]]) {
  test(`${name} loads each module by itself`, { skip }, () => {
    const script = modules.map((file) => `await import(${JSON.stringify(path.join(here, file))});`).join("\n");
    const entry = `${script}\nconsole.log("all");`;
    const r = spawnSync(carrier, name === "node" ? ["--input-type=module", "-e", entry] : ["-e", entry], { encoding: "utf8" });
    assert.deepEqual([r.stdout, r.stderr, r.status], ["all\n", "", 0]);
  });

  test(`${name} runs the runtime and ends by itself`, { skip }, (t) => {
    const r = spawnSync(carrier, [smoke, tempDir(t), dispatcher, path.join(here, "shim.mjs")], { encoding: "utf8", timeout: 30_000 });
    assert.equal(r.stderr, "");
    assert.deepEqual(JSON.parse(r.stdout), {
      source: "shim.mjs", async: "é🚫", sync: "é🚫", same: true, closed: true, timeout: true, held: true, mode: "600", got: ["é🚫"], inherited: false, faults: 2,
    });
    assert.deepEqual([r.status, r.signal], [0, null]);
  });
}

test("the modules import node's builtins and each other, and wait for nothing at the top level", () => {
  for (const file of modules) {
    const text = fs.readFileSync(path.join(here, file), "utf8");
    for (const [, from] of text.matchAll(/^import .* from "(.*)";$/gm)) assert.match(from, /^(node:[a-z_]+|\.\/[a-z]+\.mjs)$/, file);
    assert.doesNotMatch(text, /^(await|for await) |require\(|import\(/m, file);
  }
});
