// Builds the events of the Email Service as Cloudflare documents them for event subscriptions
// (cf.email.sending.message.*, schema version 1).
import { createHash, randomUUID } from "node:crypto";

export const SENDING_EVENT_TYPES = [
  "delivered",
  "deferred",
  "bounced",
  "failed",
  "rejected",
  "complained",
] as const;
type SendingEventType = (typeof SENDING_EVENT_TYPES)[number];
const PREFIX = "cf.email.sending.message.";
/** An event type that event subscriptions do not have, so no consumer knows it. */
const UNKNOWN_TYPE = `${PREFIX}opened`;
const ACCOUNT_ID = "0000000000000000000000000000cafe";

export interface SendingEvent {
  readonly type: string;
  readonly source: {
    readonly type: "email.sending";
    readonly zoneId: string;
    readonly domain: string;
  };
  readonly payload: Readonly<Record<string, unknown>> & {
    readonly eventId: string;
    readonly messageId: string;
    readonly recipient: string;
    readonly terminal: boolean;
  };
  readonly metadata: Readonly<Record<string, unknown>>;
}

/** The message that an event is about. */
export interface EventSubject {
  readonly messageId: string;
  readonly sender: string;
  readonly recipient: string;
  readonly subject: string;
  readonly takenAt: number;
}

/** A mail server's reply: code, enhanced code and the whole reply as one line. */
export interface QuotedSmtp {
  readonly code: number;
  readonly enhanced: string | null;
  readonly line: string;
}

export function deliveredEvent(message: EventSubject, reply: QuotedSmtp, now: Date): SendingEvent {
  const deliveryTimeMs = now.getTime() - message.takenAt;
  return sendingEvent("delivered", message, now, { ...smtpOf(reply), deliveryTimeMs });
}

export function deferredEvent(message: EventSubject, reply: QuotedSmtp, now: Date): SendingEvent {
  const bounce = { type: "soft", classification: "temporary_failure", reason: reply.line };
  return sendingEvent("deferred", message, now, smtpOf(reply), { bounce });
}

/** Builds the event of a bounce. `type` is `soft` if the message's retries are used up. */
export function bouncedEvent(
  message: EventSubject,
  type: "hard" | "soft",
  reply: QuotedSmtp,
  now: Date,
): SendingEvent {
  const bounce = { type, classification: "permanent_failure", reason: reply.line };
  return sendingEvent("bounced", message, now, smtpOf(reply), { bounce });
}

/**
 * Builds the bounce of a message whose domain cannot exist. No server was asked, so the event has
 * no codes.
 */
export function unroutableEvent(message: EventSubject, now: Date): SendingEvent {
  const domain = message.recipient.slice(message.recipient.lastIndexOf("@") + 1);
  const reason = `Permanent: no available upstream: unknown public suffix: ${domain}`;
  const bounce = { type: "hard", classification: "permanent_failure", reason };
  return sendingEvent("bounced", message, now, { smtpResponse: reason }, { bounce });
}

export function failedEvent(message: EventSubject, now: Date): SendingEvent {
  return sendingEvent("failed", message, now, {}, { failure: { reason: "delivery_failed" } });
}

export function rejectedEvent(message: EventSubject, now: Date): SendingEvent {
  const detail = "Recipient is suppressed";
  const rejection = { reason: "suppressed", party: "recipient", detail };
  return sendingEvent("rejected", message, now, {}, { rejection });
}

export function complainedEvent(message: EventSubject, now: Date): SendingEvent {
  const event = sendingEvent("complained", message, now, {}, { complaint: { type: "abuse" } });
  const { subject: _, ...payload } = event.payload;
  return { ...event, payload };
}

/** Returns the same event with a message id that `send()` never returned. */
export function underOtherId(event: SendingEvent, messageId: string): SendingEvent {
  return { ...event, payload: { ...event.payload, messageId } };
}

/** Returns an event of an unknown type about the same message. */
export function ofUnknownType(event: SendingEvent): SendingEvent {
  return {
    ...event,
    type: UNKNOWN_TYPE,
    payload: { ...event.payload, eventId: eventIdAt(new Date()), terminal: false },
  };
}

export function shortTypeOf({ type }: SendingEvent): string {
  return type.slice(PREFIX.length);
}

/** Returns 32 hexadecimal digits, as a zone's id has. A domain always gets the same digits. */
export function zoneIdOf(domain: string): string {
  return createHash("sha256").update(`zone ${domain}`).digest("hex").slice(0, 32);
}

function sendingEvent(
  type: SendingEventType,
  { messageId, sender, recipient, subject }: EventSubject,
  now: Date,
  delivery: Readonly<Record<string, unknown>>,
  more: Readonly<Record<string, unknown>> = {},
): SendingEvent {
  const domain = sender.slice(sender.lastIndexOf("@") + 1).toLowerCase();
  const zoneId = zoneIdOf(domain);
  return {
    type: PREFIX + type,
    source: { type: "email.sending", zoneId, domain },
    payload: {
      eventId: eventIdAt(now),
      messageId,
      sender,
      recipient,
      subject,
      terminal: type !== "deferred",
      delivery: { status: type, ...delivery },
      ...more,
    },
    metadata: {
      accountId: ACCOUNT_ID,
      eventSubscriptionId: zoneId.split("").toReversed().join(""),
      eventSchemaVersion: 1,
      eventTimestamp: now.toISOString(),
    },
  };
}

/** Makes a UUID of version 7 (RFC 9562 §5.7), as real events have. */
function eventIdAt(now: Date): string {
  const time = now.getTime().toString(16).padStart(12, "0");
  return `${time.slice(0, 8)}-${time.slice(8)}-7${randomUUID().slice(15)}`;
}

function smtpOf({ code, enhanced, line }: QuotedSmtp): Record<string, string> {
  return {
    provider: "external_smtp",
    smtpStatusCode: String(code),
    ...(enhanced !== null && { smtpEnhancedStatusCode: enhanced }),
    smtpResponse: line,
  };
}
