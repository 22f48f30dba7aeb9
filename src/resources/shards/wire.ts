// The shapes of shards in the operator's API (docs/scaling.md).
import * as z from "zod";
import type { ShardSpan as StoredSpan } from "../../rpc/shard-types.ts";
import { startOf } from "../../db/days.ts";

/**
 * A list of n shards, and the first UTC day for which the list applies. Day d, counted from 1970,
 * is stored on `shards[d mod n]`.
 */
export const ShardSpan = z.object({ from: z.iso.date(), shards: z.array(z.int()) });

export const Shards = z.object({
  shards: z.array(
    z.object({
      shard: z.int(),
      /** Number of teams that use this shard now. A team with several shards counts for each. */
      teams: z.int(),
      /** Size in bytes. Null: the shard did not answer. */
      size: z.int().nullable(),
      takes_new_teams: z.boolean(),
    }),
  ),
  core_shards: z
    .array(
      z.object({
        core_shard: z.int(),
        /** Null: the core database did not answer. */
        teams: z.int().nullable(),
        size: z.int().nullable(),
        takes_new_teams: z.boolean(),
      }),
    )
    .describe("The databases of what teams manage. A team stays on its core shard."),
});

export const WidenTeam = z.object({
  shards: z.array(z.int()).optional(),
  /** True: the response shows the result, but the request changes nothing. */
  dry_run: z.boolean().optional(),
});

export const ShardsOfTeam = z.object({ shards: z.array(ShardSpan) });

export function toShardSpans(spans: readonly StoredSpan[]): z.output<typeof ShardSpan>[] {
  return spans.map(({ from, shards }) => ({
    from: new Date(startOf(from)).toISOString().slice(0, "yyyy-mm-dd".length),
    shards: [...shards],
  }));
}
