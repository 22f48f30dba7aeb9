// The types that shards are described by (docs/scaling.md): a day, the span of days that a set of
// shards holds, and how much of each shard a reader has seen.

/** A UTC day as its tables are named: `yyyymmdd`. Days compare as text. */
export type Day = string;

/**
 * The shards that hold a team's days from the UTC day `from` until the next span begins. Day d is
 * on `shards[dayNumber(d) % shards.length]`.
 */
export interface ShardSpan {
  readonly from: Day;
  /** Numbers of `SHARD_<n>` bindings, at least one. */
  readonly shards: readonly number[];
}

/**
 * D1's bookmarks by shard number: how much of each shard was seen. A bookmark is valid for its own
 * shard only.
 */
export type Bookmarks = Readonly<Record<number, string>>;

/** The part of a database, or of a session of it, that statements are prepared and run with. */
export type Reads = Pick<D1Database, "prepare" | "batch">;
