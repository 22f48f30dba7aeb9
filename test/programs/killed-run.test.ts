// Tests that a run of tests or of chaos that is killed leaves no process and no folder
// (tools/harness/run-folder.ts). Each run has a temporary folder of its own, in which its folder
// lies, so a test finds everything that it leaves.
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { afterEach, beforeEach, expect, it } from "vitest";
import { commandOf, environmentOf, processes } from "../../tools/harness/process-table.ts";

const ROOT = join(import.meta.dirname, "../..");
const PROGRAM = new URL("unending-run.ts", import.meta.url).pathname;
/** A run of one short file. */
const RUN = ["test/run.ts", "--project=node", "test/gateway/limits.test.ts"];

let place: string;

beforeEach(() => {
  place = mkdtempSync(join(tmpdir(), "killed-run-"));
});
afterEach(() => rmSync(place, { recursive: true, force: true }));

function start(program: string, args: readonly string[]): ChildProcess {
  return spawn(program, args, {
    cwd: ROOT,
    detached: true,
    // npm would keep compiled code in its temporary folder, and nothing removes that.
    env: { ...process.env, TMPDIR: place, NODE_DISABLE_COMPILE_CACHE: "1" },
    stdio: ["ignore", "pipe", "ignore"],
  });
}

/** Returns the process ids of everything that was started in the run's place. */
const members = (): number[] =>
  processes()
    .map(({ pid }) => pid)
    .filter((pid) => environmentOf(pid)["TMPDIR"]?.startsWith(place));

/** Returns the number of processes and files that the run has left. */
const remains = (): number => members().length + readdirSync(place).length;

const vitest = (): number | undefined =>
  members().find((pid) => commandOf(pid)?.includes("vitest.mjs run"));

async function untilVitestRuns(): Promise<number> {
  await expect.poll(vitest).toBeDefined();
  return vitest()!;
}

it("a run killed by SIGKILL leaves no process, even in a group of its own, and no folder", async () => {
  const run = start(process.execPath, [PROGRAM]);
  const [line] = (await once(createInterface({ input: run.stdout! }), "line")) as [string];
  const { path, pid } = JSON.parse(line) as { path: string; pid: number };
  expect([existsSync(path), commandOf(pid) === null]).toEqual([true, false]);
  run.kill("SIGKILL");
  await expect.poll(remains).toBe(0);
  expect(commandOf(pid)).toBeNull();
});

it.each<[string, string, readonly string[], (run: ChildProcess) => void]>([
  ["npm", "npm", ["run", "test", "--ignore-scripts", "--", ...RUN.slice(1)], kill],
  ["test/run.ts", process.execPath, RUN, kill],
  ["vitest", process.execPath, RUN, () => process.kill(vitest()!, "SIGKILL")],
])(
  "a test run whose %s is killed leaves no process and no folder",
  async (_name, program, args, killPart) => {
    const run = start(program, args);
    const pid = await untilVitestRuns();
    killPart(run);
    await expect.poll(remains).toBe(0);
    expect(commandOf(pid)).toBeNull();
  },
);

function kill(run: ChildProcess): void {
  run.kill("SIGKILL");
}
