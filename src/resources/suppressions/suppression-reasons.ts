// Why an address is suppressed, and by whom (contract.md §Reasons and topics).

/**
 * `permanent_bounce` and `complaint` always have the topic `*`. `unsubscribed` has the topic of its
 * unsubscribe token. `manual` has either.
 */
export const REASONS = ["permanent_bounce", "complaint", "unsubscribed", "manual"] as const;

/** `auto`: the service added it. `manual`: the team did. */
export const ORIGINS = ["auto", "manual"] as const;

export type SuppressionReason = (typeof REASONS)[number];
