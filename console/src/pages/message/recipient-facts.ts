// Takes what a verdict needs from a message as the API tells it, and sorts its recipients: the worst
// comes first. Pure.
import type { Email } from "../../../../packages/postern/src/generated/types.ts";
import { stopping, type SuppressionFacts } from "./suppression-words.ts";
import type { RecipientOutcome, VerdictFacts } from "./verdict-sentence.ts";

export type Recipient = Email["recipients"][number];
export type TimelineEvent = Recipient["events"][number];

/** The worst status comes first. */
const BY_CONCERN: readonly RecipientOutcome[] = [
  "bounced",
  "complained",
  "suppressed",
  "delayed",
  "scheduled",
  "queued",
  "sent",
  "delivered",
  "canceled",
];

const SHORTEST_POLL_MS = 2_000;
const LONGEST_POLL_MS = 30_000;

/** Compares two statuses: the worse one comes first. */
export function compareConcern(left: RecipientOutcome, right: RecipientOutcome): number {
  return BY_CONCERN.indexOf(left) - BY_CONCERN.indexOf(right);
}

/** Returns the recipients, the worst first. Equal ones keep the message's order. */
export function worstFirst(recipients: readonly Recipient[]): Recipient[] {
  return recipients.toSorted((left, right) => compareConcern(left.status, right.status));
}

/** True while something is still to happen by itself. */
export function isOpen({ recipients }: Pick<Email, "recipients">): boolean {
  return recipients.some(({ status }) => /^(?:scheduled|queued|sent|delayed)$/.test(status));
}

/**
 * Returns when an open message is worth another look, in milliseconds: soon after something
 * happened, and more rarely the longer it is quiet. False: all is settled.
 */
export function lookAgainAfter(email: Email, now: number): number | false {
  if (!isOpen(email)) return false;
  const times = email.recipients.flatMap(({ events }) =>
    events.map(({ occurred_at: at }) => Date.parse(at)),
  );
  const quiet = now - Math.max(Date.parse(email.created_at), ...times);
  return Math.min(LONGEST_POLL_MS, Math.max(SHORTEST_POLL_MS, quiet / 10));
}

/** `suppressions`: those in force for the address; null: not known. */
export function factsOf(
  email: Email,
  recipient: Recipient,
  suppressions: readonly SuppressionFacts[] | null,
  now: number,
): VerdictFacts {
  const { status, events, next_attempt_at: next } = recipient;
  const event = decidingEvent(recipient);
  return {
    recipient: recipient.recipient,
    status,
    event,
    acceptedAt: Date.parse(email.created_at),
    ...(email.scheduled_at !== undefined && { scheduledAt: Date.parse(email.scheduled_at) }),
    nextAttemptAt: next === null ? null : Date.parse(next),
    wasDelivered: status !== "delivered" && events.some(({ type }) => type === "email.delivered"),
    opens: events.filter(({ type }) => type === "email.opened").length,
    clicks: events.filter(({ type }) => type === "email.clicked").length,
    suppressions: suppressions && stopping(suppressions, email.topic),
    now,
  };
}

/** The event that the status is of. A recipient bounces and complains at most once. */
function decidingEvent({ status, events }: Recipient): TimelineEvent | null {
  return events.findLast(({ type }) => type === `email.${status}`) ?? null;
}
