// Runs one of the commands (`setup`, `deploy`, `doctor`, `shard`). A SetupProblem is printed with
// its remedy, and the exit code is 1.
import type { Readable, Writable } from "node:stream";
import type { CommandEnvironment, RunWrangler } from "./run-wrangler.ts";
import { SetupProblem } from "./setup-problem.ts";
import type { WaitingClock } from "./wait-until.ts";

/**
 * The parts of the system that a command uses, so that tests can replace them. They do not include
 * the network and the state directory.
 */
export interface CommandSurroundings {
  readonly root: string;
  readonly environment: CommandEnvironment;
  readonly input: Readable & { readonly isTTY?: boolean };
  readonly output: Writable;
  readonly errors: Writable;
  readonly clock: WaitingClock;
  readonly runWrangler: RunWrangler;
}

/** Returns true if the command succeeded. Throws a SetupProblem, which the caller prints. */
export type SetupCommand = (
  args: readonly string[],
  around: CommandSurroundings,
) => Promise<boolean>;

/** Parses a command line. Throws a SetupProblem with the usage if an option is wrong. */
export function withUsage<Parsed>(usage: string, parse: () => Parsed): Parsed {
  try {
    return parse();
  } catch (error) {
    throw new SetupProblem(`${(error as Error).message}\n\n${usage}`);
  }
}

/** Runs the command. Returns the exit code. */
export async function runCommand(
  name: string,
  command: SetupCommand,
  args: readonly string[],
  around: CommandSurroundings,
): Promise<number> {
  try {
    return (await command(args, around)) ? 0 : 1;
  } catch (error) {
    if (!(error instanceof SetupProblem)) throw error;
    around.errors.write(`${name}: ${error.message}${error.mend && `\n  → ${error.mend}`}\n`);
    return 1;
  }
}
