// The shards and teams that unit tests use.
import type { Team } from "../../src/endpoint.ts";
import { teamFor } from "../../src/resources/team-settings/team-cache.ts";
import type { ShardSpan } from "../../src/rpc/shard-types.ts";
import { bindings } from "./api.ts";

export const ON_SHARD_0: readonly ShardSpan[] = [{ from: "20200101", shards: [0] }];

/** Returns the team with the number and the shards that are needed to write its events. */
export async function numbered(teamId: string): Promise<Team> {
  const team = await teamFor(bindings, teamId, Date.now());
  if (!team) throw new Error(`no team ${teamId}`);
  return team;
}
