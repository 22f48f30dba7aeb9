// The records that the pipeline writes to the history and reads from it: a message's correlation
// facts, and an event that carries them (decision 0002). An EventRecord has everything that a
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
  /** The bare sender address. */
  readonly from: string;
  /** The sender's display name, for webhooks; null: none. The pulled history does not show it. */
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
   * Custom `X-` headers under their snake-cased names, for webhooks. The pulled history does not
   * show them.
   */
  readonly headers: Readonly<Record<string, string>>;
  /**
   * The sender's own pairs, for webhooks and look-ups. The pulled history does not show them.
   * Absent: none.
   */
  readonly metadata?: Readonly<Record<string, string>>;
}

/**
 * The facts that a bounce, complaint, open or unsubscribe needs weeks later to write a full event,
 * and that a look-up of the message shows.
 */
export interface MessageRecord extends Correlation {
  readonly domainId: string;
  /** The envelope, in the order that a recipient index counts. */
  readonly recipients: readonly string[];
  /**
   * One letter per recipient: `t` for To, `c` for Cc, `b` for neither. Absent: not known any more.
   */
  readonly roles?: string;
  /** The time for which the message was scheduled, Unix milliseconds. Absent: it was not. */
  readonly scheduledAt?: number;
}

/** An attempt's exchange with the receiving server, or its failure to have one. */
export interface Exchange {
  /** The stage of the transaction at the server's last answer; null: no server answered. */
  readonly stage: string | null;
  /**
   * The server's reply as one line with its codes, or the service's own text if there was no reply.
   */
  readonly response: string | null;
  readonly mxHost: string | null;
  /** The version of TLS, e.g. `TLSv1.3`; null: without TLS. */
  readonly tls: string | null;
  /** The rule that decided on the bounce's classification; null: it has none. */
  readonly rule: string | null;
}

/** RFC 5965; `reportedAt` in Unix milliseconds. */
export interface Complaint {
  readonly feedbackType: string;
  readonly userAgent: string | null;
  readonly reportedAt: number | null;
}

/** An event without its message, as a log and a chunk keep it. */
export interface OwnEvent {
  /** Made by eventId() with the same time as `occurredAt`. */
  readonly id: string;
  readonly type: EventType;
  /** Unix milliseconds. */
  readonly occurredAt: number;
  readonly recipient: string;
  /** Counted from 1; null on events that are not of delivery. */
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
   * Present on email.delivered, email.delayed and email.bounced if an attempt led to the event.
   * Webhooks do not show it.
   */
  readonly exchange: Exchange | null;
}

/** Some of a message's events, with the facts that they share. */
export interface MessageEvents {
  readonly message: MessageRecord;
  readonly events: readonly OwnEvent[];
}

export type EventRecord = Correlation & OwnEvent;

/** Returns the part of a message that its events carry. */
export function correlationOf(message: MessageRecord): Correlation {
  const { domainId: _1, recipients: _2, roles: _3, scheduledAt: _4, ...correlation } = message;
  return correlation;
}

/** Returns the start of a message: the time for which it was scheduled, else its acceptance. */
export function recordStart({
  emailId,
  scheduledAt,
}: Pick<MessageRecord, "emailId" | "scheduledAt">): number {
  return scheduledAt ?? timeOfUuidv7(emailId.slice("email_".length));
}

/**
 * Makes an event's id, `evt_` and a version 7 UUID without dashes: the time of the event, and a
 * hash of `parts` (email id, recipient, type, and an attempt or another discriminator). So an event
 * that is recorded twice has one id.
 */
export function eventId(occurredAtMs: number, ...parts: readonly string[]): string {
  const hash = createHash("sha256").update(JSON.stringify(parts)).digest();
  return `evt_${uuidv7Of(occurredAtMs, hash.subarray(0, 16)).replaceAll("-", "")}`;
}
