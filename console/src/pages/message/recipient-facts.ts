// Sorts a message's recipients by status, the worst first, and decides when to read the message
// again. Pure.
import type { Email, Suppression } from "../../../../packages/postern/src/generated/types.ts";

export type Recipient = Email["recipients"][number];
export type TimelineEvent = Recipient["events"][number];
export type RecipientOutcome = Recipient["status"];

/** The statuses, sorted. The worst status comes first. */
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

export function compareConcern(left: RecipientOutcome, right: RecipientOutcome): number {
  return BY_CONCERN.indexOf(left) - BY_CONCERN.indexOf(right);
}

/**
 * Returns the recipients, the worst first. Recipients with the same status keep their order in the
 * message.
 */
export function worstFirst(recipients: readonly Recipient[]): Recipient[] {
  return recipients.toSorted((left, right) => compareConcern(left.status, right.status));
}

/** Tells whether at least one recipient has no final status yet. */
export function isOpen({ recipients }: Pick<Email, "recipients">): boolean {
  return recipients.some(({ status }) => isOpenState(status));
}

export function isOpenState(state: string): boolean {
  return /^(?:scheduled|queued|sent|delayed)$/.test(state);
}

/**
 * Returns the time until the message is read again, in milliseconds. This time is short after an
 * event, and grows while no event comes. False: every recipient has a final outcome.
 */
export function pollInterval(email: Email, now: number): number | false {
  if (!isOpen(email)) return false;
  const times = email.recipients.flatMap(({ events }) =>
    events.map(({ occurred_at: at }) => Date.parse(at)),
  );
  const quiet = now - Math.max(Date.parse(email.created_at), ...times);
  return Math.min(LONGEST_POLL_MS, Math.max(SHORTEST_POLL_MS, quiet / 10));
}

/** Returns the suppressions of an address that would stop a message of this topic. */
export function stopping<One extends Pick<Suppression, "topic">>(
  suppressions: readonly One[],
  topic: string | null,
): One[] {
  return suppressions.filter(
    (one) => one.topic === "*" || one.topic === topic?.trim().toLowerCase(),
  );
}
