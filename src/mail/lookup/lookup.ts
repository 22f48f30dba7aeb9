// Looks up one message (GET /v1/email/{id}): its facts and each recipient's events. The events come
// from the event history and, while a recipient is still being tried, from the ledger. Events older
// than the team's retention are not shown.
import type { Team } from "../../endpoint.ts";
import type { Env } from "../../env.ts";
import { timeOfUuidv7, uuidOfEmailId } from "../../lib/ids.ts";
import { DAY_MS } from "../../limits.ts";
import { findChunkedMessage } from "../../resources/events/chunked-message.ts";
import type { EventRecord, MessageRecord } from "../../rpc/event-records.ts";
import type { RecipientState } from "../../rpc/recipient-states.ts";
import type { OpenMessage } from "../../rpc/ledger-calls.ts";
import type { Explanation } from "../../explain/explanation.ts";
import type { ScheduledMessage } from "../../rpc/schedule-calls.ts";
import { readStoredMessage } from "../message-start.ts";
import { messageInLedger } from "../record/find-message.ts";
import { toMessageRecord } from "../record/record.ts";
import { reachLedger } from "../../resources/team-settings/reach-ledger.ts";
import { readEvents } from "./message-events.ts";
import {
  type Explainer,
  explainerFor,
  explainerOf,
  type KnownRecipient,
} from "./recipient-explanation.ts";

interface FoundRecipient extends KnownRecipient {
  /**
   * The member of the send that named the recipient: `t`, `c` or `b` (to, cc, bcc), as in the
   * `roles` of MessageRecord.
   */
  readonly role: string;
  readonly explanation: Explanation;
}

export interface EmailWithRecipients {
  readonly message: MessageRecord;
  /** Unix milliseconds. */
  readonly createdAt: number;
  /**
   * The time at which the message was canceled, in Unix milliseconds. Null means that it was not
   * canceled.
   */
  readonly canceledAt: number | null;
  readonly recipients: readonly FoundRecipient[];
  /**
   * True if the message has more events than one look-up reads, so that the oldest events are
   * missing.
   */
  readonly truncated: boolean;
}

const OPEN_STATES: ReadonlySet<RecipientState> = new Set([
  "scheduled",
  "queued",
  "sent",
  "delayed",
]);
/**
 * Finds a message. Undefined means that the team has no message with this id, or that its retention
 * has ended.
 */
export async function findEmail(
  env: Env,
  team: Team,
  id: string,
  now: number,
): Promise<EmailWithRecipients | undefined> {
  const uuid = uuidOfEmailId(id);
  if (uuid === undefined) return undefined;
  const createdAt = timeOfUuidv7(uuid);
  // The look-up reads the ledger first, and the chunks of the history after that. A message that
  // leaves the ledger between these two reads is in the chunks by then, so it is still found.
  const found = await reachLedger(env, team, (ledger) => ledger.find(id));
  const { open, scheduled } = found;
  if (scheduled) return neverReleased(team, scheduled, createdAt, now);
  const [message, { events, next }] = await Promise.all([
    messageInLedger(found) ?? findChunkedMessage(env, team, id, now),
    readEvents(env, team, { email_id: id }, createdAt, now),
  ]);
  const isPast = !open && events.length === 0 && createdAt < now - team.eventRetentionDays * DAY_MS;
  if (!message || isPast) return undefined;
  const byAddress = Map.groupBy(events.toReversed(), ({ recipient }) => recipient.toLowerCase());
  const known = message.recipients.map((address, index) =>
    knownRecipient(address, byAddress.get(address.toLowerCase()) ?? [], open, index),
  );
  const explain = await explainerFor(env, team, known, now);
  const recipients = foundRecipients(message, createdAt, known, explain);
  return { message, createdAt, canceledAt: null, recipients, truncated: next !== null };
}

/**
 * Returns the recipient with this index. `events` are the events of this recipient, oldest first.
 */
export function knownRecipient(
  address: string,
  events: readonly EventRecord[],
  open: OpenMessage | null,
  index: number,
): KnownRecipient {
  return {
    address,
    status: statusOf(events),
    nextAttemptAt: open?.nextAttempts[index] ?? null,
    waitReason: open?.waitForRoom?.[index] ? "room" : (open?.holds?.[index] ?? null),
    hold: open?.hold,
    heldMs: open?.heldMs,
    events,
  };
}

/** Returns whether the recipient has its final outcome. */
export function isOver({ status }: Pick<KnownRecipient, "status">): boolean {
  return !OPEN_STATES.has(status);
}

function foundRecipients(
  message: MessageRecord,
  createdAt: number,
  known: readonly KnownRecipient[],
  explain: Explainer,
): FoundRecipient[] {
  return known.map((one, index) => ({
    ...one,
    role: message.roles?.charAt(index) ?? "t",
    explanation: explain(message, createdAt, one),
  }));
}

/**
 * Returns a message that waits for its scheduled time, or that was canceled and is still within the
 * retention.
 */
function neverReleased(
  team: Team,
  { meta, scheduledAt, canceledAt }: ScheduledMessage,
  createdAt: number,
  now: number,
): EmailWithRecipients | undefined {
  if (canceledAt !== null && canceledAt < now - team.eventRetentionDays * DAY_MS) return undefined;
  const message = toMessageRecord(readStoredMessage(meta, scheduledAt));
  const known = message.recipients.map((address) => unreleasedRecipient(address, canceledAt));
  const recipients = foundRecipients(message, createdAt, known, explainerOf(team, []));
  return { message, createdAt, canceledAt, recipients, truncated: false };
}

export function unreleasedRecipient(address: string, canceledAt: number | null): KnownRecipient {
  const status = canceledAt === null ? "scheduled" : "canceled";
  return { address, status, nextAttemptAt: null, waitReason: null, events: [] };
}

/**
 * Returns the status that follows from all events. An open or a click means that the message was
 * delivered.
 */
function statusOf(events: readonly EventRecord[]): RecipientState {
  const types = new Set(events.map(({ type }) => type));
  if (types.has("email.complained")) return "complained";
  if (types.has("email.bounced")) return "bounced";
  if (types.has("email.suppressed")) return "suppressed";
  if (
    types.has("email.delivered") ||
    types.has("email.opened") ||
    types.has("email.clicked") ||
    types.has("email.unsubscribed")
  )
    return "delivered";
  if (types.has("email.delayed")) return "delayed";
  return types.has("email.sent") ? "sent" : "queued";
}
