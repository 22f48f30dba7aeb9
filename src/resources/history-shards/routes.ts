// The operator's shards (docs/scaling.md): which there are and how many teams each has, and the moving of a team from one to another.
import * as z from "zod";
import { type Endpoint, endpoint, json } from "../../endpoint.ts";
import { boundShards } from "../../env.ts";
import { refuse } from "../../refusal.ts";
import { teamsByShard } from "../teams/store.ts";
import { moveOn } from "./move.ts";

const CURSOR_CHARACTERS = 200;

const HistoryShards = z.object({
  shards: z.array(z.object({ shard: z.int(), teams: z.int(), takes_new_teams: z.boolean() })),
});

const MoveHistory = z.object({
  shard: z.int(),
  /** `next` of the call before; without it a move is begun, or taken up. */
  after: z.string().max(CURSOR_CHARACTERS).nullable().optional(),
});

const HistoryMove = z.object({
  state: z.enum(["copying", "catching_up", "settling", "moved"]),
  /** Null: there was nothing to move. */
  from: z.int().nullable(),
  to: z.int(),
  /** By this call. What is there already counts too. */
  copied: z.object({ messages: z.int(), events: z.int() }),
  next: z.string().nullable(),
  settles_at: z.iso.datetime().nullable(),
});

export const historyShardEndpoints: readonly Endpoint[] = [
  endpoint({
    method: "GET",
    path: "/admin/history-shards",
    operationId: "listHistoryShards",
    summary: "Which shards there are",
    permission: "operator",
    responses: { 200: HistoryShards },
    async handle({ env, settings }) {
      const teams = await teamsByShard(env.DB);
      const shards = boundShards(env).map((shard) => ({
        shard,
        teams: teams.get(shard) ?? 0,
        takes_new_teams: settings.newTeamShards.includes(shard),
      }));
      return json(200, { shards } satisfies z.output<typeof HistoryShards>);
    },
  }),
  endpoint({
    method: "POST",
    path: "/admin/teams/:id/history-shard",
    operationId: "moveTeamHistory",
    summary: "Move a team's history to another shard, a piece a call",
    description:
      "Call it with the `next` of the answer before as `after` until `state` is `moved`. While it is `settling`, call it without `after`, at the latest a while after `settles_at`; " +
      "a call without `after` also takes up a move that was broken off. Mail goes on meanwhile.",
    permission: "operator",
    body: MoveHistory,
    responses: { 200: HistoryMove },
    async handle({ env, params, body, now }) {
      const bound = boundShards(env);
      if (!bound.includes(body.shard)) throw refuse("invalid", { errors: { shard: [`is not bound; there are ${bound.join(", ")}`] } });
      const { settlesAt, ...progress } = await moveOn(env, params.id ?? "", body.shard, body.after ?? null, now);
      const settles_at = settlesAt === null ? null : new Date(settlesAt).toISOString();
      return json(200, { ...progress, settles_at } satisfies z.output<typeof HistoryMove>);
    },
  }),
];
