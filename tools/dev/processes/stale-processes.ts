// Records the processes that belong to a state directory. After a kill, the next start uses the
// record to end the remaining processes. The record also prevents two starts on one state
// directory.
import { rmSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { commandOf, groupMembers, signalGroup } from "../../harness/process-table.ts";
import { readStateFile, writeStateFile } from "../state-file.ts";

const FILE = "pids.json";
const END_WAIT_MS = 3_000;
const POLL_MS = 20;

interface Recorded {
  readonly pid: number;
  readonly command: string | null;
}

interface Book {
  readonly start: Recorded;
  readonly groups: readonly Recorded[];
}

/** Returns the process id of a running `npm start` on this state directory, or null. */
export function findRunningStart(state: string): number | null {
  const book = readBook(state);
  const alive = book !== null && book.start.pid !== process.pid && isSame(book.start);
  return alive ? book.start.pid : null;
}

/**
 * Ends the process groups that an ended start left behind. Resolves when they have released their
 * ports.
 */
export async function endStaleGroups(state: string): Promise<void> {
  const leftOver = (readBook(state)?.groups ?? []).filter(isStillThere);
  for (const group of leftOver) signalGroup(group.pid, "SIGKILL");
  const deadline = Date.now() + END_WAIT_MS;
  while (leftOver.some((group) => groupMembers(group.pid).length > 0) && Date.now() < deadline)
    await wait(POLL_MS);
}

/** Records this process and its current process groups. */
export function recordGroups(state: string, groups: readonly number[]): void {
  const book: Book = { start: recordOf(process.pid), groups: groups.map(recordOf) };
  writeStateFile(join(state, FILE), book);
}

/** Removes the record once no process runs any more. */
export function forgetGroups(state: string): void {
  rmSync(join(state, FILE), { force: true });
}

function recordOf(pid: number): Recorded {
  return { pid, command: commandOf(pid) };
}

function isSame({ pid, command }: Recorded): boolean {
  return command !== null && commandOf(pid) === command;
}

/**
 * Checks for the recorded leader, or for members without it. The system does not reuse a group's
 * number while a member lives.
 */
function isStillThere(group: Recorded): boolean {
  return isSame(group) || (commandOf(group.pid) === null && groupMembers(group.pid).length > 0);
}

function readBook(state: string): Book | null {
  return (readStateFile(join(state, FILE)) as Book | undefined) ?? null;
}
