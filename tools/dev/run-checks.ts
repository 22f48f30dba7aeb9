// `npm run check`: runs everything that examines the repository without running the product, at the
// same time. Prints the output of each command that fails, and the size of the worker's bundle.
import { spawn } from "node:child_process";
import { text } from "node:stream/consumers";

/** A program whose output is read also if it passes. */
const WORKER_SIZE = "tools/release/worker-size.ts";
const COMMANDS: readonly (readonly string[])[] = [
  // One program finds faults of types and of style, so that each project is read once.
  ["oxlint"],
  ["node", "test/run.ts", "test/tidy.test.ts"],
  ["knip"],
  ["node", "test/node/lint-openapi.ts"],
  ["node", WORKER_SIZE],
  ["oxfmt", "--check"],
];

await Promise.all(
  COMMANDS.map(async ([program = "", ...args]) => {
    const child = spawn(program, args, { stdio: ["ignore", "pipe", "pipe"] });
    const ended = new Promise<number | null>((resolve, reject) => {
      child.once("error", reject);
      child.once("exit", resolve);
    });
    const [out, err] = await Promise.all([text(child.stdout), text(child.stderr)]);
    const isPassed = (await ended) === 0;
    console.log(`${isPassed ? "passed" : "failed"}: ${[program, ...args].join(" ")}`);
    if (!isPassed || args.includes(WORKER_SIZE)) console.log((out + err).trimEnd());
    if (!isPassed) process.exitCode = 1;
  }),
);
