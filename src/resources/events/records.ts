// What the pipeline hands to the history, and gets back from it: a message's correlation facts, and an event that carries them (spec.md "Events").
// Everything that a pulled event and a webhook delivery show is in an EventRecord.
import { createHash } from "node:crypto";
import { uuidv7 } from "../../lib/ids.ts";
import type { BounceType, EventType, Tracking } from "./wire.ts";

/** What travels from a message onto every event of it. */
interface Correlation {
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
  /** Custom `X-` headers under their snake-cased names, for webhooks; the pulled history doesn't show them. */
  readonly headers: Readonly<Record<string, string>>;
}

/** What a bounce, complaint, open or unsubscribe needs, weeks later, to write a full event. */
export interface MessageRecord extends Correlation {
  readonly domainId: string;
  /** The envelope, in the order that a recipient index counts. */
  readonly recipients: readonly string[];
}

export interface EventRecord extends Correlation {
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
  /** On email.complained only; `reportedAt` in Unix milliseconds. */
  readonly complaint: { readonly feedbackType: string; readonly userAgent: string | null; readonly reportedAt: number | null } | null;
  /** On email.suppressed only. */
  readonly suppression: { readonly reason: string; readonly topic: string; readonly classification: string | null } | null;
  /** On email.opened and email.clicked only. */
  readonly tracking: Tracking | null;
}

/**
 * An event's id, `evt_` and a version 7 UUID without dashes: the time it happened, and a hash of what happened (email id, recipient, type, and an
 * attempt or another discriminator), so that the same happening recorded twice has one id.
 */
export function eventId(occurredAtMs: number, ...happening: readonly string[]): string {
  const hash = createHash("sha256").update(JSON.stringify(happening)).digest();
  return `evt_${uuidv7(occurredAtMs, hash.subarray(0, 16)).replaceAll("-", "")}`;
}
