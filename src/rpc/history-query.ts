// The terms in which readers ask for past events: filters, and the position that a reader has
// reached (contract.md §Pulled history). The history's chunks, the ledger's recent events and a
// webhook's replay share them.
import type { EventType } from "./event-types.ts";
import type { Bookmarks } from "./shard-types.ts";

/** The filters of GET /events without its window. An event must pass all that are given. */
export interface EventFilters {
  readonly event_type?: EventType | undefined;
  /** An address, normalised like the address of a suppression. */
  readonly recipient?: string | undefined;
  readonly email_id?: string | undefined;
  readonly message_id?: string | undefined;
  readonly domain?: string | undefined;
  /** The domain of the recipient's address, in lower-case ASCII. */
  readonly recipient_domain?: string | undefined;
  /**
   * A provider's name, or `none`, with the domain of the simulator's addresses, which has a name of
   * its own.
   */
  readonly provider?: { readonly name: string; readonly simulated: string } | undefined;
  /** The text of a refusal, as refusal-text.ts writes it. */
  readonly refusal?: string | undefined;
  /** Classifications of bounces, of which the event must have one; `none` asks for no one. */
  readonly bounce_classification?: readonly string[] | undefined;
  readonly topic?: string | undefined;
  readonly campaign?: string | undefined;
  readonly template_id?: string | undefined;
  readonly ip_pool?: string | undefined;
  /** An event must have all of these tags. */
  readonly tags?: readonly string[] | undefined;
  /** Words, all of which the subject must contain. */
  readonly subject?: string | undefined;
}

/** The filters of the list of messages. A message has a recipient if an event of it may have it. */
export type MessageFilters = Pick<
  EventFilters,
  "recipient" | "topic" | "campaign" | "template_id" | "tags"
>;

/** A webhook's replay may also ask for any of several types, and a list of messages for theirs. */
export interface WholeEventFilters extends EventFilters {
  /** The event must be of one of these messages; at least one. */
  readonly email_ids?: readonly string[] | undefined;
  readonly event_types?: readonly EventType[] | undefined;
}

/**
 * A position in the history, which is read backwards: next are the events before `at`, and those at
 * `at` with an id below `id`, down to `start`.
 */
export interface Position {
  /** Unix milliseconds, inclusive. */
  readonly start: number;
  /** Unix milliseconds. */
  readonly at: number;
  /** An event's id, or "" for none: no event of that moment is left. */
  readonly id: string;
  /** The bookmarks of earlier pages. Later pages must see at least as much. */
  readonly seen: Bookmarks;
}
