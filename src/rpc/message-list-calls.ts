// The arguments and results of the ledger's call that lists the messages that it has
// (docs/storage.md §Listing messages).
import type { MessageRecord } from "./event-records.ts";

/** Messages in one answer at most. */
export const LEDGER_MESSAGES = 500;

export interface LedgerMessagesAsk {
  /** A message's id, or the start of ids: only messages with lower ids are listed. */
  readonly before: string;
  /** LEDGER_MESSAGES is the most. */
  readonly limit: number;
}

/** A message that a ledger has. */
export type LedgerMessage = { readonly emailId: string } & (
  | {
      readonly kind: "open" | "scheduled" | "canceled";
      /** JSON of mail/message.ts Message. */
      readonly meta: string;
      /** The message's start (docs/glossary.md), Unix milliseconds. */
      readonly startsAt: number;
      /** Unix milliseconds; null: it was not canceled. */
      readonly canceledAt: number | null;
    }
  /** A message with events in no chunk yet. */
  | { readonly kind: "logged"; readonly message: MessageRecord }
);

export interface LedgerMessages {
  /** The last accepted first, each once. */
  readonly messages: readonly LedgerMessage[];
  /** True if the ledger has others with lower ids. */
  readonly isMore: boolean;
  /** D1's bookmark after the last chunk written to each shard, by shard. */
  readonly bookmarks: Readonly<Record<number, string>>;
}
