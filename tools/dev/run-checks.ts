// `npm run check`: runs all checks of the repository that do not run the product, in parallel.
// Prints the output of each command that fails, and the size of the worker's bundle.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { text } from "node:stream/consumers";

/** The program whose output is printed even if it passes. */
const WORKER_SIZE = "tools/release/worker-size.ts";
const COMMANDS: readonly (readonly string[])[] = [
  // oxlint checks both types and style, so that each project is read once.
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
    const output = [once(child, "exit"), text(child.stdout), text(child.stderr)] as const;
    const [[code], out, err] = await Promise.all(output);
    const isPassed = code === 0;
    console.log(`${isPassed ? "passed" : "failed"}: ${[program, ...args].join(" ")}`);
    if (!isPassed || args.includes(WORKER_SIZE)) console.log((out + err).trimEnd());
    if (!isPassed) process.exitCode = 1;
  }),
);
