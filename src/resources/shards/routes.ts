// The operator's shards (docs/scaling.md): which there are, how many teams each has and how large
// it is, and the spreading of a team over several.
import type * as z from "zod";
import { type Endpoint, endpoint, json } from "../../endpoint.ts";
import { teamsByShard } from "../team-settings/store.ts";
import { Shards, ShardsOfTeam, toShardSpans, WidenTeam } from "./wire.ts";
import { shardSizes } from "./sizes.ts";
import { boundShards } from "../../settings.ts";
import { dayOf } from "../../db/days.ts";
import { widen } from "./widen.ts";

export const shardEndpoints: readonly Endpoint[] = [
  endpoint({
    method: "GET",
    path: "/admin/shards",
    operationId: "listShards",
    summary: "Which shards there are",
    permission: "operator",
    responses: { 200: Shards },
    async handle({ env, settings, now }) {
      const bound = boundShards(env);
      const [teams, sizes] = await Promise.all([
        teamsByShard(env.DB, dayOf(now)),
        shardSizes(env, bound, now),
      ]);
      const shards = bound.map((shard) => ({
        shard,
        teams: teams.get(shard) ?? 0,
        size: sizes.get(shard) ?? null,
        takes_new_teams: settings.newTeamShards.includes(shard),
      }));
      return json(200, { shards } satisfies z.output<typeof Shards>);
    },
  }),
  endpoint({
    method: "POST",
    path: "/admin/teams/:id/shards",
    operationId: "widenTeam",
    summary: "Spread a team's events over several shards",
    description:
      "From the next UTC midnight that is at least an hour away, the team's days of events lie on `shards` in turn; without `shards`, on those that it has and the emptiest other one. " +
      "Shards above 7 GB are left out while there are others. What is written already stays where it is. Until an hour before that midnight another call takes the place of this one.",
    permission: "operator",
    body: WidenTeam,
    optionalBody: true,
    responses: { 200: ShardsOfTeam },
    async handle({ env, params, body, now }) {
      const spans = await widen(
        env,
        params.id ?? "",
        body.shards ?? null,
        now,
        body.dry_run ?? false,
      );
      return json(200, { shards: toShardSpans(spans) } satisfies z.output<typeof ShardsOfTeam>);
    },
  }),
];
