// The types that describe shards (docs/scaling.md): a day, a span of days on a set of shards, and
// how much of each shard a reader has seen.

/** A UTC day as in the names of its tables: `yyyymmdd`. Days can be compared as text. */
export type Day = string;

/**
 * The shards that have a team's days from the UTC day `from` on, until the next span begins. Day d
 * is on `shards[dayNumber(d) % shards.length]`.
 */
export interface ShardSpan {
  readonly from: Day;
  /** Numbers of `SHARD_<n>` bindings, at least one. */
  readonly shards: readonly number[];
}

/**
 * D1's bookmarks by shard number: how much of each shard was seen. A bookmark is valid only for its
 * own shard.
 */
export type Bookmarks = Readonly<Record<number, string>>;

/** The methods of a database, or of a session, that prepare and run statements. */
export type Reads = Pick<D1Database, "prepare" | "batch">;
