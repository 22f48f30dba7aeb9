// The arguments and results of the ledger's calls that list its messages and look up a message
// (docs/storage.md §Listing messages).
import type { MessageRecord } from "./event-records.ts";
import type { ClaimedMessage, OpenMessage } from "./ledger-calls.ts";
import type { ScheduledMessage } from "./schedule-calls.ts";

/** Maximum number of messages in one result. */
export const LEDGER_MESSAGES = 500;

export interface LedgerMessagesQuery {
  /** A message's id, or a prefix of an id. Only messages with lower ids are listed. */
  readonly before: string;
  /** Maximum number of messages, up to LEDGER_MESSAGES. */
  readonly limit: number;
}

/** A message in a ledger. */
export type LedgerMessage = { readonly emailId: string } & (
  | {
      readonly kind: "open" | "scheduled" | "canceled";
      /** The message (mail/message.ts Message) as JSON. */
      readonly meta: string;
      /** The message's scheduled time, or else its acceptance, Unix milliseconds. */
      readonly startsAt: number;
      /** When the message was canceled, Unix milliseconds. Null: it was not canceled. */
      readonly canceledAt: number | null;
    }
  /** A message whose events are not all in chunks. */
  | { readonly kind: "logged"; readonly message: MessageRecord }
);

export interface LedgerMessages {
  /** Sorted by acceptance, newest first. Each message occurs once. */
  readonly messages: readonly LedgerMessage[];
  /** True if the ledger has more messages with lower ids. */
  readonly isMore: boolean;
  /** D1's bookmark after the last chunk that was written to each shard, by shard. */
  readonly bookmarks: Readonly<Record<number, string>>;
}

/** `content`: the message with its content. Absent: the message is neither open nor scheduled. */
export interface MessageWithContent extends MessageInLedger {
  readonly content?: ClaimedMessage;
}

export interface MessageInLedger {
  /** The message and its recipients' states. Null: all recipients have their final outcome. */
  readonly open: OpenMessage | null;
  /** The message, if it has events that are not in a chunk yet. Null: all events are in chunks. */
  readonly logged: MessageRecord | null;
  /**
   * Present if the message was never released: it waits for its scheduled time, or was canceled.
   */
  readonly scheduled?: ScheduledMessage;
}
