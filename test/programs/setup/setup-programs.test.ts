// Tests `npm run setup`, `npm run deploy` and `npm run doctor` as programs that start wrangler as
// another program: their exit codes and their output. test/setup holds their rules.
import { spawn } from "node:child_process";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { expectFinished, harness, useSetup } from "../../setup/finished-setup.ts";

useSetup();

const ROOT = join(import.meta.dirname, "../../..");

async function run(program: string, ...args: readonly string[]) {
  const { PATH, HOME, TMPDIR, NODE_COMPILE_CACHE } = process.env;
  const own = { POSTERN_WRANGLER: join(ROOT, "tools/dev/account/wrangler-program.ts") };
  const child = spawn(process.execPath, ["--no-warnings", `tools/setup/${program}.ts`, ...args], {
    cwd: ROOT,
    env: { PATH, HOME, TMPDIR, NODE_COMPILE_CACHE, ...harness.environment, ...own },
    stdio: ["ignore", "pipe", "pipe"],
  });
  const said = { out: "", err: "" };
  child.stdout.on("data", (chunk: Buffer) => (said.out += chunk.toString()));
  child.stderr.on("data", (chunk: Buffer) => (said.err += chunk.toString()));
  const code = await new Promise((ended) => child.once("close", ended));
  return { code, ...said };
}

describe("as a program that starts wrangler", () => {
  it("set-up leads to a delivered message, and npm run deploy deploys again", async () => {
    expect(await run("main", "--yes")).toMatchObject({ code: 0, err: "" });
    await expectFinished(harness);
    const deployments = [...harness.account.deployments];
    expect(await run("deploy")).toMatchObject({ code: 0 });
    expect(harness.account.deployments).toEqual([
      ...deployments,
      { ...deployments.at(-1), version: expect.any(String) },
    ]);
  });

  it("set-up ends with 1 and the reason, if its login is missing", async () => {
    harness.change({ loggedIn: false });
    const { code, out } = await run("main", "--yes");
    expect([code, out]).toEqual([1, expect.stringMatching(/FAILED +login +/)]);
  });

  it("the doctor prints its reason on standard error, if no deployment is known", async () => {
    delete harness.environment["API_URL"];
    const { code, out, err } = await run("doctor/main");
    expect([code, out]).toEqual([1, ""]);
    expect(err).toMatch(/^doctor: no deployment is known: .*\n {2}→ run npm start/);
  });
});
