// The surroundings of a command that runs as a program: this process's environment and streams, the
// real clock, and wrangler as a child process. For set-up, only this file starts wrangler.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { text } from "node:stream/consumers";
import { setTimeout as wait } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import type { CommandSurroundings } from "./run-command.ts";
import type { CommandEnvironment, CommandResult } from "./run-wrangler.ts";
import { CallProblem } from "./setup-problem.ts";

export const PROGRAM: CommandSurroundings = {
  root: fileURLToPath(new URL("../..", import.meta.url)),
  environment: process.env,
  input: process.stdin,
  output: process.stdout,
  errors: process.stderr,
  clock: { now: () => performance.now(), wait: (ms) => wait(ms) },
  runWrangler: spawnWrangler,
};

/**
 * Starts wrangler as a child process. If POSTERN_WRANGLER is set, its script runs instead of
 * wrangler.
 */
async function spawnWrangler(
  args: readonly string[],
  input: string,
  environment: CommandEnvironment,
  root: string,
): Promise<CommandResult> {
  const script = environment["POSTERN_WRANGLER"] || fileURLToPath(import.meta.resolve("wrangler"));
  const child = spawn(process.execPath, ["--no-warnings", script, ...args], {
    cwd: root,
    env: { ...environment },
    stdio: "pipe",
  });
  // A command may end without reading its input. Only its exit code tells whether it failed.
  child.stdin.on("error", () => undefined).end(input);
  const ended = once(child, "close").catch((error: Error) => {
    throw new CallProblem(`wrangler can't be run: ${error.message}`);
  });
  const output = [ended, text(child.stdout), text(child.stderr)] as const;
  const [[code], stdout, stderr] = await Promise.all(output);
  return { code: (code as number | null) ?? 1, stdout, stderr };
}
