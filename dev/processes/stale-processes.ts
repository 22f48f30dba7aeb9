// Which processes belong to a state directory: recorded as they start, so that a start after a kill
// ends what the last one left running, and two starts do not share a state.
import { rmSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { commandOf, groupMembers, signalGroup } from "./process-group.ts";
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

/** The process id of a `npm start` that is alive on this state directory, or null. */
export function livingStart(state: string): number | null {
  const book = readBook(state);
  const alive = book !== null && book.start.pid !== process.pid && isSame(book.start);
  return alive ? book.start.pid : null;
}

/**
 * Ends the groups that a start which is gone left behind; resolves when they have let go of their
 * ports.
 */
export async function endLeftovers(state: string): Promise<void> {
  const leftOver = (readBook(state)?.groups ?? []).filter(isStillThere);
  for (const group of leftOver) signalGroup(group.pid, "SIGKILL");
  const deadline = Date.now() + END_WAIT_MS;
  while (leftOver.some((group) => groupMembers(group.pid).length > 0) && Date.now() < deadline)
    await wait(POLL_MS);
}

/** Records this process and the groups that it leads by now. */
export function recordGroups(state: string, groups: readonly number[]): void {
  const book: Book = { start: recorded(process.pid), groups: groups.map(recorded) };
  writeStateFile(join(state, FILE), book);
}

/** Removes the record once nothing is left running. */
export function forgetGroups(state: string): void {
  rmSync(join(state, FILE), { force: true });
}

function recorded(pid: number): Recorded {
  return { pid, command: commandOf(pid) };
}

function isSame({ pid, command }: Recorded): boolean {
  return command !== null && commandOf(pid) === command;
}

/**
 * The leader as it was recorded, or members without it: the number of a group isn't given out again
 * while one lives.
 */
function isStillThere(group: Recorded): boolean {
  return isSame(group) || (commandOf(group.pid) === null && groupMembers(group.pid).length > 0);
}

function readBook(state: string): Book | null {
  return (readStateFile(join(state, FILE)) as Book | undefined) ?? null;
}
