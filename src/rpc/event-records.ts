// The records that the pipeline writes to the history and reads from it: a message's facts for its
// events, and an event with these facts (decision 0002). An EventRecord has everything that a
// pulled event and a webhook delivery show.
import { createHash } from "node:crypto";
import { timeOfUuidv7, uuidv7Of } from "../lib/ids.ts";
import type { BounceType, EventType, Tracking } from "./event-types.ts";

/** The facts that a message gives to each of its events. */
export interface Correlation {
  /** `team_<uuid>`. */
  readonly teamId: string;
  /** `email_<uuidv7>`. */
  readonly emailId: string;
  /** The sender's address, without the display name. */
  readonly from: string;
  /** The sender's display name, for webhooks. Null: none. The pulled history does not show it. */
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
  /**
   * Custom `X-` headers with names in snake case, for webhooks. The pulled history does not show
   * them.
   */
  readonly headers: Readonly<Record<string, string>>;
  /**
   * The sender's own key-value pairs, for webhooks and look-ups. The pulled history does not show
   * them. Absent: the message has none.
   */
  readonly metadata?: Readonly<Record<string, string>>;
}

/**
 * The facts that are needed to write a full event for a bounce, complaint, open or unsubscribe
 * weeks later. The look-up of the message shows them too.
 */
export interface MessageRecord extends Correlation {
  readonly domainId: string;
  /** The recipients of the envelope. A recipient index counts in this order. */
  readonly recipients: readonly string[];
  /**
   * One letter per recipient: `t` for To, `c` for Cc, `b` for neither. Absent: not known any more.
   */
  readonly roles?: string;
  /** The message's scheduled time, Unix milliseconds. Absent: the message was not scheduled. */
  readonly scheduledAt?: number;
  /** The id of the message that was sent again as this one. Absent: it was not sent again. */
  readonly copyOf?: string;
  /**
   * The addresses that the sender gave as `reply_to`, with their names. Absent: the sender gave no
   * addresses, or the message does not track replies.
   */
  readonly replyTo?: readonly string[];
  /** The version of the template that was rendered. Absent: no template, or one of no version. */
  readonly templateVersion?: number;
}

/** An attempt's exchange with the receiving server, or the reason why there was none. */
export interface Exchange {
  /** The stage of the transaction at the server's last answer. Null: no server answered. */
  readonly stage: string | null;
  /** The server's reply as one line with its codes. Without a reply, the service's own text. */
  readonly response: string | null;
  readonly mxHost: string | null;
  /** The version of TLS, such as `TLSv1.3`. Null: no TLS. */
  readonly tls: string | null;
  /** The rule that decided the bounce's classification. Null: the bounce has none. */
  readonly rule: string | null;
}

/** The facts of a feedback report (RFC 5965); `reportedAt` is in Unix milliseconds. */
export interface Complaint {
  readonly feedbackType: string;
  readonly userAgent: string | null;
  readonly reportedAt: number | null;
}

/** An event without the facts of its message, as the log and the chunks store it. */
export interface OwnEvent {
  /** The event's id, which eventId() makes with the time in `occurredAt`. */
  readonly id: string;
  readonly type: EventType;
  /** Unix milliseconds. */
  readonly occurredAt: number;
  readonly recipient: string;
  /**
   * The attempt's number, counted from 1. Null for events that do not follow from a delivery
   * attempt.
   */
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
   * Present only on email.delivered, email.delayed and email.bounced, if the event follows from an
   * attempt. Webhooks do not show it.
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

/** Returns a message's start: its scheduled time or, without one, its acceptance. */
export function recordStart({
  emailId,
  scheduledAt,
}: Pick<MessageRecord, "emailId" | "scheduledAt">): number {
  return scheduledAt ?? timeOfUuidv7(emailId.slice("email_".length));
}

/**
 * Makes an event's id: `evt_` and a version 7 UUID without dashes. The UUID contains the event's
 * time and a hash of `parts` (email id, recipient, type, and an attempt or another discriminator).
 * So an event that is recorded twice has the same id.
 */
export function eventId(occurredAtMs: number, ...parts: readonly string[]): string {
  const hash = createHash("sha256").update(JSON.stringify(parts)).digest();
  return `evt_${uuidv7Of(occurredAtMs, hash.subarray(0, 16)).replaceAll("-", "")}`;
}
