// Removes the suppressions that nothing needs any more (docs/storage.md §What takes it away): those
// whose time is over, on every shard, and those of deleted teams. It goes in small chunks, by turns
// among all that there is to remove, since a database does one thing at a time and others are
// waiting for it.
import { shardDatabase } from "../../db/client.ts";
import type { Env } from "../../env.ts";
import { HOUR_MS } from "../../limits.ts";
import { forgetDeletedTeam, listDeletedTeams } from "../team-settings/store.ts";
import { boundShards } from "../../settings.ts";
import { removeExpiredSuppressions, removeSuppressionsOfTeam } from "./store.ts";

const ROWS_PER_CHUNK = 250;
const CHUNKS = 400;
const PAUSE_MS = 50;
const DELETED_TEAMS = 100;
/**
 * Until then an isolate may know the team, and a batch of its mail be on its way: what it must not
 * reach stays suppressed.
 */
const TEAM_GONE_AFTER_MS = HOUR_MS;

interface Work {
  /** Removes a chunk, and answers how many rows that were. */
  readonly remove: () => Promise<number>;
  /** Follows the last chunk. */
  readonly end?: () => Promise<void>;
}

/**
 * `now` in Unix milliseconds. Throws where a shard failed, the others being done all the same: the
 * next sweep goes on where this one ended.
 */
export async function sweepSuppressions(env: Env, now: number): Promise<void> {
  const expired = boundShards(env).map((shard): Work => ({
    remove: () => removeExpiredSuppressions(shardDatabase(env, shard), now, ROWS_PER_CHUNK),
  }));
  const faults: unknown[] = [];
  let left: readonly Work[] = [...expired, ...(await ofDeletedTeams(env, now))];
  for (let chunks = 0; left.length > 0 && chunks < CHUNKS;) {
    const turn = left.slice(0, CHUNKS - chunks);
    const unfinished: Work[] = [];
    for (const work of turn) if (await isUnfinished(work, faults)) unfinished.push(work);
    chunks += turn.length;
    left = unfinished;
  }
  if (faults.length > 0) throw new AggregateError(faults, "suppressions that could not be removed");
}

async function ofDeletedTeams(env: Env, now: number): Promise<Work[]> {
  const bound = boundShards(env);
  const teams = await listDeletedTeams(env.DB, now - TEAM_GONE_AFTER_MS, DELETED_TEAMS);
  return teams
    .filter(({ shard }) => bound.includes(shard))
    .map(({ id, shard }) => ({
      remove: () =>
        removeSuppressionsOfTeam({ db: shardDatabase(env, shard), teamId: id }, ROWS_PER_CHUNK),
      end: () => forgetDeletedTeam(env.DB, id),
    }));
}

async function isUnfinished({ remove, end }: Work, faults: unknown[]): Promise<boolean> {
  try {
    if ((await remove()) < ROWS_PER_CHUNK) {
      await end?.();
      return false;
    }
  } catch (error) {
    faults.push(error);
    return false;
  }
  await scheduler.wait(PAUSE_MS);
  return true;
}
