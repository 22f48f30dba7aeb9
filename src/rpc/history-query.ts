// The queries for past events: filters, and a reader's position (contract.md §Pulled history).
// Chunks, recent events and webhook replays are read with these queries.
import type { EventType } from "./event-types.ts";
import type { Bookmarks } from "./shard-types.ts";

/**
 * The filters of GET /events, except the time window. An event must match every filter that is
 * present.
 */
export interface EventFilters {
  readonly event_type?: EventType | undefined;
  /** An address, normalised like a suppression's address. */
  readonly recipient?: string | undefined;
  readonly email_id?: string | undefined;
  readonly message_id?: string | undefined;
  readonly domain?: string | undefined;
  /** The domain of the recipient's address, in lower-case ASCII. */
  readonly recipient_domain?: string | undefined;
  /**
   * `name`: a mailbox provider's name, or `none`. `simulated`: the domain of the simulator's
   * addresses, which have a provider name of their own.
   */
  readonly provider?: { readonly name: string; readonly simulated: string } | undefined;
  /** The normalized text of a refusal, as refusal-text.ts writes it. */
  readonly refusal?: string | undefined;
  /**
   * Bounce classifications. The event's classification must be in this list. `none` matches a
   * bounce without a classification.
   */
  readonly bounce_classification?: readonly string[] | undefined;
  readonly topic?: string | undefined;
  readonly campaign?: string | undefined;
  readonly template_id?: string | undefined;
  readonly ip_pool?: string | undefined;
  /** Tags. An event must have at least one of them. */
  readonly tags?: readonly string[] | undefined;
  /** A key-value pair that the message's metadata must contain. */
  readonly metadata?: { readonly name: string; readonly value: string } | undefined;
  /** Words, all of which the subject must contain. */
  readonly subject?: string | undefined;
}

/**
 * The filters of the list of messages. A message matches a recipient if any of its events may be
 * about that recipient.
 */
export type MessageFilters = Pick<
  EventFilters,
  "recipient" | "topic" | "campaign" | "template_id" | "tags"
>;

/**
 * Filters that only the service uses. A webhook's replay selects several event types. A list of
 * messages selects the events of its messages.
 */
export interface WholeEventFilters extends EventFilters {
  /** Ids of messages, at least one. The event must belong to one of these messages. */
  readonly email_ids?: readonly string[] | undefined;
  readonly event_types?: readonly EventType[] | undefined;
}

/**
 * A reader's position in the history, which is read from new to old. The reader has not yet read
 * the events from `start` to before `at`, nor the events at `at` with an id below `id`.
 */
export interface Position {
  /** Unix milliseconds, inclusive. */
  readonly start: number;
  /** Unix milliseconds. */
  readonly at: number;
  /** An event's id. Empty: the reader has read all events at the time `at`. */
  readonly id: string;
  /**
   * The bookmarks of the previous pages. The next page must read each shard at its bookmark or
   * later.
   */
  readonly seen: Bookmarks;
}
