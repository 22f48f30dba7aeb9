// Which shard holds what of a team (docs/scaling.md): its events lie by their UTC day on the shards
// of the span that holds for that day, its suppressions on its first shard for good. Pure.
import type { Day, ShardSpan } from "../contracts/shard-types.ts";
import { DAY_MS } from "../limits.ts";
import { startOf } from "./days.ts";

/** Days since 1970. */
export function dayNumber(day: Day): number {
  return Math.floor(startOf(day) / DAY_MS);
}

/**
 * The span that holds for a day. `spans`: oldest first; the first one holds for the days before it
 * too. Throws where there is none.
 */
export function spanOn(spans: readonly ShardSpan[], day: Day): ShardSpan {
  const span = spans.findLast(({ from }) => from <= day) ?? spans[0];
  if (!span || span.shards.length === 0) throw new Error("a team has no shard");
  return span;
}

/** The shard that holds a team's events of a day. */
export function shardOn(spans: readonly ShardSpan[], day: Day): number {
  const { shards } = spanOn(spans, day);
  return shards[dayNumber(day) % shards.length] as number;
}

/** The shard that holds a team's suppressions: the first that it was given. */
export function homeShard(spans: readonly ShardSpan[]): number {
  const [first] = spans[0]?.shards ?? [];
  if (first === undefined) throw new Error("a team has no shard");
  return first;
}
