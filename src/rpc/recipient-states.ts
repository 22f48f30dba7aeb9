// The closed lists of what a recipient's mail may be in: its state as look-ups show it, what its
// job waits for in the ledger, and why an address is suppressed. Each has a text in src/explain.

/** A recipient's state in GET /v1/email/{id}. */
export const RECIPIENT_STATES = [
  "scheduled",
  "canceled",
  "queued",
  "sent",
  "delayed",
  "delivered",
  "bounced",
  "suppressed",
  "complained",
] as const;

export type RecipientState = (typeof RECIPIENT_STATES)[number];

/**
 * An open job waits for its release at the delivery rate, for the queue, for the attempt under way,
 * for a courier that took nothing, for its next attempt, or for the courier's provider.
 */
export const WAIT_REASONS = ["rate", "queue", "attempt", "courier", "retry", "provider"] as const;

export type WaitReason = (typeof WAIT_REASONS)[number];

/**
 * `permanent_bounce` and `complaint` always have the topic `*`. `unsubscribed` has the topic of its
 * unsubscribe token. `manual` has either.
 */
export const SUPPRESSION_REASONS = [
  "permanent_bounce",
  "complaint",
  "unsubscribed",
  "manual",
] as const;

export type SuppressionReason = (typeof SUPPRESSION_REASONS)[number];
