// The vocabulary of suppressions (spec.md "Suppression").

/** `permanent_bounce` and `complaint` are always of topic `*`; `unsubscribed` is of the topic in its token; `manual` of either. */
export type SuppressionReason = "permanent_bounce" | "complaint" | "unsubscribed" | "manual";
