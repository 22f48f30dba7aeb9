// `npm run ci` runs one command after the other, so that none disturbs the next: the checks, a
// release up to its publication, the quick benches with the least work, and both rings of tests. At the
// end it repeats each line that says what failed, since a log is often cut to its end, and prints
// what each command cost.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import { setTimeout } from "node:timers/promises";
import { ENDING_SIGNALS } from "../tools/harness/process-table.ts";
import { costLine, measureLoop, Stopwatch } from "../tools/harness/run-cost.ts";

/** The benches that need less than ten seconds. The others start many parts, or wait for minutes. */
const QUICK_BENCHES = "batch deliver smtp scale events history webhooks load provider".split(" ");
const COMMANDS: Readonly<Record<string, readonly string[]>> = {
  check: ["npm", "run", "check"],
  // Only `npm run package` tries the package on other runtimes. This command installs none.
  release: [process.execPath, "tools/release/main.ts", "--dry-run", "--allow-dirty", "--untried"],
  bench: [process.execPath, "tools/bench/main.ts", ...QUICK_BENCHES, "--smoke"],
  inner: [process.execPath, "test/run.ts"],
  stacks: [process.execPath, "test/run.ts", "--stacks"],
};

const OUTPUT_GRACE_MS = 2000;

let isInterrupted = false;
let interrupt = (_signal: NodeJS.Signals): unknown => undefined;
for (const signal of ENDING_SIGNALS)
  process.on(signal, () => {
    isInterrupted = true;
    interrupt(signal);
  });
const loop = await measureLoop();
const costs: string[] = [];
const failed: string[] = [];
const failures: string[] = [];
for (const [name, [program = "", ...args]] of Object.entries(COMMANDS)) {
  if (isInterrupted) break;
  process.stdout.write(`\n--- ${name}\n`);
  const watch = new Stopwatch();
  const child = spawn(program, args, { stdio: ["ignore", "pipe", "inherit"] });
  child.stdout.pipe(process.stdout, { end: false });
  createInterface({ input: child.stdout }).on("line", (line) => {
    if (line.startsWith("failed: ")) failures.push(line);
  });
  interrupt = (signal) => child.kill(signal);
  const closed = once(child, "close");
  const [code] = (await once(child, "exit")) as [number | null];
  // A process that the command left behind may hold the output open.
  await Promise.race([closed, setTimeout(OUTPUT_GRACE_MS, null, { ref: false })]);
  if (code !== 0) failed.push(name);
  costs.push(costLine(name, watch.read(), loop));
}
process.stdout.write(`\n${[...failures, ...costs].join("\n")}\n`);
if (failed.length > 0) process.stderr.write(`failed: ${failed.join(", ")}\n`);
process.exitCode = failed.length > 0 || isInterrupted ? 1 : 0;
