// Removes the remains of a run when the pipe from the run closes (run-folder.ts). First it kills
// the run's process groups, whose numbers come through the pipe. Then it kills every process whose
// TMPDIR is in the run's folder. Then it removes the folder.
import { rmSync } from "node:fs";
import { createInterface } from "node:readline";
import { setTimeout as sleep } from "node:timers/promises";
import { environmentOf, processes, signalGroup } from "./process-table.ts";

const POLL_MS = 20;
const [, , folder = ""] = process.argv;
const groups: number[] = [];

createInterface({ input: process.stdin })
  .on("line", (line) => groups.push(Number(line)))
  .once("close", () => void removeAll());

async function removeAll(): Promise<void> {
  for (const group of groups) signalGroup(group, "SIGKILL");
  // A process may start another process before it is killed, so this is repeated until no process
  // is left.
  while (processes().filter(({ pid }) => isOfRun(pid) && kill(pid)).length > 0)
    await sleep(POLL_MS);
  rmSync(folder, { recursive: true, force: true, maxRetries: 10, retryDelay: 200 });
}

function isOfRun(pid: number): boolean {
  const directory = environmentOf(pid)["TMPDIR"];
  return (
    pid !== process.pid && (directory === folder || directory?.startsWith(`${folder}/`) === true)
  );
}

/** Returns false if the process has already ended. */
function kill(pid: number): boolean {
  try {
    return process.kill(pid, "SIGKILL");
  } catch {
    return false;
  }
}
