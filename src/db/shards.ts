// Finds the shard of a team's data (docs/scaling.md). An event is on a shard of the span that
// covers its UTC day. Suppressions are always on the team's first shard. Pure.
import type { Day, ShardSpan } from "../rpc/shard-types.ts";
import { DAY_MS } from "../limits.ts";
import { startOf } from "./days.ts";

/** Returns the number of days since 1970. */
function dayNumber(day: Day): number {
  return Math.floor(startOf(day) / DAY_MS);
}

/**
 * Returns the span that covers a day. `spans` are sorted oldest first. The first span also covers
 * all days before it. Throws if `spans` is empty.
 */
export function spanOn(spans: readonly ShardSpan[], day: Day): ShardSpan {
  const span = spans.findLast(({ from }) => from <= day) ?? spans[0];
  if (!span || span.shards.length === 0) throw new Error("a team has no shard");
  return span;
}

/** Returns the shard with a team's events of a day. */
export function shardOn(spans: readonly ShardSpan[], day: Day): number {
  const { shards } = spanOn(spans, day);
  return shards[dayNumber(day) % shards.length] as number;
}

/** Returns the shard with a team's suppressions, which is the team's first shard. */
export function homeShard(spans: readonly ShardSpan[]): number {
  const [first] = spans[0]?.shards ?? [];
  if (first === undefined) throw new Error("a team has no shard");
  return first;
}
