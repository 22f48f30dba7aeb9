// `npm run ci` runs one command after the other, so that none disturbs the next: the checks, a
// release up to its publication, the bench that starts the parts that most benches share, with the
// least work, and both rings of tests. At the end it prints what each command cost.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { ENDING_SIGNALS } from "../tools/harness/process-table.ts";
import { costLine, measureLoop, Stopwatch } from "../tools/harness/run-cost.ts";

const COMMANDS: Readonly<Record<string, readonly string[]>> = {
  check: ["npm", "run", "check"],
  // `npm run package` tries the package with the runtimes that this command does not install.
  release: [process.execPath, "tools/release/main.ts", "--dry-run", "--allow-dirty", "--untried"],
  bench: [process.execPath, "tools/bench/main.ts", "load", "--smoke"],
  inner: [process.execPath, "test/run.ts"],
  stacks: [process.execPath, "test/run.ts", "--stacks"],
};

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
for (const [name, [program = "", ...args]] of Object.entries(COMMANDS)) {
  if (isInterrupted) break;
  process.stdout.write(`\n--- ${name}\n`);
  const watch = new Stopwatch();
  const child = spawn(program, args, { stdio: ["ignore", "inherit", "inherit"] });
  interrupt = (signal) => child.kill(signal);
  const [code] = (await once(child, "exit")) as [number | null];
  if (code !== 0) failed.push(name);
  costs.push(costLine(name, watch.read(), loop));
}
process.stdout.write(`\n${costs.join("\n")}\n`);
if (failed.length > 0) process.stderr.write(`failed: ${failed.join(", ")}\n`);
process.exitCode = failed.length > 0 || isInterrupted ? 1 : 0;
