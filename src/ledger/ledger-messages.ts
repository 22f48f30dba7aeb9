// Lists the messages that a ledger has, the last accepted first (docs/storage.md §Listing
// messages): open, scheduled and canceled messages, and messages whose first attempts are not in a
// chunk yet.
import type {
  LedgerMessagesQuery,
  LedgerMessage,
  LedgerMessages,
} from "../rpc/message-list-calls.ts";
import type { EventLog } from "./log/event-log.ts";
import { messagesBegunRecently } from "./log/recent-events.ts";
import type { OpenLookups } from "./open/open-lookups.ts";
import type { MessageSchedule } from "./release/message-schedule.ts";

/**
 * Maximum length in UTF-16 units of the messages in one answer: an answer must fit a call (32 MB).
 */
const ANSWER_UNITS = 4 * 1_024 * 1_024;

interface Holders {
  readonly lookUps: OpenLookups;
  readonly schedule: MessageSchedule;
  readonly log: EventLog;
}

export function listLedgerMessages(
  { lookUps, schedule, log }: Holders,
  { before, limit }: LedgerMessagesQuery,
): LedgerMessages {
  const { recent } = log;
  const logged = messagesBegunRecently(recent, before);
  const some = limit + 1;
  const ids = new Set([
    ...lookUps.idsBelow(before, some),
    ...schedule.idsBelow(before, some),
    ...logged.keys(),
  ]);
  const sorted = [...ids].toSorted().toReversed();
  const messages: LedgerMessage[] = [];
  let units = 0;
  for (const emailId of sorted.slice(0, limit)) {
    const held = find(emailId);
    units += held.kind === "logged" ? JSON.stringify(held.message).length : held.meta.length;
    if (messages.length > 0 && units > ANSWER_UNITS) break;
    messages.push(held);
  }
  return { messages, isMore: messages.length < sorted.length, bookmarks: recent.bookmarks };

  function find(emailId: string): LedgerMessage {
    const message = logged.get(emailId);
    if (message) return { kind: "logged", emailId, message };
    const open = lookUps.find(emailId);
    if (open)
      return { kind: "open", emailId, meta: open.meta, startsAt: open.startsAt, canceledAt: null };
    const { meta, scheduledAt, canceledAt } = schedule.find(emailId)!;
    const kind = canceledAt === null ? "scheduled" : "canceled";
    return { kind, emailId, meta, startsAt: scheduledAt, canceledAt };
  }
}
