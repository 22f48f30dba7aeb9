// Counts teams by core database (docs/core-databases.md), and by the shard of their events
// (docs/scaling.md §Adding a shard).
import { readAnsweringCores, readCores } from "../../db/core-shards.ts";
import { spanOn } from "../../db/shards.ts";
import type { Env } from "../../env.ts";
import type { Day, ShardSpan } from "../../rpc/shard-types.ts";

export async function countTeams(env: Env): Promise<number> {
  const counts = await readCores(env, countTeamsOf);
  return counts.reduce((sum, { teams }) => sum + teams, 0);
}

/** Returns the number of teams of one core database, and the highest number that it assigned. */
export async function countTeamsOf(
  db: D1Database,
): Promise<{ readonly teams: number; readonly highest: number }> {
  const counted = await db
    .prepare(
      "SELECT (SELECT count(*) FROM teams) AS teams, coalesce(max(seq), 0) AS highest " +
        "FROM sqlite_sequence WHERE name = 'teams'",
    )
    .first<{ teams: number; highest: number }>();
  return counted!;
}

/**
 * Counts for each shard the teams whose current span contains it. The result has no entry for
 * shards without a team. It lacks teams of core databases that do not answer.
 */
export async function countTeamsByShard(
  env: Env,
  today: Day,
): Promise<ReadonlyMap<number, number>> {
  const query = "SELECT shards AS spans, count(*) AS count FROM teams GROUP BY shards";
  const counted = await readAnsweringCores(
    env,
    (db) => db.prepare(query).all<{ spans: string; count: number }>(),
    () => false,
  );
  const counts = new Map<number, number>();
  for (const { spans, count } of counted.flatMap(({ results }) => results))
    for (const shard of spanOn(JSON.parse(spans) as ShardSpan[], today).shards)
      counts.set(shard, (counts.get(shard) ?? 0) + count);
  return counts;
}
