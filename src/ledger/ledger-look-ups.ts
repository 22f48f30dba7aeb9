// Finds messages in a ledger, wherever it has them: open, scheduled or canceled messages, and
// messages whose events are not in a chunk yet (docs/storage.md §Listing messages). Changes nothing.
import type { MentioningMessage } from "../rpc/ledger.ts";
import type {
  LedgerMessagesQuery,
  LedgerMessage,
  LedgerMessages,
  MessageInLedger,
  MessageWithContent,
} from "../rpc/message-list-calls.ts";
import type { EventLog } from "./log/event-log.ts";
import { messagesBegunRecently } from "./log/recent-events.ts";
import type { OpenMessages } from "./open/open-messages.ts";
import type { MessageSchedule } from "./release/message-schedule.ts";

/**
 * Maximum length in UTF-16 units of the messages in one answer: an answer must fit a call (32 MB).
 */
const ANSWER_UNITS = 4 * 1_024 * 1_024;

export class LedgerLookups {
  readonly #open: OpenMessages;
  readonly #schedule: MessageSchedule;
  readonly #log: EventLog;

  constructor(open: OpenMessages, schedule: MessageSchedule, log: EventLog) {
    this.#open = open;
    this.#schedule = schedule;
    this.#log = log;
  }

  /**
   * Finds a message that has open recipients, that has events outside chunks, or that was never
   * released.
   */
  find(emailId: string): MessageInLedger {
    const open = this.#open.lookUps.find(emailId) ?? null;
    const logged = this.#log.find(emailId);
    const scheduled = open || logged ? undefined : this.#schedule.find(emailId);
    return { open, logged, ...(scheduled && { scheduled }) };
  }

  findWithContent(emailId: string): MessageWithContent {
    const found = this.find(emailId);
    const content = found.open
      ? this.#open.lookUps.read(emailId)
      : this.#schedule.rows.read(emailId);
    return { ...found, ...(content && { content }) };
  }

  /**
   * Finds open messages and scheduled messages whose JSON contains `text`: up to `limit` of each
   * kind.
   */
  mentioning(text: string, limit: number): MentioningMessage[] {
    return [this.#open.rows, this.#schedule.rows].flatMap((rows) => rows.mentioning(text, limit));
  }

  /** Returns those of the given message ids whose messages still need their content. */
  needingContent(emailIds: readonly string[]): string[] {
    return emailIds.filter((id) => this.#schedule.rows.has(id) || this.#open.lookUps.has(id));
  }

  /**
   * Returns the R2 keys of all content in R2, which is not needed any more when the ledger is
   * deleted.
   */
  contentKeys(): string[] {
    return [this.#open.rows, this.#schedule.rows].flatMap((rows) => rows.contentKeys());
  }

  /** Lists messages, the last accepted first. */
  list({ before, limit }: LedgerMessagesQuery): LedgerMessages {
    const { recent } = this.#log;
    const logged = messagesBegunRecently(recent, before);
    const some = limit + 1;
    const ids = new Set([
      ...this.#open.lookUps.idsBelow(before, some),
      ...this.#schedule.idsBelow(before, some),
      ...logged.keys(),
    ]);
    const sorted = [...ids].toSorted().toReversed();
    const messages: LedgerMessage[] = [];
    let units = 0;
    for (const emailId of sorted.slice(0, limit)) {
      const message = logged.get(emailId);
      const held: LedgerMessage = message
        ? { kind: "logged", emailId, message }
        : this.#describe(emailId);
      units += held.kind === "logged" ? JSON.stringify(held.message).length : held.meta.length;
      if (messages.length > 0 && units > ANSWER_UNITS) break;
      messages.push(held);
    }
    return { messages, isMore: messages.length < sorted.length, bookmarks: recent.bookmarks };
  }

  /** Describes a message that is open, scheduled or canceled. */
  #describe(emailId: string): LedgerMessage {
    const open = this.#open.lookUps.find(emailId);
    if (open)
      return { kind: "open", emailId, meta: open.meta, startsAt: open.startsAt, canceledAt: null };
    const { meta, scheduledAt, canceledAt } = this.#schedule.find(emailId)!;
    const kind = canceledAt === null ? "scheduled" : "canceled";
    return { kind, emailId, meta, startsAt: scheduledAt, canceledAt };
  }
}
