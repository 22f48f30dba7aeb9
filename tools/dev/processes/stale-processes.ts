// Records the processes that belong to a state directory. If the stack is killed, the next start
// reads the record and ends the processes that still run. The record also prevents a second start
// on the same state directory.
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

/** Returns the id of the `npm start` that runs on this state directory, or null. */
export function findRunningStart(state: string): number | null {
  const book = readBook(state);
  const alive = book !== null && book.start.pid !== process.pid && isSame(book.start);
  return alive ? book.start.pid : null;
}

/**
 * Ends the process groups that a finished start left running. Resolves when these
 * processes have ended, so that their ports are free.
 */
export async function endStaleGroups(state: string): Promise<void> {
  const leftOver = (readBook(state)?.groups ?? []).filter(isStillThere);
  for (const group of leftOver) signalGroup(group.pid, "SIGKILL");
  const deadline = Date.now() + END_WAIT_MS;
  while (leftOver.some((group) => groupMembers(group.pid).length > 0) && Date.now() < deadline)
    await wait(POLL_MS);
}

export function recordGroups(state: string, groups: readonly number[]): void {
  const book: Book = { start: recordOf(process.pid), groups: groups.map(recordOf) };
  writeStateFile(join(state, FILE), book);
}

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
 * Tells whether a recorded process group still runs: its leader runs, or the leader has ended but
 * other members run. The system does not reuse the group's number while a member runs.
 */
function isStillThere(group: Recorded): boolean {
  return isSame(group) || (commandOf(group.pid) === null && groupMembers(group.pid).length > 0);
}

function readBook(state: string): Book | null {
  return (readStateFile(join(state, FILE)) as Book | undefined) ?? null;
}
