// Tells whether a build is the first build of a run of wrangler. Only the first build prints
// messages, because messages after every edit would disturb the developer.
import { join } from "node:path";
import { commandOf, readProcess } from "../harness/process-table.ts";
import { readStateFile, writeStateFile } from "./state-file.ts";

/**
 * Tells whether this is the first build of the current run of wrangler. `folder` has the record of
 * the last run. Always returns true on systems that do not show a process's parent.
 */
export function isFirstBuild(folder: string): boolean {
  const path = join(folder, "last-run.json");
  const pid = wranglerAbove(process.ppid);
  const last = readStateFile(path) as { pid: number } | undefined;
  if (pid === null || last?.pid === pid) return pid === null;
  writeStateFile(path, { pid });
  return true;
}

function wranglerAbove(pid: number | null): number | null {
  if (pid === null || pid <= 1) return null;
  if (/wrangler-dist/.test(commandOf(pid) ?? "")) return pid;
  return wranglerAbove(readProcess(pid)?.parent ?? null);
}
