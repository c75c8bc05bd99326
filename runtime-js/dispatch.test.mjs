import assert from "node:assert/strict";
import fs from "node:fs";
import path from "node:path";
import test from "node:test";
import { run, runSync } from "./dispatch.mjs";
import { gone, tempDir, until } from "./testdata/kit.mjs";

const sh = (script) => ["/bin/sh", "-c", script];

// Both forms keep the same promises.
for (const [form, ask] of [["run", run], ["runSync", async (...args) => runSync(...args)]]) {
  test(`${form}: code and both streams come back, the payload arrives whole`, async () => {
    assert.deepEqual(await ask(sh("cat; echo no >&2; exit 2"), '{"a":"ü"}', 20_000), { code: 2, out: '{"a":"ü"}', err: "no\n" });
  });

  test(`${form}: harness and event are arguments, no shell reads them`, async () => {
    const { out } = await ask(["/bin/sh", "-c", 'printf "%s|" "$@"', "sh", "host", "$(echo Stop)"], "{}", 20_000);
    assert.equal(out, "host|$(echo Stop)|");
  });

  test(`${form}: other exit codes are kept and are a fault that quotes the first line of stderr`, async () => {
    const answer = await ask(sh("echo 'panic: boom' >&2; echo more >&2; exit 3"), "{}", 20_000);
    assert.equal(answer.code, 3);
    assert.equal(answer.fault, "/bin/sh ended with exit code 3: panic: boom");
  });

  test(`${form}: a shell that cannot start a program is no answer`, async () => {
    for (const code of [1, 126, 127, 130, 255]) assert.match((await ask(sh(`exit ${code}`), "{}", 20_000)).fault, new RegExp(`exit code ${code}$`));
  });

  test(`${form}: a signal is code 1`, async () => {
    const answer = await ask(sh("kill -9 $$"), "{}", 20_000);
    assert.equal(answer.code, 1);
    assert.match(answer.fault, /^\/bin\/sh was ended by SIGKILL$/);
    assert.match(answer.err, /SIGKILL/);
  });

  test(`${form}: a missing dispatcher is code 1 and names it`, async () => {
    const answer = await ask(["/nonexistent/lorimer-dispatch", "x"], "{}", 20_000);
    assert.equal(answer.code, 1);
    assert.match(answer.fault, /^\/nonexistent\/lorimer-dispatch could not be started \(ENOENT\)$/);
    assert.equal(answer.err, answer.fault);
  });

  test(`${form}: a dispatcher that cannot be run is code 1`, async (t) => {
    const file = path.join(tempDir(t), "not-executable");
    fs.writeFileSync(file, "#!/bin/sh\n", { mode: 0o600 });
    for (const argv of [[file], [undefined], [""], [42]]) assert.equal((await ask(argv, "{}", 20_000)).code, 1);
  });

  test(`${form}: a folder that is gone is no missing dispatcher`, async (t) => {
    const cwd = path.join(tempDir(t), "gone");
    assert.deepEqual(await ask(sh("echo here; exit 2"), "{}", 20_000, cwd), { code: 2, out: "here\n", err: "" });
  });

  test(`${form}: a folder that is there is where it starts`, async (t) => {
    const cwd = fs.realpathSync(tempDir(t));
    assert.equal((await ask(sh("pwd -P"), "{}", 20_000, cwd)).out, `${cwd}\n`);
  });

  test(`${form}: who exits without reading has answered all the same`, async () => {
    const answer = await ask(sh("exec <&-; exit 2"), "x".repeat(4 << 20), 20_000);
    assert.equal(answer.code, 2);
    assert.equal(answer.fault, undefined);
  });

  test(`${form}: a big payload and a big answer pass`, async () => {
    const payload = JSON.stringify({ text: "ü".repeat(2 << 20) });
    assert.equal((await ask(sh("cat"), payload, 20_000)).out, payload);
  });

  test(`${form}: of more than 16 MiB the first 16 are kept`, async () => {
    const answer = await ask(sh("head -c 20000000 /dev/zero | tr '\\0' a; exit 2"), "{}", 20_000);
    assert.equal(answer.code, 2);
    assert.equal(answer.out.length, 16 << 20);
  });

  test(`${form}: on a timeout the whole group ends`, { skip: process.platform === "win32" }, async (t) => {
    const file = path.join(tempDir(t), "pid");
    const before = Date.now();
    const answer = await ask(sh(`sleep 600 & echo $! >'${file}.new'; mv '${file}.new' '${file}'; echo part; echo partial >&2; wait`), "{}", 400);
    assert.equal(answer.code, 1);
    assert.equal(answer.fault, "/bin/sh did not answer within 0.4 s: partial");
    assert.equal(answer.out, "part\n");
    assert.ok(Date.now() - before < 5000);
    const pid = Number(fs.readFileSync(file, "utf8"));
    await until("the grandchild is gone", () => gone(pid));
  });

  test(`${form}: a dispatcher that does not end on SIGTERM ends`, async () => {
    const answer = await ask(sh("trap '' TERM; while :; do sleep 1; done"), "{}", 200);
    assert.equal(answer.code, 1);
  });

  test(`${form}: a limit that no timer holds is no limit of 1 ms`, async () => {
    assert.equal((await ask(sh("sleep 0.05; exit 2"), "{}", 1e12)).code, 2);
  });
}

test("run: a grandchild that holds the pipe does not hold the verdict", async () => {
  const before = Date.now();
  const answer = await run(sh("sleep 15 & echo said; exit 2"), "{}", 20_000);
  assert.deepEqual([answer.code, answer.out], [2, "said\n"]);
  assert.ok(Date.now() - before < 12_000);
});

test("run: what was written before the exit is read although somebody holds the pipe", async () => {
  const answer = await run(sh("head -c 3000000 /dev/zero | tr '\\0' a; sleep 8 & exit 2"), "{}", 20_000);
  assert.equal(answer.out.length, 3_000_000);
});

test("run: a busy loop loses nothing of what came meanwhile", async () => {
  const asked = run(sh("echo early; sleep 0.05; echo late; sleep 8 & exit 2"), "{}", 20_000);
  setTimeout(() => {
    for (const end = Date.now() + 600; Date.now() < end; );
  }, 1);
  assert.equal((await asked).out, "early\nlate\n");
});

test("run: many at once stay apart", async () => {
  const answers = await Promise.all(Array.from({ length: 20 }, (_, i) => run(sh(`cat; exit ${i % 2 ? 2 : 0}`), `{"n":${i}}`, 20_000)));
  answers.forEach((answer, i) => assert.deepEqual([answer.code, answer.out], [i % 2 ? 2 : 0, `{"n":${i}}`]));
});

test("runSync: a child that has ended is believed although its pipe is held", async () => {
  const answer = runSync(sh("sleep 8 & exit 2"), "{}", 500);
  assert.equal(answer.code, 2);
});
