// Removes expired suppressions, and suppressions of deleted teams (docs/storage.md §What takes it
// away). A database runs one statement at a time. So each statement removes only a few rows, and
// other statements do not wait long.
import { shardDatabase } from "../../db/client.ts";
import { eachCore } from "../../db/core-shards.ts";
import type { Env } from "../../env.ts";
import { GatheredFaults } from "../../lib/gathered-faults.ts";
import { HOUR_MS } from "../../limits.ts";
import { forgetDeletedTeam, listDeletedTeams } from "../team-settings/store.ts";
import { boundShards } from "../../settings.ts";
import { removeExpiredSuppressions } from "./store.ts";

/** The tables of a shard in which a deleted team still has rows. */
const TABLES_OF_TEAM = ["suppressions", "audit_entries"];
const ROWS_PER_CHUNK = 250;
const CHUNKS_PER_SWEEP = 400;
const PAUSE_MS = 50;
const DELETED_TEAMS_PER_SWEEP = 100;
/**
 * Time from a team's deletion until its suppressions are removed. During this time, an isolate may
 * have cached the team, or a queue may have mail of the team. This mail must not reach suppressed
 * addresses.
 */
const TEAM_GONE_AFTER_MS = HOUR_MS;

interface Removal {
  /** Removes a limited number of rows. Returns the number of removed rows. */
  readonly remove: () => Promise<number>;
  /** Called after `remove` has removed the last rows. */
  readonly end?: () => Promise<void>;
}

/**
 * Removes a limited number of suppressions at `now` (Unix milliseconds). The next sweep continues.
 * If a shard fails, sweeps the other shards, and throws at the end.
 */
export async function sweepSuppressions(env: Env, now: number): Promise<void> {
  const expired = boundShards(env).map((shard): Removal => ({
    remove: () => removeExpiredSuppressions(shardDatabase(env, shard), now, ROWS_PER_CHUNK),
  }));
  const faults = new GatheredFaults();
  const ofTeams: Removal[] = [];
  await faults.of(
    eachCore(env, async (core) => ofTeams.push(...(await listTeamRemovals(env, core, now)))),
  );
  let remaining: readonly Removal[] = [...expired, ...ofTeams];
  for (let chunks = 0; remaining.length > 0 && chunks < CHUNKS_PER_SWEEP;) {
    const turn = remaining.slice(0, CHUNKS_PER_SWEEP - chunks);
    const unfinished: Removal[] = [];
    for (const removal of turn)
      await faults.of(removeChunk(removal).then((isLeft) => isLeft && unfinished.push(removal)));
    chunks += turn.length;
    remaining = unfinished;
  }
  faults.throwAny();
}

async function listTeamRemovals(env: Env, core: D1Database, now: number): Promise<Removal[]> {
  const bound = boundShards(env);
  const teams = await listDeletedTeams(core, now - TEAM_GONE_AFTER_MS, DELETED_TEAMS_PER_SWEEP);
  return teams
    .filter(({ shard }) => bound.includes(shard))
    .map(({ id, shard }) => ({
      remove: () => removeRowsOfTeam(shardDatabase(env, shard), id),
      end: () => forgetDeletedTeam(core, id),
    }));
}

/**
 * Deletes up to ROWS_PER_CHUNK rows of a team in each table. Returns the highest number of deleted
 * rows of one table.
 */
async function removeRowsOfTeam(db: D1Database, teamId: string): Promise<number> {
  const removed = await db.batch(
    TABLES_OF_TEAM.map((table) =>
      db
        .prepare(
          `DELETE FROM ${table} WHERE rowid IN
            (SELECT rowid FROM ${table} WHERE team_id = ? LIMIT ?)`,
        )
        .bind(teamId, ROWS_PER_CHUNK),
    ),
  );
  return Math.max(...removed.map(({ meta }) => meta.changes));
}

/** Returns whether rows are left. */
async function removeChunk({ remove, end }: Removal): Promise<boolean> {
  if ((await remove()) < ROWS_PER_CHUNK) {
    await end?.();
    return false;
  }
  await scheduler.wait(PAUSE_MS);
  return true;
}
