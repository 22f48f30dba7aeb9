// The closed lists about a recipient's mail: its state in look-ups, what its job waits for in the
// ledger, and why an address is suppressed. Each entry has a text in src/explain.

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
 * The reasons why an open job waits: the delivery rate, the queue, an attempt that is under way, a
 * connection to the mail server, a courier that did not take the job, the pause before the next
 * attempt, or a report that the courier's provider must still send.
 */
export const WAIT_REASONS = [
  "rate",
  "queue",
  "attempt",
  "room",
  "courier",
  "retry",
  "provider",
] as const;

export type WaitReason = (typeof WAIT_REASONS)[number];

/**
 * The reasons for a suppression. `permanent_bounce` and `complaint` always have the topic `*`.
 * `unsubscribed` has the topic in its unsubscribe token. `manual` can have `*` or a topic.
 */
export const SUPPRESSION_REASONS = [
  "permanent_bounce",
  "complaint",
  "unsubscribed",
  "manual",
] as const;

export type SuppressionReason = (typeof SUPPRESSION_REASONS)[number];
