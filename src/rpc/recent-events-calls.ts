// The arguments and results of the ledger's call that reads recent events (docs/storage.md §Reading
// chunks).
import type { EventRecord } from "./event-records.ts";
import type { WholeEventFilters } from "./history-query.ts";

/**
 * Maximum number of events in one result. The maximum is low, because each event repeats its
 * message's headers, which may take 200 KB.
 */
export const RECENT_EVENTS = 200;

/**
 * Selects events that are not in a chunk yet, from `start` to before the position `before`. The
 * result is sorted by time and then by id, newest first.
 */
export interface RecentEventsRequest {
  /** Unix milliseconds, inclusive. */
  readonly start: number;
  /** All selected events are older than this position. */
  readonly before: { readonly at: number; readonly id: string };
  readonly filters: WholeEventFilters;
  /** Maximum number of events, up to RECENT_EVENTS. */
  readonly limit: number;
}

/** Facts about a recent event that come from its message and its attempt. */
export interface EventOrigin {
  /** The message's scheduled time, or else its acceptance, Unix milliseconds. */
  readonly startedAt: number;
  /**
   * The mail server of the event's attempt. Null: the attempt reached no server, or the server is
   * unknown.
   */
  readonly mxHost: string | null;
}

export interface RecentEvents {
  /** Newest first. */
  readonly events: readonly EventRecord[];
  /**
   * The number of each event's row in the log. If a chunk's last row has this number or a higher
   * number, the chunk contains the event.
   */
  readonly seqs: readonly number[];
  /** The origin of each event. */
  readonly origins: readonly EventOrigin[];
  /** True if there are older recent events. */
  readonly isMore: boolean;
  /** D1's bookmark after the last chunk that was written to each shard, by shard. */
  readonly bookmarks: Readonly<Record<number, string>>;
}
