// The surroundings of a command that runs as a program: this process's environment and streams, the
// real clock, and wrangler as a child process. For set-up, only this file starts wrangler.
import { spawn } from "node:child_process";
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
  const output = { stdout: "", stderr: "" };
  for (const name of ["stdout", "stderr"] as const)
    child[name].setEncoding("utf8").on("data", (text: string) => (output[name] += text));
  // A command may end without reading its input. Only its exit code tells whether it failed.
  child.stdin.on("error", () => undefined).end(input);
  const code = await new Promise<number>((ended, failed) => {
    child.once("error", (error) =>
      failed(new CallProblem(`wrangler can't be run: ${error.message}`)),
    );
    child.once("close", (status) => ended(status ?? 1));
  });
  return { code, ...output };
}
