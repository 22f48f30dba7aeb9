// The closed lists of recipient states, of reasons why a job waits, and of reasons for a
// suppression. src/explain has a text for each value.

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
 * The reasons why an open job waits, in this order: for the delivery rate, for the queue, for the
 * end of a running attempt, for a connection to the mail server, for a courier that did not accept
 * the job, for the time of the next attempt, and for a report of the courier's provider.
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
 * `unsubscribed` has the topic of the unsubscribe token. `manual` can have `*` or a topic.
 */
export const SUPPRESSION_REASONS = [
  "permanent_bounce",
  "complaint",
  "unsubscribed",
  "manual",
] as const;

export type SuppressionReason = (typeof SUPPRESSION_REASONS)[number];
