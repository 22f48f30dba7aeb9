// Runs one of the commands (`setup`, `deploy`, `doctor`, `shard`). A problem is printed with its
// remedy, and decides the exit code.
import type { Readable, Writable } from "node:stream";
import { type CommandEnvironment, type RunWrangler, spawnWrangler } from "./run-wrangler.ts";
import { SetupProblem } from "./setup-problem.ts";

/** The streams and environment of a command, without the network and the state directory. */
export interface CommandSurroundings {
  readonly environment: CommandEnvironment;
  readonly input: Readable & { readonly isTTY?: boolean };
  readonly output: Writable;
  readonly errors: Writable;
  readonly runWrangler: RunWrangler;
}

/** Returns whether the command succeeded. Throws a SetupProblem that it has not printed. */
export type SetupCommand = (
  args: readonly string[],
  around: CommandSurroundings,
) => Promise<boolean>;

/** Returns the exit code. */
export async function runCommand(
  name: string,
  command: SetupCommand,
  args: readonly string[] = process.argv.slice(2),
  around: CommandSurroundings = {
    environment: process.env,
    input: process.stdin,
    output: process.stdout,
    errors: process.stderr,
    runWrangler: spawnWrangler,
  },
): Promise<number> {
  try {
    return (await command(args, around)) ? 0 : 1;
  } catch (error) {
    if (!(error instanceof SetupProblem)) throw error;
    around.errors.write(`${name}: ${error.message}${error.mend && `\n  → ${error.mend}`}\n`);
    return 1;
  }
}
