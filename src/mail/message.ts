// The types that the stages share: accept stores them, a claim and a courier return them, record
// writes them (docs/architecture.md §From a request to an inbox). Everything here is JSON, since it
// rests in the ledger's rows between two stages.
import type { Complaint, Exchange } from "../resources/events/records.ts";
import type { EventType, Tracking } from "../resources/events/wire.ts";

/** The body of a `deliver` queue message: ids only; the ledger has the rest. */
export type DeliverBody = DeliverJob | DeliverJobs;

export interface DeliverJob {
  readonly teamId: string;
  readonly emailId: string;
  readonly recipientIndex: number;
}

/** Several of one team. */
export interface DeliverJobs {
  readonly teamId: string;
  readonly jobs: readonly Omit<DeliverJob, "teamId">[];
}

export interface Mailbox {
  /**
   * As it is mailed: domain in ASCII (IDNA), lower case; local part as given, composed (NFC) where
   * it is beyond ASCII.
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
  /** `http`: composed by us from MessageContent. `raw`: submitted MIME, edited at most. */
  readonly source: "http" | "raw";
  readonly from: Mailbox;
  /** The verified sending domain (ASCII, lower case), and its row. */
  readonly fromDomain: string;
  readonly domainId: string;
  readonly to: readonly Mailbox[];
  readonly cc: readonly Mailbox[];
  readonly replyTo: readonly Mailbox[];
  /** The envelope: to, cc and bcc, each address once. A recipient index points in here. */
  readonly recipients: readonly string[];
  readonly subject: string;
  /** With angle brackets; the same in every copy. */
  readonly messageId: string;
  /** Custom headers that are kept, in order. */
  readonly headers: readonly (readonly [name: string, value: string])[];
  readonly tags: readonly string[];
  readonly topic: string | null;
  readonly campaign: string | null;
  readonly templateId: string | null;
  readonly ipPool: string | null;
  /**
   * Placeholder for a recipient's own unsubscribe link, in the subject, in header values and in the
   * content (mail/recipient-link.ts): letters, digits and hyphens that nothing written before can
   * hold. Absent: every copy has the same subject and content.
   */
  readonly linkPlaceholder?: string;
  /** Each copy carries a one-click unsubscribe link of its own. Absent: none is made. */
  readonly unsubscribe?: {
    /** What its page calls the sender; null: what `from` says. */
    readonly displayName: string | null;
  };
  /** In place of the domain's settings; what is left out stays as there. Absent: all of it. */
  readonly tracking?: {
    readonly opens?: boolean | undefined;
    readonly clicks?: boolean | undefined;
  };
}

export interface StoredAttachment {
  readonly filename: string;
  readonly contentType: string;
  /** Present: inline, without angle brackets. */
  readonly contentId: string | null;
  /** Standard base64, padded, no line breaks. */
  readonly content: string;
}

/**
 * The bulky part of an HTTP send, kept apart from Message because it may rest in R2. Of a submitted
 * message that part is its bytes: in the ledger's row as Latin-1 text, in R2 as they are.
 */
export interface MessageContent {
  readonly text: string | null;
  readonly html: string | null;
  readonly attachments: readonly StoredAttachment[];
}

/** Where an SMTP transaction stood when it got its last answer. */
export type Stage = "connect" | "helo" | "starttls" | "mail" | "rcpt" | "data" | "end";

/** Why no receiving server answered. */
export type FailureCause =
  | "no_mail_server" // DNS says for certain that there is none: NXDOMAIN, no MX and no address
  | "null_mx" // RFC 7505
  | "dns" // DNS did not answer, or not usefully
  | "tls"
  | "connect" // refused, unreachable or timed out
  | "other"; // the connection broke in the middle, or our own side failed

/** What a courier found out about one copy. */
export type Outcome =
  | {
      readonly kind: "reply";
      /** Three digits: 250 after the final dot is a delivery. */
      readonly code: number;
      readonly enhanced: string | null;
      /** Folded to one line, at most 1 KB, without the codes. */
      readonly text: string;
      readonly stage: Stage;
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

/** One happening to one recipient, before it has a row: what settle stores and record writes. */
export interface NewEvent {
  readonly type: EventType;
  /** Unix milliseconds. */
  readonly occurredAt: number;
  readonly recipient: string;
  /** Delivery attempt from 1; null on events that are not of delivery. */
  readonly attempt: number | null;
  readonly smtpCode: number | null;
  readonly bounce: BounceDetails | null;
  readonly suppression: {
    readonly reason: string;
    readonly topic: string;
    readonly classification: string | null;
  } | null;
  /** On the outcome of an attempt: what was said with the receiving server. */
  readonly exchange?: Exchange;
  readonly complaint?: Complaint;
  readonly tracking?: Tracking;
}

/** The suppression that an address's refusal makes (contract.md §Reasons and topics). */
export interface BounceSuppression {
  readonly classification: string | null;
  readonly smtpCode: number | null;
  /** Unix milliseconds of the bounce; the window runs from here. */
  readonly at: number;
}

/**
 * All that record writes for one settled attempt. The ledger keeps it as JSON until it is written.
 */
export interface AttemptRecord {
  readonly events: readonly NewEvent[];
  readonly suppress: BounceSuppression | null;
}
