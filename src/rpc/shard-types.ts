// The types for data on several shards (docs/scaling.md): days, spans of days, and bookmarks.

/**
 * A UTC day in the form `yyyymmdd`, as in the names of its tables. Days can be compared as text.
 */
export type Day = string;

/**
 * The shards that store a team's days from the UTC day `from` until the next span begins. Day d is
 * on `shards[dayNumber(d) % shards.length]`.
 */
export interface ShardSpan {
  readonly from: Day;
  /** Numbers of `SHARD_<n>` bindings, at least one. */
  readonly shards: readonly number[];
}

/**
 * D1's bookmarks, by shard number. A bookmark says up to which write a reader has seen its shard.
 */
export type Bookmarks = Readonly<Record<number, string>>;

/** The methods of a database, or of a session, that prepare and run statements. */
export type Reads = Pick<D1Database, "prepare" | "batch">;
