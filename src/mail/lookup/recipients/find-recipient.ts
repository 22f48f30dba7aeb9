// Collects the facts about mail to one address (contract.md §Recipients): the suppressions in
// force, the last messages, and counts of the stored events.
import { suppressionsOf } from "../../../db/client.ts";
import type { Team } from "../../../endpoint.ts";
import type { Env } from "../../../env.ts";
import type { Correlation, EventRecord } from "../../../rpc/event-records.ts";
import type { MentioningMessage } from "../../../rpc/ledger.ts";
import type { MessageInLedger } from "../../../rpc/message-list-calls.ts";
import { explainNothing } from "../../../explain/explain.ts";
import { timeOfEmailId } from "../../../lib/ids.ts";
import { DAY_MS, LONGEST_RETENTION_DAYS, RECIPIENT_MESSAGES } from "../../../limits.ts";
import { reachLedger } from "../../../resources/team-settings/reach-ledger.ts";
import { positionOf } from "../../../resources/events/event-window.ts";
import { listEvents } from "../../../resources/events/history.ts";
import { eventProvider, simulatorDomain } from "../../../resources/providers/provider-of.ts";
import { EVERY_TOPIC } from "../../../resources/suppressions/normalise.ts";
import { listSuppressionsOf } from "../../../resources/suppressions/store.ts";
import { type Suppression, toSuppression } from "../../../resources/suppressions/wire.ts";
import { settingsOf } from "../../../settings.ts";
import type { Message } from "../../message.ts";
import { readStoredMessage } from "../../message-start.ts";
import { messageInLedger } from "../../record/find-message.ts";
import { toMessageRecord } from "../../record/record.ts";
import { isOver, knownRecipient, unreleasedRecipient } from "../lookup.ts";
import { type Explainer, explainerOf, type KnownRecipient } from "../recipient-explanation.ts";
import type { RecipientBody, RecipientCounts, RecipientMessage } from "./wire.ts";

/** Maximum number of the address's events that are read and counted. */
const EVENTS = 500;

/** A message to the address. */
interface FoundMail {
  readonly message: Correlation & { readonly scheduledAt?: number };
  readonly recipient: KnownRecipient;
}

/**
 * Collects the facts. `address` is in the form that suppressions store: normalized and in lower
 * case.
 */
export async function findRecipient(
  env: Env,
  team: Team,
  address: string,
  now: number,
): Promise<RecipientBody> {
  // The look-up reads the ledger first, and the chunks of the history after that. A message that
  // leaves the ledger between these two reads is in the chunks by then, so it is still found.
  const open = await reachLedger(env, team, (ledger) =>
    ledger.mentioning(JSON.stringify(address), RECIPIENT_MESSAGES),
  );
  const window = { start: now - LONGEST_RETENTION_DAYS * DAY_MS, end: now + DAY_MS };
  const position = positionOf(window, null, team.eventRetentionDays, now);
  const [page, rows] = await Promise.all([
    listEvents(env, team, { recipient: address }, position, EVENTS),
    listSuppressionsOf(suppressionsOf(env, team), [address], now),
  ]);
  const openIds = open.filter((one) => indexIn(recipientsIn(one), address) >= 0);
  const byEmail = Map.groupBy(page.events, ({ emailId }) => emailId);
  const ids = [...new Set([...openIds.map(({ emailId }) => emailId), ...byEmail.keys()])]
    .toSorted()
    .toReversed()
    .slice(0, RECIPIENT_MESSAGES);
  const mail = await Promise.all(
    ids.map((id) => findMail(env, team, id, address, byEmail.get(id)?.toReversed() ?? [])),
  );
  const explain = explainerOf(team, rows);
  const messages = mail.flatMap((one) => (one ? [toMessage(one, explain)] : []));
  const suppressions = rows.map(toSuppression);
  const simulated = simulatorDomain(settingsOf(env).serviceDomain);
  return {
    address,
    provider: eventProvider({ recipient: address, mxHost: lastHost(page.events) }, simulated),
    explanation: answerOf(suppressions, messages) ?? explainNothing(address, daysKept(team)),
    suppressions,
    messages,
    counts: countsOf(page.events, position.start, page.next === null),
  };
}

