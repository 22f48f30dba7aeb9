// How the worker speaks of shards (docs/scaling.md): a day, the span of days that lie on certain
// shards, and how much of each shard a reader has seen.

/** A UTC day as its tables are named: `yyyymmdd`. Days compare as text. */
export type Day = string;

/**
 * From the UTC day `from` on, until the next span begins, day d lies on `shards[dayNumber(d) %
 * shards.length]`.
 */
export interface ShardSpan {
  readonly from: Day;
  /** Numbers of `SHARD_<n>` bindings, at least one. */
  readonly shards: readonly number[];
}

/**
 * How much of each shard was seen: D1's own bookmarks, by the shard's number. A bookmark means
 * nothing to another shard.
 */
export type Bookmarks = Readonly<Record<number, string>>;

/** The part of a database, or of a session of it, that statements are prepared and run with. */
export type Reads = Pick<D1Database, "prepare" | "batch">;
