// The arguments and results of the ledger's call that reads its log's recent events
// (docs/storage.md §Reading chunks).
import type { EventRecord } from "./event-records.ts";
import type { WholeEventFilters } from "./history-query.ts";

/** Most events in one answer. Each event repeats its message's headers, which may take 200 KB. */
export const RECENT_EVENTS = 200;

/**
 * Asks for events that are in no chunk yet, newest first: from `start` on, and before (`before.at`,
 * `before.id`) in the order of (occurredAt, id).
 */
export interface RecentEventsRequest {
  /** Unix milliseconds, inclusive. */
  readonly start: number;
  /** Exclusive. */
  readonly before: { readonly at: number; readonly id: string };
  readonly filters: WholeEventFilters;
  /** Maximum number of events; RECENT_EVENTS is the most. */
  readonly limit: number;
}

/** The facts of a recent event that are its message's and its attempt's. */
export interface EventOrigin {
  /** The start of its message, Unix milliseconds. */
  readonly startedAt: number;
  /** The mail server of its attempt; null: unknown, or none. */
  readonly mxHost: string | null;
}

export interface RecentEvents {
  /** Newest first. */
  readonly events: readonly EventRecord[];
  /** The row number of each event. A chunk that reaches as far as this number has the event. */
  readonly seqs: readonly number[];
  /** The origin of each event. Absent: the ledger runs an earlier version (decision 0022). */
  readonly origins?: readonly EventOrigin[];
  /** True if there are older recent events than the last of these. */
  readonly isMore: boolean;
  /** D1's bookmark after the last chunk written to each shard, by shard. */
  readonly bookmarks: Readonly<Record<number, string>>;
}
