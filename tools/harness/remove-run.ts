// Removes what a run has left, when the pipe from the run closes (run-folder.ts): its process
// groups, whose numbers come by the pipe, then every process whose TMPDIR is the run's folder or
// lies in it, and then the folder.
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
  // A process may start another one before it is killed.
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

/** Returns false if the process has ended already. */
function kill(pid: number): boolean {
  try {
    return process.kill(pid, "SIGKILL");
  } catch {
    return false;
  }
}
