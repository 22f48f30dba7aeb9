// Which shard a new team is put on (docs/scaling.md): of those that take new teams (`SHARDS_FOR_NEW_TEAMS`) the one with the fewest, and the newest of several.
import { dayOf } from "../../db/partitions.ts";
import type { Env, Settings } from "../../env.ts";
import { teamsByShard } from "./store.ts";

export async function shardForNewTeam(env: Env, { newTeamShards }: Settings, now: number): Promise<number> {
  const [only, ...others] = newTeamShards;
  if (only !== undefined && others.length === 0) return only;
  return emptiest(newTeamShards, await teamsByShard(env.DB, dayOf(now)));
}

/** Throws where there is none to choose from. */
export function emptiest(shards: readonly number[], teams: ReadonlyMap<number, number>): number {
  const [first] = shards.toSorted((left, right) => (teams.get(left) ?? 0) - (teams.get(right) ?? 0) || right - left);
  if (first === undefined) throw new Error("no shard is bound: add SHARD_0 to wrangler.toml");
  return first;
}
