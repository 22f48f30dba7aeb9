// The types that the stages share: `accept` stores them, claims and couriers return them, `record`
// writes them (docs/architecture.md §From a request to an inbox). All of them are plain JSON,
// because the ledger stores them between two stages; attachments are bytes (stored-content.ts).
import type { FailureCause } from "../classify/own-replies.ts";
import type { SmtpStage } from "../../smtp-gateway/src/smtp/smtp-reply.ts";
import type { Complaint, Exchange } from "../rpc/event-records.ts";
import type { EventType, Tracking } from "../rpc/event-types.ts";

export interface Mailbox {
  /**
   * The address as it is mailed: the domain in ASCII (IDNA) and lower case; the local part as
   * given, in NFC if it is beyond ASCII.
   */
  readonly email: string;
  readonly name: string | null;
}

/** A message as accepted, without its content. The ledger keeps it as opaque JSON. */
export interface Message {
  readonly id: string;
  readonly teamId: string;
  /** Unix milliseconds of acceptance. */
  readonly acceptedAt: number;
  /**
   * The time for which the message was scheduled, Unix milliseconds. The stored JSON lacks it
   * (mail/message-start.ts). Absent: the message was released at once.
   */
  readonly scheduledAt?: number;
  /** `http`: we compose it from MessageContent. `raw`: submitted MIME, which we only edit. */
  readonly source: "http" | "raw";
  readonly from: Mailbox;
  /** The verified sending domain (ASCII, lower case), and its row. */
  readonly fromDomain: string;
  readonly domainId: string;
  readonly to: readonly Mailbox[];
  readonly cc: readonly Mailbox[];
  readonly replyTo: readonly Mailbox[];
  /**
   * The envelope: to, cc and bcc, each address once. A recipient index is an index into this list.
   */
  readonly recipients: readonly string[];
  readonly subject: string;
  /** The Message-ID with angle brackets, the same in every copy. */
  readonly messageId: string;
  /** Custom headers that copies carry, in order. */
  readonly headers: readonly (readonly [name: string, value: string])[];
  readonly tags: readonly string[];
  readonly topic: string | null;
  readonly campaign: string | null;
  readonly templateId: string | null;
  readonly ipPool: string | null;
  /** Undefined: normal. */
  readonly priority?: "high" | undefined;
  /** The sender's own pairs, which are never part of the mail. Undefined: the send has no pairs. */
  readonly metadata?: Readonly<Record<string, string>> | undefined;
  /**
   * Placeholder of each recipient's unsubscribe link in the subject, header values and content
   * (mail/recipient-link.ts): letters, digits and hyphens that cannot be guessed. Undefined: the
   * texts are the same for all recipients.
   */
  readonly linkPlaceholder?: string | undefined;
  /** Each copy carries a one-click unsubscribe link of its own. Undefined: none is made. */
  readonly unsubscribe?:
    | {
        /** The sender's name on the unsubscribe page; null: as in `from`. */
        readonly displayName: string | null;
      }
    | undefined;
  /** Overrides of the domain's tracking settings. A member that is absent is not overridden. */
  readonly tracking?:
    | {
        readonly opens?: boolean | undefined;
        readonly clicks?: boolean | undefined;
      }
    | undefined;
}

export interface StoredAttachment {
  readonly filename: string;
  readonly contentType: string;
  /** Content-ID of an inline attachment, without angle brackets; null: not inline. */
  readonly contentId: string | null;
  readonly content: Uint8Array;
}

/**
 * The content of an HTTP send, apart from Message because it may be stored in R2. A submitted
 * message has its bytes as content instead.
 */
export interface MessageContent {
  readonly text: string | null;
  readonly html: string | null;
  readonly attachments: readonly StoredAttachment[];
}

/** The result of one attempt as a courier reports it. */
export type Outcome =
  | {
      readonly kind: "reply";
      /** Three digits: 250 after the final dot is a delivery. */
      readonly code: number;
      readonly enhanced: string | null;
      /** Folded to one line, at most 1 KB, without the codes. */
      readonly text: string;
      /** Null: a provider quoted the reply without its stage. */
      readonly stage: SmtpStage | null;
      readonly mxHost: string | null;
      readonly tls: string | null;
    }
  | {
      readonly kind: "failure";
      readonly cause: FailureCause;
      readonly detail: string;
      readonly mxHost: string | null;
    };

export interface BounceDetails {
  readonly type: "permanent" | "transient" | "expired";
  readonly classification: string | null;
  readonly smtpCode: number | null;
  readonly smtpResponse: string | null;
}

/** An event of one recipient, before it gets an id and is stored. */
export interface NewEvent {
  readonly type: EventType;
  /** Unix milliseconds. */
  readonly occurredAt: number;
  readonly recipient: string;
  /** Number of the delivery attempt, from 1; null for events that no attempt caused. */
  readonly attempt: number | null;
  readonly smtpCode: number | null;
  readonly bounce: BounceDetails | null;
  readonly suppression: {
    readonly reason: string;
    readonly topic: string;
    readonly classification: string | null;
  } | null;
  /** The SMTP exchange, only on the event that an attempt ends with. */
  readonly exchange?: Exchange;
  readonly complaint?: Complaint;
  readonly tracking?: Tracking;
}

/**
 * The suppression that follows when a server refuses the address (contract.md §Reasons and topics).
 */
export interface BounceSuppression {
  readonly classification: string | null;
  readonly smtpCode: number | null;
  /** Time of the bounce, Unix milliseconds. The suppression's window begins here. */
  readonly at: number;
}

/** The events of one attempt, and the suppression that follows from it, if any. */
export interface AttemptRecord {
  readonly events: readonly NewEvent[];
  readonly suppress: BounceSuppression | null;
}
