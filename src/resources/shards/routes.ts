// The operator's shards (docs/scaling.md): which there are, and how many teams each has.
import * as z from "zod";
import { dayOf } from "../../db/partitions.ts";
import { type Endpoint, endpoint, json } from "../../endpoint.ts";
import { boundShards } from "../../env.ts";
import { teamsByShard } from "../teams/store.ts";

const Shards = z.object({
  shards: z.array(z.object({ shard: z.int(), teams: z.int(), takes_new_teams: z.boolean() })),
});

export const shardEndpoints: readonly Endpoint[] = [
  endpoint({
    method: "GET",
    path: "/admin/shards",
    operationId: "listShards",
    summary: "Which shards there are",
    permission: "operator",
    responses: { 200: Shards },
    async handle({ env, settings, now }) {
      const teams = await teamsByShard(env.DB, dayOf(now));
      const shards = boundShards(env).map((shard) => ({
        shard,
        teams: teams.get(shard) ?? 0,
        takes_new_teams: settings.newTeamShards.includes(shard),
      }));
      return json(200, { shards } satisfies z.output<typeof Shards>);
    },
  }),
];
