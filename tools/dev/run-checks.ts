// `npm run check`: runs everything that examines the repository without running the product, at the
// same time. Prints the output of each command that fails.
import { spawn } from "node:child_process";
import { text } from "node:stream/consumers";

const COMMANDS: readonly (readonly string[])[] = [
  ["oxlint", "--type-aware", "--deny-warnings"],
  ["node", "tools/dev/check-types.ts"],
  ["knip"],
  ["node", "test/node/lint-openapi.ts"],
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
    if (isPassed) return;
    console.log(out + err);
    process.exitCode = 1;
  }),
);
