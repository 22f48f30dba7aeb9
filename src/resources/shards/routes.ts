// Serves the operator's view of the shards (docs/scaling.md): lists the shards with their teams and
// sizes, and distributes a team over several shards.
import { Shards, WidenTeam, ShardsOfTeam, toShardSpans } from "./wire.ts";
import type * as z from "zod";
import { dayOf } from "../../db/days.ts";
import { type Endpoint, endpoint, json } from "../../endpoint.ts";
import { boundShards } from "../../settings.ts";
import { countTeamsByShard } from "../team-settings/team-counts.ts";
import { chooseAmong, countCores } from "./choose-core.ts";
import { measureCores, measureShards } from "./sizes.ts";
import { widenTeam } from "./widen.ts";

export const shardEndpoints: readonly Endpoint[] = [
  endpoint({
    method: "GET",
    path: "/admin/shards",
    operationId: "listShards",
    summary: "List the shards",
    permission: "operator",
    responses: { 200: Shards },
    async handle({ env, settings, now }) {
      const bound = boundShards(env);
      const [teams, sizes, cores, coreSizes] = await Promise.all([
        countTeamsByShard(env, dayOf(now)),
        measureShards(env, bound, now),
        countCores(env),
        measureCores(env, now),
      ]);
      const chosen = chooseAmong(cores)?.shard;
      const shards = bound.map((shard) => ({
        shard,
        teams: teams.get(shard) ?? 0,
        size: sizes.get(shard) ?? null,
        takes_new_teams: settings.newTeamShards.includes(shard),
      }));
      const coreShards = cores.map(({ shard, counted }) => ({
        core_shard: shard,
        teams: counted?.teams ?? null,
        size: coreSizes.get(shard) ?? null,
        takes_new_teams: shard === chosen,
      }));
      return json(200, { shards, core_shards: coreShards } satisfies z.output<typeof Shards>);
    },
  }),
  endpoint({
    method: "POST",
    path: "/admin/teams/:id/shards",
    operationId: "widenTeam",
    summary: "Spread a team's events over several shards",
    description:
      "From the next UTC midnight that is at least an hour away, the team's days of events " +
      "are stored on `shards` in turn. Without `shards`, they are stored on the current " +
      "shards and the emptiest other one. Shards above 7 GB are left out while there are " +
      "others. Events already written stay where they are. Until an hour before that " +
      "midnight, another call replaces this one.",
    permission: "operator",
    body: WidenTeam,
    optionalBody: true,
    audit: { store: "core", operation: "team.widen" },
    responses: { 200: ShardsOfTeam },
    async handle(request) {
      const { env, id, body } = request;
      const spans = await widenTeam(env, id, body.shards ?? null, request, body.dry_run ?? false);
      return json(200, { shards: toShardSpans(spans) } satisfies z.output<typeof ShardsOfTeam>);
    },
  }),
];
