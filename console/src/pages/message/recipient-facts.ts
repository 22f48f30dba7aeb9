// Sorts a message's recipients, the worst first, and tells when the message is worth another look.
// Pure.
import type { Email, Suppression } from "../../../../packages/postern/src/generated/types.ts";

export type Recipient = Email["recipients"][number];
export type TimelineEvent = Recipient["events"][number];
export type RecipientOutcome = Recipient["status"];

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
  return recipients.some(({ status }) => isOpenState(status));
}

export function isOpenState(state: string): boolean {
  return /^(?:scheduled|queued|sent|delayed)$/.test(state);
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

/** Returns those of an address's suppressions that stop a message of this topic. */
export function stopping<One extends Pick<Suppression, "topic">>(
  suppressions: readonly One[],
  topic: string | null,
): One[] {
  return suppressions.filter(
    (one) => one.topic === "*" || one.topic === topic?.trim().toLowerCase(),
  );
}