/**
 * Returns the mail server that replied last. Null means that no server is known. `events` are
 * sorted, newest first.
 */
function lastHost(events: readonly EventRecord[]): string | null {
  return events.find(({ exchange }) => exchange?.mxHost)?.exchange?.mxHost ?? null;
}

/**
 * Returns the explanation of the address. A suppression for all topics is explained first, because
 * a suppression for a single topic stops only some mail.
 */
function answerOf(suppressions: readonly Suppression[], messages: readonly RecipientMessage[]) {
  const [first] = suppressions;
  const ofAll = suppressions.find(({ topic }) => topic === EVERY_TOPIC);
  return (ofAll ?? messages[0] ?? first)?.explanation;
}

/**
 * Returns undefined if the message was deleted after its id was read. `events` are sorted, oldest
 * first.
 */
async function findMail(
  env: Env,
  team: Team,
  id: string,
  address: string,
  events: readonly EventRecord[],
): Promise<FoundMail | undefined> {
  const [first] = events;
  const past = knownRecipient(first?.recipient ?? address, events, null, 0);
  if (first && isOver(past)) return { message: first, recipient: past };
  const found = await reachLedger(env, team, (ledger) => ledger.find(id));
  return openMail(found, address, events) ?? (first && { message: first, recipient: past });
}

function openMail(
  found: MessageInLedger,
  address: string,
  events: readonly EventRecord[],
): FoundMail | undefined {
  const { scheduled, open } = found;
  const message = scheduled
    ? toMessageRecord(readStoredMessage(scheduled.meta, scheduled.scheduledAt))
    : messageInLedger(found);
  if (!message) return undefined;
  const index = indexIn(message.recipients, address);
  const spelled = message.recipients[index] ?? address;
  const recipient = scheduled
    ? unreleasedRecipient(spelled, scheduled.canceledAt)
    : knownRecipient(spelled, events, open, index);
  return { message, recipient };
}

/** Reads the recipients of a message that the ledger found by searching its JSON for a text. */
export function recipientsIn({ meta }: MentioningMessage): readonly string[] {
  return (JSON.parse(meta) as Message).recipients;
}

function indexIn(recipients: readonly string[], address: string): number {
  return recipients.findIndex((one) => one.toLowerCase() === address);
}

function toMessage({ message, recipient }: FoundMail, explain: Explainer): RecipientMessage {
  const createdAt = timeOfEmailId(message.emailId);
  const { status, nextAttemptAt, events } = recipient;
  const last = events.at(-1);
  return {
    email_id: message.emailId,
    created_at: new Date(createdAt).toISOString(),
    from: message.from,
    subject: message.subject,
    topic: message.topic,
    status,
    next_attempt_at: nextAttemptAt === null ? null : new Date(nextAttemptAt).toISOString(),
    last_event_at: last ? new Date(last.occurredAt).toISOString() : null,
    explanation: explain(message, createdAt, recipient),
  };
}

function countsOf(
  events: readonly EventRecord[],
  start: number,
  isComplete: boolean,
): RecipientCounts {
  const count = (type: string): number =>
    events.filter((event) => event.type === `email.${type}`).length;
  return {
    since: new Date(start).toISOString(),
    is_complete: isComplete,
    messages: new Set(events.map(({ emailId }) => emailId)).size,
    sent: count("sent"),
    delivered: count("delivered"),
    delayed: count("delayed"),
    bounced: count("bounced"),
    complained: count("complained"),
    suppressed: count("suppressed"),
    unsubscribed: count("unsubscribed"),
    opened: count("opened"),
    clicked: count("clicked"),
  };
}

function daysKept({ eventRetentionDays }: Team): number {
  return Math.min(eventRetentionDays, LONGEST_RETENTION_DAYS);
}
