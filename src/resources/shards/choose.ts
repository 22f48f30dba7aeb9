// Which shard a new team is put on (docs/scaling.md §Adding a shard): of those that take new teams
// (`SHARDS_FOR_NEW_TEAMS`) and have room, the one with the fewest teams, and the newest of several.
import type { Env } from "../../env.ts";
import { teamsByShard } from "../team-settings/store.ts";
import type { Settings } from "../../settings.ts";
import { dayOf } from "../../db/days.ts";
import { shardSizes, withRoom } from "./sizes.ts";

export async function shardForNewTeam(
  env: Env,
  { newTeamShards }: Settings,
  now: number,
): Promise<number> {
  const [only, ...others] = newTeamShards;
  if (only !== undefined && others.length === 0) return only;
  const [sizes, teams] = await Promise.all([
    shardSizes(env, newTeamShards, now),
    teamsByShard(env.DB, dayOf(now)),
  ]);
  return fewestFirst(withRoom(newTeamShards, sizes), teams)[0] as number;
}

/** By their teams, the newest shard first of equals. */
export function fewestFirst(
  shards: readonly number[],
  teams: ReadonlyMap<number, number>,
): number[] {
  return shards.toSorted(
    (left, right) => (teams.get(left) ?? 0) - (teams.get(right) ?? 0) || right - left,
  );
}
