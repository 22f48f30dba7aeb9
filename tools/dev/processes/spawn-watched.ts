// Starts a Node program in a process group of its own that can't outlive this process
// (parent-watch.ts).
import { type ChildProcess, spawn } from "node:child_process";
import { ROOT } from "../dev-settings.ts";

const PARENT_WATCH = import.meta.resolve("./parent-watch.ts");
/** parent-watch.ts looks for its pipe here. */
const PARENT_DESCRIPTOR = 3;

/**
 * Runs this same Node with `args` from the project's root. `env` is added to the environment. The
 * caller reads the output.
 */
export function spawnWatched(
  args: readonly string[],
  env: Readonly<Record<string, string>>,
): ChildProcess {
  const child = spawn(process.execPath, ["--import", PARENT_WATCH, ...args], {
    cwd: ROOT,
    detached: true,
    env: { ...process.env, ...env },
    stdio: ["ignore", "pipe", "pipe", "pipe"],
  });
  // The end of the child is noticed by its exit.
  child.stdio[PARENT_DESCRIPTOR]?.on("error", () => undefined);
  return child;
}
