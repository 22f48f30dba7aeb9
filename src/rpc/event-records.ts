// The records of messages and events in the history (decision 0002). Each event repeats the facts
// of its message. An EventRecord has every fact that GET /events and webhooks show.
import { createHash } from "node:crypto";
import { timeOfEmailId, uuidv7Of } from "../lib/ids.ts";
import type { BounceType, EventType, Tracking } from "./event-types.ts";

/** The facts that a message gives to each of its events. */
export interface Correlation {
  /** `team_<uuid>`. */
  readonly teamId: string;
  /** `email_<uuidv7>`. */
  readonly emailId: string;
  /** The sender's address, without the display name. */
  readonly from: string;
  /** The sender's display name. Only webhooks show it. Null: the sender has no display name. */
  readonly fromName: string | null;
  /** The sending domain, ASCII, lower case. */
  readonly fromDomain: string;
  readonly subject: string;
  /** The Message-ID with angle brackets. */
  readonly messageId: string;
  readonly tags: readonly string[];
  readonly topic: string | null;
  readonly campaign: string | null;
  /** `template_<uuid>`. */
  readonly templateId: string | null;
  readonly ipPool: string | null;
  /** Custom `X-` headers, with names in snake case. Only webhooks show them. */
  readonly headers: Readonly<Record<string, string>>;
  /**
   * The sender's own key-value pairs. Webhooks and look-ups show them, but GET /events does not.
   * Absent: the message has no pairs.
   */
  readonly metadata?: Readonly<Record<string, string>>;
}

/**
 * The facts of a message that an event needs even if it happens weeks after the send, such as a
 * bounce or an open. A look-up of the message shows these facts too.
 */
export interface MessageRecord extends Correlation {
  readonly domainId: string;
  /** The recipients of the envelope. A recipient's index is its position in this list. */
  readonly recipients: readonly string[];
  /**
   * One letter per recipient: `t` for To, `c` for Cc, `b` for neither. Absent: the roles are
   * unknown.
   */
  readonly roles?: string;
  /** The message's scheduled time, Unix milliseconds. Absent: the message was not scheduled. */
  readonly scheduledAt?: number;
  /** The id of the message of which this message is a copy. Absent: this message is not a copy. */
  readonly copyOf?: string;
  /**
   * The addresses that the sender gave as `reply_to`, with their names. Absent: the sender gave no
   * such addresses, or the message does not track replies.
   */
  readonly replyTo?: readonly string[];
  /**
   * The template's version that was rendered. Absent: the message used no template, or a template
   * without a version.
   */
  readonly templateVersion?: number;
}

/** An attempt's exchange with the receiving server, or the reason why there was none. */
export interface Exchange {
  /** The SMTP stage of the server's last reply. Null: no server replied. */
  readonly stage: string | null;
  /**
   * The server's reply on one line, with its codes. If no server replied, the service's own text.
   */
  readonly response: string | null;
  readonly mxHost: string | null;
  /** The version of TLS, such as `TLSv1.3`. Null: the connection did not use TLS. */
  readonly tls: string | null;
  /** The rule that chose the bounce's classification. Null: the bounce has no classification. */
  readonly rule: string | null;
}

/** The facts of a feedback report (RFC 5965); `reportedAt` is in Unix milliseconds. */
export interface Complaint {
  readonly feedbackType: string;
  readonly userAgent: string | null;
  readonly reportedAt: number | null;
}

/** An event without its message's facts, as the log and the chunks store it. */
export interface OwnEvent {
  /** The event's id, made by eventId() with `occurredAt`. */
  readonly id: string;
  readonly type: EventType;
  /** Unix milliseconds. */
  readonly occurredAt: number;
  readonly recipient: string;
  /** The attempt's number, counted from 1. Null: no delivery attempt caused the event. */
  readonly attempt: number | null;
  readonly smtpCode: number | null;
  /** Present on email.bounced only. */
  readonly bounce: {
    readonly type: BounceType;
    readonly classification: string | null;
    readonly smtpCode: number | null;
    readonly smtpResponse: string | null;
  } | null;
  /** Present on email.complained only. */
  readonly complaint: Complaint | null;
  /** Present on email.suppressed only. */
  readonly suppression: {
    readonly reason: string;
    readonly topic: string;
    readonly classification: string | null;
  } | null;
  /** Present on email.opened and email.clicked only. */
  readonly tracking: Tracking | null;
  /**
   * Present on email.delivered, email.delayed and email.bounced if an attempt caused the event.
   * Webhooks do not show it.
   */
  readonly exchange: Exchange | null;
}

/** Some events of one message, with the facts that they share. */
export interface MessageEvents {
  readonly message: MessageRecord;
  readonly events: readonly OwnEvent[];
}

export type EventRecord = Correlation & OwnEvent;

/** Returns those parts of a message that its events contain. */
export function correlationOf(message: MessageRecord): Correlation {
  const { domainId: _1, recipients: _2, roles: _3, scheduledAt: _4, ...rest } = message;
  const { copyOf: _5, replyTo: _6, templateVersion: _7, ...correlation } = rest;
  return correlation;
}

/** Returns a message's start: its scheduled time, or else its acceptance. */
export function recordStart({
  emailId,
  scheduledAt,
}: Pick<MessageRecord, "emailId" | "scheduledAt">): number {
  return scheduledAt ?? timeOfEmailId(emailId);
}

/**
 * Makes an event's id: `evt_` and a version 7 UUID without dashes. The UUID contains the event's
 * time and a hash of `parts` (email id, recipient, type, and an attempt or another discriminator).
 * So two records of one event have the same id.
 */
export function eventId(occurredAtMs: number, ...parts: readonly string[]): string {
  const hash = createHash("sha256").update(JSON.stringify(parts)).digest();
  return `evt_${uuidv7Of(occurredAtMs, hash.subarray(0, 16)).replaceAll("-", "")}`;
}
