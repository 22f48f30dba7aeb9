// The closed lists for events: event types, bounce types and bounce classifications (contract.md
// §Events).

/**
 * The history stores each value as its index in its list. So new values are appended, and no list
 * is reordered.
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

/**
 * The event of a reply. The history does not store it. A webhook gets it only if its event types
 * name it (contract.md §Replies).
 */
export const REPLIED = "email.replied";

/** The types to which a webhook can subscribe. */
export const WEBHOOK_EVENT_TYPES = [...EVENT_TYPES, REPLIED] as const;

export type WebhookEventType = (typeof WEBHOOK_EVENT_TYPES)[number];

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

/** Counts and filters use this name for bounces without a classification. */
export const NO_CLASSIFICATION = "none";

/** An open or click as its event contains it (contract.md §Opens and clicks). */
export interface Tracking {
  readonly url?: string | undefined;
  readonly user_agent?: string | undefined;
  readonly bot?: { readonly source: string; readonly kind: "proxy" } | undefined;
}
