// Chooses the shard of a new team (docs/scaling.md §Adding a shard). The candidates are the shards
// in `SHARDS_FOR_NEW_TEAMS` that are not full. Chooses the candidate with the fewest teams. If
// several candidates have equally few teams, chooses the newest of them.
import { dayOf } from "../../db/days.ts";
import type { Env } from "../../env.ts";
import type { Settings } from "../../settings.ts";
import { countTeamsByShard } from "../team-settings/team-counts.ts";
import { measureShards, filterWithRoom } from "./sizes.ts";

export async function chooseShard(
  env: Env,
  { newTeamShards }: Settings,
  now: number,
): Promise<number> {
  const [only, ...others] = newTeamShards;
  if (only !== undefined && others.length === 0) return only;
  const [sizes, teams] = await Promise.all([
    measureShards(env, newTeamShards, now),
    countTeamsByShard(env, dayOf(now)),
  ]);
  return sortByTeams(filterWithRoom(newTeamShards, sizes), teams)[0] as number;
}

/** Sorts shards by number of teams, fewest first, then from newest to oldest. */
export function sortByTeams(
  shards: readonly number[],
  teams: ReadonlyMap<number, number>,
): number[] {
  return shards.toSorted(
    (left, right) => (teams.get(left) ?? 0) - (teams.get(right) ?? 0) || right - left,
  );
}
