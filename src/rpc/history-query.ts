// The queries for past events: filters, and the position that a reader has reached (contract.md
// §Pulled history). The history's chunks, the ledger's recent events and webhooks' replays all use
// them.
import type { EventType } from "./event-types.ts";
import type { Bookmarks } from "./shard-types.ts";

/** The filters of GET /events, except the time window. An event must match all given filters. */
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
   * A provider's name, or `none`. `simulated` is the domain of the simulator's addresses, which
   * count as a provider of their own.
   */
  readonly provider?: { readonly name: string; readonly simulated: string } | undefined;
  /** The normalized text of a refusal, as refusal-text.ts writes it. */
  readonly refusal?: string | undefined;
  /**
   * Bounce classifications. An event must have one of them. `none` matches a bounce that has no
   * classification.
   */
  readonly bounce_classification?: readonly string[] | undefined;
  readonly topic?: string | undefined;
  readonly campaign?: string | undefined;
  readonly template_id?: string | undefined;
  readonly ip_pool?: string | undefined;
  /** Tags. An event must have at least one of them. */
  readonly tags?: readonly string[] | undefined;
  /** A pair that the message's metadata must have. */
  readonly metadata?: { readonly name: string; readonly value: string } | undefined;
  /** Words, all of which the subject must contain. */
  readonly subject?: string | undefined;
}

/**
 * The filters of the list of messages. A message matches a recipient if any of its events may have
 * that recipient.
 */
export type MessageFilters = Pick<
  EventFilters,
  "recipient" | "topic" | "campaign" | "template_id" | "tags"
>;

/**
 * Filters that only the service itself uses: a webhook's replay asks for several types, and a list
 * of messages for the events of certain messages.
 */
export interface WholeEventFilters extends EventFilters {
  /** Ids of messages, at least one. The event must belong to one of these messages. */
  readonly email_ids?: readonly string[] | undefined;
  readonly event_types?: readonly EventType[] | undefined;
}

/**
 * A reader's position in the history, which is read from new to old. The reader still has to read
 * the events from `start` to before `at`, and those at `at` with an id below `id`.
 */
export interface Position {
  /** Unix milliseconds, inclusive. */
  readonly start: number;
  /** Unix milliseconds. */
  readonly at: number;
  /** An event's id. "": the reader has read all events at the time `at`. */
  readonly id: string;
  /**
   * The bookmarks of the pages read before. Later pages must see at least as much of each shard.
   */
  readonly seen: Bookmarks;
}
