// Finds messages in all parts of a ledger: open, scheduled and canceled messages, and messages with
// events that are not in a chunk yet (docs/storage.md §Listing messages). Changes nothing.
import type { MentioningMessage } from "../rpc/ledger.ts";
import type {
  LedgerMessagesQuery,
  LedgerMessage,
  LedgerMessages,
  MessageInLedger,
  MessageWithContent,
} from "../rpc/message-list-calls.ts";
import type { CopyMatch, CopyQuery } from "../rpc/provider-copy-calls.ts";
import { messagesBegunRecently } from "./log/recent-events.ts";
import { findOpen, hasOpen, openIdsBelow, readOpen } from "./open/open-lookups.ts";
import type { Subjects } from "./ledger-state.ts";

/**
 * Maximum length in UTF-16 units of the messages in one result, which must fit into a call (32 MB).
 */
const ANSWER_UNITS = 4 * 1_024 * 1_024;

/** The parts of a ledger that have messages. */
type Messages = Pick<Subjects, "open" | "log" | "releases">;

/** Finds a message that has open recipients, has events outside chunks, or was never released. */
export function findMessage({ open, log, releases }: Messages, emailId: string): MessageInLedger {
  const found = findOpen(open, emailId) ?? null;
  const logged = log.rows.find(emailId);
  const scheduled = found || logged ? undefined : releases.schedule.find(emailId);
  return { open: found, logged, ...(scheduled && { scheduled }) };
}

/** Returns whether findMessage() finds the message. */
export function hasMessage(messages: Messages, emailId: string): boolean {
  const { open, logged, scheduled } = findMessage(messages, emailId);
  return open !== null || logged !== null || scheduled !== undefined;
}

export function findWithContent(messages: Messages, emailId: string): MessageWithContent {
  const found = findMessage(messages, emailId);
  const content = found.open
    ? readOpen(messages.open, emailId)
    : messages.releases.schedule.rows.read(emailId);
  return { ...found, ...(content && { content }) };
}

/**
 * Finds open messages and scheduled messages whose JSON contains `text`. Returns up to `limit`
 * messages of each kind.
 */
export function findMentioning(
  { open, releases }: Messages,
  text: string,
  limit: number,
): MentioningMessage[] {
  return [open.rows, releases.schedule.rows].flatMap((rows) => rows.mentioning(text, limit));
}

/** Returns the ids of those given messages that still need their content. */
export function needingContent(
  { open, releases }: Messages,
  emailIds: readonly string[],
): string[] {
  return emailIds.filter((id) => releases.schedule.rows.has(id) || hasOpen(open, id));
}

/**
 * Returns the keys of all content that the ledger has in R2. No message needs this content once the
 * ledger is deleted.
 */
export function contentKeysOf({ open, releases }: Messages): string[] {
  return [open.rows, releases.schedule.rows].flatMap((rows) => rows.contentKeys());
}

/** Lists messages, the last accepted message first. */
export function listMessages(
  messages: Messages,
  { before, limit }: LedgerMessagesQuery,
): LedgerMessages {
  const { open, log, releases } = messages;
  const { recent } = log.rows;
  const logged = messagesBegunRecently(recent, before);
  const some = limit + 1;
  const ids = new Set([
    ...openIdsBelow(open, before, some),
    ...releases.schedule.idsBelow(before, some),
    ...logged.keys(),
  ]);
  const sorted = [...ids].toSorted().toReversed();
  const listed: LedgerMessage[] = [];
  let units = 0;
  for (const emailId of sorted.slice(0, limit)) {
    const message = logged.get(emailId);
    const held: LedgerMessage = message
      ? { kind: "logged", emailId, message }
      : describe(messages, emailId);
    units += held.kind === "logged" ? JSON.stringify(held.message).length : held.meta.length;
    if (listed.length > 0 && units > ANSWER_UNITS) break;
    listed.push(held);
  }
  return { messages: listed, isMore: listed.length < sorted.length, bookmarks: recent.bookmarks };
}

/** Describes a message that is open, scheduled or canceled. */
function describe({ open: all, releases }: Messages, emailId: string): LedgerMessage {
  const open = findOpen(all, emailId);
  if (open)
    return { kind: "open", emailId, meta: open.meta, startsAt: open.startsAt, canceledAt: null };
  const { meta, scheduledAt, canceledAt } = releases.schedule.find(emailId)!;
  const kind = canceledAt === null ? "scheduled" : "canceled";
  return { kind, emailId, meta, startsAt: scheduledAt, canceledAt };
}

/** Finds the attempts that a provider's events are about. */
export function matchCopies(subjects: Subjects, queries: readonly CopyQuery[]): CopyMatch[] {
  const find = (emailId: string): MessageInLedger => findMessage(subjects, emailId);
  return queries.map((query) => subjects.copies.match(query, subjects.open, find));
}
