// The records that the pipeline hands to the history and gets back from it: a message's correlation
// facts, and an event that carries them (decision 0002). Everything that a pulled event and a
// webhook delivery show is in an EventRecord.
import { createHash } from "node:crypto";
import { uuidv7 } from "../lib/ids.ts";
import type { BounceType, EventType, Tracking } from "./event-types.ts";

/** What travels from a message onto every event of it. */
export interface Correlation {
  /** `team_<uuid>`. */
  readonly teamId: string;
  /** `email_<uuidv7>`. */
  readonly emailId: string;
  /** The bare sender address. */
  readonly from: string;
  /** The sending domain, ASCII, lower case. */
  readonly fromDomain: string;
  readonly subject: string;
  /** With angle brackets. */
  readonly messageId: string;
  readonly tags: readonly string[];
  readonly topic: string | null;
  readonly campaign: string | null;
  /** `template_<uuid>`. */
  readonly templateId: string | null;
  readonly ipPool: string | null;
  /**
   * Custom `X-` headers under their snake-cased names, for webhooks; the pulled history doesn't
   * show them.
   */
  readonly headers: Readonly<Record<string, string>>;
}

/**
 * What a bounce, complaint, open or unsubscribe needs, weeks later, to write a full event, and what
 * a look-up of the message shows.
 */
export interface MessageRecord extends Correlation {
  readonly domainId: string;
  /** The envelope, in the order that a recipient index counts. */
  readonly recipients: readonly string[];
  /**
   * A letter for each of them: `t` stands in To, `c` in Cc, `b` in neither. Absent: nobody knows
   * any more.
   */
  readonly roles?: string;
}

/** What an attempt found out from the receiving server, or without one. */
export interface Exchange {
  /** Where the transaction stood at the server's last answer; null: no server answered. */
  readonly stage: string | null;
  /**
   * The server's reply as one line with its codes, or what the service says when there was none.
   */
  readonly response: string | null;
  readonly mxHost: string | null;
  /** The version of TLS, e.g. `TLSv1.3`; null: without. */
  readonly tls: string | null;
  /** What in the reply decided on the bounce's classification; null: it has none. */
  readonly rule: string | null;
}

/** RFC 5965; `reportedAt` in Unix milliseconds. */
export interface Complaint {
  readonly feedbackType: string;
  readonly userAgent: string | null;
  readonly reportedAt: number | null;
}

/** An event without its message: what a log and a page keep of it. */
export interface OwnEvent {
  /** From eventId(), with the same time as `occurredAt`. */
  readonly id: string;
  readonly type: EventType;
  /** Unix milliseconds. */
  readonly occurredAt: number;
  readonly recipient: string;
  /** From 1; null on events that are not of delivery. */
  readonly attempt: number | null;
  readonly smtpCode: number | null;
  /** On email.bounced only. */
  readonly bounce: {
    readonly type: BounceType;
    readonly classification: string | null;
    readonly smtpCode: number | null;
    readonly smtpResponse: string | null;
  } | null;
  /** On email.complained only. */
  readonly complaint: Complaint | null;
  /** On email.suppressed only. */
  readonly suppression: {
    readonly reason: string;
    readonly topic: string;
    readonly classification: string | null;
  } | null;
  /** On email.opened and email.clicked only. */
  readonly tracking: Tracking | null;
  /**
   * On email.delivered, email.delayed and email.bounced, where an attempt led to it. Webhooks do
   * not show it.
   */
  readonly exchange: Exchange | null;
}

/** Some of a message's events, with the facts that all of them share. */
export interface MessageEvents {
  readonly message: MessageRecord;
  readonly events: readonly OwnEvent[];
}

export type EventRecord = Correlation & OwnEvent;

/** What an event carries of its message. */
export function correlationOf(message: MessageRecord): Correlation {
  const { domainId: _domainId, recipients: _recipients, roles: _roles, ...correlation } = message;
  return correlation;
}

/**
 * An event's id, `evt_` and a version 7 UUID without dashes: the time it happened, and a hash of
 * what happened (email id, recipient, type, and an attempt or another discriminator), so that the
 * same happening recorded twice has one id.
 */
export function eventId(occurredAtMs: number, ...happening: readonly string[]): string {
  const hash = createHash("sha256").update(JSON.stringify(happening)).digest();
  return `evt_${uuidv7(occurredAtMs, hash.subarray(0, 16)).replaceAll("-", "")}`;
}
