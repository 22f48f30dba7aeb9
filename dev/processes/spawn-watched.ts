// Starts a Node program in a process group of its own that cannot outlive this process
// (parent-watch.ts).
import { type ChildProcess, spawn } from "node:child_process";
import { ROOT } from "../dev-settings.ts";

const LEASH = import.meta.resolve("./parent-watch.ts");
/** Where parent-watch.ts looks for its pipe. */
const LEASH_DESCRIPTOR = 3;

/**
 * Runs this same Node with `args` from the project's root; `env` is added to the environment. Its
 * output is to be read by the caller.
 */
export function spawnLeashed(
  args: readonly string[],
  env: Readonly<Record<string, string>>,
): ChildProcess {
  const child = spawn(process.execPath, ["--import", LEASH, ...args], {
    cwd: ROOT,
    detached: true,
    env: { ...process.env, ...env },
    stdio: ["ignore", "pipe", "pipe", "pipe"],
  });
  // Its end is heard of by its exit.
  child.stdio[LEASH_DESCRIPTOR]?.on("error", () => undefined);
  return child;
}
