// `npm test [-- <vitest arguments>]` runs the inner ring, and `npm run test:stacks` the stacks ring
// (rings/rings.ts). Arguments go to Vitest; a path runs the step of its folder. A run has its own
// temporary folder. When the run ends, fails, is interrupted or is killed, the folder is removed and
// the remaining processes are ended (tools/harness/run-folder.ts). A ring that ran whole prints what
// it cost.
import { spawn } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { constants, tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { ENDING_SIGNALS, signalGroup } from "../tools/harness/process-table.ts";
import { quickestFolder, RunFolder } from "../tools/harness/run-folder.ts";
import { onNpmGone } from "../tools/dev/processes/npm-parents.ts";
import { currentSlowness } from "../tools/harness/slowness.ts";
import { ROOT } from "../tools/dev/dev-settings.ts";
import { costLine, measureLoop, Stopwatch } from "../tools/harness/run-cost.ts";
import { ALLOWED_COST, INNER, lackOf, type Ring, type RingStep, STACKS } from "./rings/rings.ts";
import { type Count, TALLY } from "./rings/tally.ts";

const INTERRUPTED_WITHIN_MS = 10_000;
const VITEST = join(fileURLToPath(import.meta.resolve("vitest/package.json")), "..", "vitest.mjs");
/** Node keeps compiled programs in this folder, because the tests start hundreds of programs. */
const COMPILED = join(ROOT, "node_modules", ".cache", "node-compile");
/** If this variable is "all", a skipped test fails the ring: CI installs what the tests need. */
const TOOLS = "POSTERN_CI_TOOLS";

const isStacks = process.argv[2] === "--stacks";
// The inner ring's files are in memory, because half of its waits would be for the disk. A stack
// writes where a user's stack writes.
const folder = new RunFolder(
  `postern-test-${process.pid}-`,
  isStacks ? tmpdir() : quickestFolder(),
);
const tally = join(folder.path, "tally.ndjson");
const given = process.argv.slice(isStacks ? 3 : 2);
const ring = isStacks ? STACKS : INNER;
let group: number | null = null;
let isInterrupted = false;

for (const signal of ENDING_SIGNALS) process.on(signal, () => interrupt(signal));
onNpmGone(process.env, () => interrupt("SIGTERM"));
process.exitCode = given.length > 0 ? await runGiven() : await runRing(ring);
await folder.end();

function interrupt(signal: NodeJS.Signals): void {
  isInterrupted = true;
  if (group === null) return;
  const signaled = group;
  signalGroup(signaled, signal);
  setTimeout(() => signalGroup(signaled, "SIGKILL"), INTERRUPTED_WITHIN_MS).unref();
}

/** Runs Vitest with the given arguments, and the configuration of the ring that has their paths. */
async function runGiven(): Promise<number> {
  const found = [INNER, STACKS].flatMap((one) =>
    one.steps.flatMap((step) => (isNamed(step) ? [{ one, step }] : [])),
  );
  const [first = { one: ring, step: null }] = found;
  if (found.some(({ one }) => one !== first.one)) {
    process.stderr.write("name tests of one ring: npm test, or npm run test:stacks\n");
    return 1;
  }
  return vitest(first.one, [
    ...(first.step ? [`--maxWorkers=${first.step.workers}`] : []),
    ...given,
  ]);
}

function isNamed({ folders }: RingStep): boolean {
  return given.some((path) => folders.some((name) => `${path}/`.startsWith(`${name}/`)));
}

/** Runs all steps, even if one fails, and prints the ring's tests, its skipped tests and its cost. */
async function runRing({ name, steps }: Ring): Promise<number> {
  const before = await measureLoop();
  if (name === "stacks") currentSlowness();
  const codes: number[] = [];
  const skipped: string[] = [];
  const watch = new Stopwatch();
  for (const step of steps) {
    if (isInterrupted) break;
    const lacking = step.projects.filter((project) => lackOf(project) !== null);
    skipped.push(...lacking.map((project) => `test/${project}: ${lackOf(project)}`));
    const stepWatch = new Stopwatch();
    const projects = step.projects.filter((project) => !lacking.includes(project));
    codes.push(
      await vitest(ring, [
        ...projects.map((one) => `--project=${one}`),
        `--maxWorkers=${step.workers}`,
        ...step.others.map((path) => `--exclude=${path}`),
      ]),
    );
    if (steps.length > 1) print(costLine(step.name, stepWatch.read(), before));
  }
  const count = totalCount();
  skipped.push(...count.skipped);
  for (const title of skipped) print(`skipped: ${title}`);
  for (const failure of count.failed) print(`failed: ${failure}`);
  const cost = watch.read();
  const loop = (before + (await measureLoop())) / 2;
  print(costLine(`the ${name} ring`, cost, loop));
  const problems = [
    ...(codes.some((code) => code !== 0) ? ["a test failed"] : []),
    ...(isInterrupted ? ["the run was interrupted"] : []),
    ...(skipped.length > 0 && process.env[TOOLS] === "all"
      ? [`${TOOLS} is "all", and tests were skipped`]
      : []),
    ...(name === "inner" && process.env.CI && (cost.processorSeconds ?? 0) > ALLOWED_COST * loop
      ? [`the ring cost more than ${ALLOWED_COST.toFixed(0)} L of processor time (rings/rings.ts)`]
      : []),
  ];
  for (const problem of problems) print(`failed: ${problem}`);
  print(`${count.passed} passed, ${count.failed.length} failed, ${skipped.length} skipped`);
  return problems.length > 0 ? 1 : 0;
}

function print(line: string): void {
  process.stdout.write(`${line}\n`);
}

function totalCount(): Count {
  const counts = existsSync(tally)
    ? readFileSync(tally, "utf8")
        .trimEnd()
        .split("\n")
        .map((line) => JSON.parse(line) as Count)
    : [];
  return {
    passed: counts.reduce((total, { passed }) => total + passed, 0),
    failed: counts.flatMap(({ failed }) => failed),
    skipped: counts.flatMap(({ skipped }) => skipped),
  };
}

/** Returns Vitest's exit code. Ends everything that its tests started. */
function vitest({ config }: Ring, args: readonly string[]): Promise<number> {
  const { promise, resolve } = Promise.withResolvers<number>();
  // Node warns of module.stripTypeScriptTypes, which the configuration uses.
  const options = ["--disable-warning=ExperimentalWarning", VITEST, "run", `--config=${config}`];
  const child = spawn(process.execPath, [...options, ...args], {
    cwd: ROOT,
    // A separate process group, so that the run can end everything that a test started.
    detached: true,
    env: { ...process.env, NODE_COMPILE_CACHE: COMPILED, [TALLY]: tally },
    stdio: ["ignore", "inherit", "inherit"],
  });
  const started = (group = child.pid!);
  folder.include(started);
  child.once("exit", (code, signal) => {
    signalGroup(started, "SIGKILL");
    resolve(code ?? 128 + constants.signals[signal ?? "SIGKILL"]);
  });
  return promise;
}
