// The types that several stages share: `accept` stores them, claims and couriers return them,
// `record` writes them (docs/architecture.md §From a request to an inbox). All of them are plain
// JSON, because the ledger stores them between two stages. Only attachments are bytes
// (stored-content.ts).
import type { FailureCause } from "../classify/own-replies.ts";
import type { SmtpStage } from "../../smtp-gateway/src/smtp/smtp-reply.ts";
import type { ProviderRefusal } from "../classify/provider-refusals.ts";
import type { Complaint, Exchange } from "../rpc/event-records.ts";
import type { EventType, Tracking } from "../rpc/event-types.ts";

export interface Mailbox {
  /**
   * The address in the form to which mail is sent. The domain is in ASCII (IDNA) and lower case.
   * The local part is as given, but in NFC if it has non-ASCII characters.
   */
  readonly email: string;
  readonly name: string | null;
}

/**
 * An accepted message without its content. The ledger stores the message as JSON, and reads only
 * its domain.
 */
export interface Message {
  readonly id: string;
  readonly teamId: string;
  /** The time at which the message was accepted, in Unix milliseconds. */
  readonly acceptedAt: number;
  /**
   * The scheduled time, in Unix milliseconds. The stored JSON does not have it
   * (mail/message-start.ts). Absent if the message was not scheduled.
   */
  readonly scheduledAt?: number;
  /**
   * Time for which the message was on hold until it was read, in milliseconds. The stored JSON does
   * not have it. Absent if the message never was on hold.
   */
  readonly heldMs?: number;
  /**
   * `http` means that the service composes the message from MessageContent. `raw` means that the
   * message was submitted as MIME, and that the service only edits it.
   */
  readonly source: "http" | "raw";
  readonly from: Mailbox;
  /** The name of the verified sending domain (ASCII, lower case), and the id of its row. */
  readonly fromDomain: string;
  readonly domainId: string;
  readonly to: readonly Mailbox[];
  readonly cc: readonly Mailbox[];
  readonly replyTo: readonly Mailbox[];
  /**
   * The recipients in the envelope: to, cc and bcc, each address once. A recipient index is an
   * index into this list.
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
  /**
   * The version of the template that was rendered. Undefined means that the send used no template,
   * or a template without a version.
   */
  readonly templateVersion?: number | undefined;
  readonly ipPool: string | null;
  /** Undefined means normal priority. */
  readonly priority?: "high" | undefined;
  /** The id of the message from which this message was made (contract.md §Sending again). */
  readonly copyOf?: string | undefined;
  /**
   * True if the content is never kept, and links are never click-tracked (contract.md §Kept
   * content).
   */
  readonly sensitive?: true | undefined;
  /** True if replies to each copy come to the service (contract.md §Replies). */
  readonly replyTracking?: true | undefined;
  /**
   * The sender's metadata, which is never part of the mail. Undefined means that the send has no
   * metadata.
   */
  readonly metadata?: Readonly<Record<string, string>> | undefined;
  /**
   * The placeholder for each recipient's unsubscribe link in the subject, header values and content
   * (mail/recipient-link.ts). It consists of letters, digits and hyphens, and cannot be guessed.
   * Undefined means that the texts are the same for all recipients.
   */
  readonly linkPlaceholder?: string | undefined;
  /**
   * Present if each copy gets its own one-click unsubscribe link. Undefined means that the copies
   * get no such link.
   */
  readonly unsubscribe?:
    | {
        /**
         * The sender's name on the unsubscribe page. Null means that the name in `from` is used.
         */
        readonly displayName: string | null;
      }
    | undefined;
  /**
   * Overrides of the domain's tracking settings. If a member is absent, the domain's setting
   * applies.
   */
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
  /**
   * Content-ID of an inline attachment, without angle brackets. Null means that the attachment is
   * not inline.
   */
  readonly contentId: string | null;
  readonly content: Uint8Array;
}

/**
 * The content of an HTTP send. It is separate from Message because it may be stored in R2. The
 * content of a submitted message is its bytes.
 */
export interface MessageContent {
  readonly text: string | null;
  readonly html: string | null;
  readonly attachments: readonly StoredAttachment[];
}

/** The result of one attempt, as a courier reports it. */
export type Outcome =
  | {
      readonly kind: "reply";
      /** The reply code, three digits. 250 after the final dot means a delivery. */
      readonly code: number;
      readonly enhanced: string | null;
      /** The text of the reply on one line, at most 1 KB, without the codes. */
      readonly text: string;
      /** The stage of the reply. Null means that a provider quoted the reply without its stage. */
      readonly stage: SmtpStage | null;
      readonly mxHost: string | null;
      readonly tls: string | null;
      /** Set if the provider itself refused. If absent, the recipient's server replied. */
      readonly providerRefusal?: ProviderRefusal;
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
  /** Number of the delivery attempt, from 1. Null means that no attempt caused the event. */
  readonly attempt: number | null;
  readonly smtpCode: number | null;
  readonly bounce: BounceDetails | null;
  readonly suppression: {
    readonly reason: string;
    readonly topic: string;
    readonly classification: string | null;
  } | null;
  /** The SMTP exchange. Present only in the event that ends an attempt. */
  readonly exchange?: Exchange;
  readonly complaint?: Complaint;
  readonly tracking?: Tracking;
}

/**
 * The suppression that follows if a server refuses the address (contract.md §Reasons and topics).
 */
export interface BounceSuppression {
  readonly classification: string | null;
  readonly smtpCode: number | null;
  /** Time of the bounce, in Unix milliseconds. The suppression lasts 90 days from this time. */
  readonly at: number;
}

/** The events of one attempt, and the suppression that follows from it, if any. */
export interface AttemptRecord {
  readonly events: readonly NewEvent[];
  readonly suppress: BounceSuppression | null;
}
