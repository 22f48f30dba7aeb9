// How a reader asks for events of the past: the filters that an event has to pass, and the position
// that a reader has reached (contract.md §Pulled history). The ledger's tail and a webhook's replay
// are asked in the same terms as the pages of the history.
import type { EventType } from "./event-types.ts";
import type { Bookmarks } from "./shard-types.ts";

/** The filters of GET /events, without its window. An event has to pass all that are given. */
export interface EventFilters {
  readonly event_type?: EventType | undefined;
  /** In the form that suppressions are looked up by. */
  readonly recipient?: string | undefined;
  readonly email_id?: string | undefined;
  readonly message_id?: string | undefined;
  readonly domain?: string | undefined;
  readonly topic?: string | undefined;
  readonly campaign?: string | undefined;
  readonly template_id?: string | undefined;
  readonly ip_pool?: string | undefined;
  /** The event has all of them. */
  readonly tags?: readonly string[] | undefined;
  /** Words that the subject has, all of them. */
  readonly subject?: string | undefined;
}

/** A webhook's replay asks for any of several types as well. */
export interface WholeEventFilters extends EventFilters {
  readonly event_types?: readonly EventType[] | undefined;
}

/**
 * Goes backwards: the events that happened before `at`, and at that moment with an id below `id`,
 * down to `start`.
 */
export interface Position {
  /** Unix milliseconds, inclusive. */
  readonly start: number;
  /** Unix milliseconds. */
  readonly at: number;
  /** An event's id, or "" for none: no event of that moment is left. */
  readonly id: string;
  /** What the pages before saw of the shards: this one has to see that much. */
  readonly seen: Bookmarks;
}
