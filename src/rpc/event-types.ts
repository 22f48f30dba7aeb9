// The closed lists that events are made of: their types, the types of bounces and their
// classifications (contract.md §Events).

/**
 * History rows hold a type, bounce type or classification as its place in these lists: append,
 * never reorder.
 */
export const EVENT_TYPES = [
  "email.sent",
  "email.delivered",
  "email.delayed",
  "email.bounced",
  "email.complained",
  "email.suppressed",
  "email.unsubscribed",
  "email.opened",
  "email.clicked",
] as const;

export type EventType = (typeof EVENT_TYPES)[number];

export const BOUNCE_TYPES = ["permanent", "transient", "expired"] as const;

export type BounceType = (typeof BOUNCE_TYPES)[number];

export const BOUNCE_CLASSIFICATIONS = [
  "InvalidRecipient",
  "DNSFailure",
  "SpamBlock",
  "SpamContent",
  "ProhibitedAttachment",
  "RelayDenied",
  "AutoReply",
  "TransientFailure",
  "Subscribe",
  "Unsubscribe",
  "ChallengeResponse",
  "BadConfiguration",
  "BadConnection",
  "BadDomain",
  "ContentRelated",
  "InactiveMailbox",
  "InvalidSender",
  "MessageExpired",
  "NoAnswerFromHost",
  "PolicyRelated",
  "ProtocolErrors",
  "QuotaIssues",
  "RelayingIssues",
  "RoutingErrors",
  "SpamRelated",
  "VirusRelated",
  "AuthenticationFailed",
  "TooManyRecipients",
  "Uncategorized",
] as const;

/** Names the bounces without a classification, in counts and filters. */
export const NO_CLASSIFICATION = "none";

/** A visit as an event carries it (contract.md §Opens and clicks). */
export interface Tracking {
  readonly url?: string | undefined;
  readonly user_agent?: string | undefined;
  readonly bot?: { readonly source: string; readonly kind: "proxy" } | undefined;
}
