// Defines the form of a chunk: up to some hundred events of one team and day, as the bytes of one
// row (docs/storage.md §Chunks). Columns keep similar values together, so that they compress well.
// A chunk holds each fact of a message once, and leaves out facts that follow from others. Pure.
import type { DictionaryColumn } from "./column-packing.ts";
import { eventId, type OwnEvent } from "../../rpc/event-records.ts";

/** An event without its id, because deriving the id costs a hash. */
export type EventWithoutId = Omit<OwnEvent, "id">;

/**
 * The number of this form, the first member of every chunk. A changed form needs a new number. This
 * form must stay readable as long as days that use it are kept.
 */
export const FORM = 1;

/**
 * `schedules`, `copies` and `replyAddresses` are absent if none of the messages has such a fact,
 * nor one of those after it.
 */
export type Form = readonly [
  form: number,
  messages: MessageColumns,
  events: EventColumns,
  schedules?: Schedules,
  copies?: Copies,
  replyAddresses?: ReplyAddresses,
  versions?: TemplateVersions,
];

/**
 * The scheduled messages of the chunk: index among its messages, and scheduled time in Unix
 * milliseconds.
 */
type Schedules = readonly (readonly [place: number, scheduledAt: number])[];

/** The copies in the chunk: index among its messages, and the id of the message sent again. */
type Copies = readonly (readonly [place: number, copyOf: string])[];

/** The messages with addresses for replies: index among the chunk's messages, and the addresses. */
type ReplyAddresses = readonly (readonly [place: number, addresses: readonly string[]])[];
/** The versions of templates: index of a message, and the version that was sent. */
type TemplateVersions = readonly (readonly [place: number, version: number])[];

/** One entry per message, in the order of their first events. */
export type MessageColumns = readonly [
  /** The ids of the messages, without their times and dashes. */
  tails: string,
  /** Milliseconds from the time in the message's id to the message's first event in the chunk. */
  ages: readonly number[],
  /** The single recipient of each message, or the list of all its recipients. */
  recipients: readonly (string | readonly string[])[],
  roles: DictionaryColumn,
  senders: DictionaryColumn,
  subjects: readonly string[],
  /** The Message-IDs of the messages. 0: the Message-ID that the service itself made. */
  messageIds: readonly (string | 0)[],
  /**
   * The columns of topics, campaigns, templates, pools, tags and headers. If any message has
   * metadata, a column of metadata follows.
   */
  labels: readonly DictionaryColumn[],
];

/** One entry per event, oldest first. */
export type EventColumns = readonly [
  times: readonly number[],
  /**
   * The message of each event, as a number that depends on the messages of the events before it. 0:
   * the next new message; 1: the newest message so far; 2: the message before that, and so on.
   */
  owners: string,
  /**
   * Recipients: an index into the message's list of recipients or, for any other recipient, the
   * whole address.
   */
  recipients: DictionaryColumn,
  kinds: DictionaryColumn,
  /**
   * The ids of the events. 0: derivedId() makes the id from the other facts. Otherwise the id
   * without its time or, if the time in the id is not the event's time, the whole id.
   */
  ids: readonly (string | 0)[],
  responses: readonly (string | null)[],
  /** The replies of bounces. 0: the same as the attempt's response. */
  answers: readonly (string | 0 | null)[],
  complaints: readonly OwnEvent["complaint"][],
  trackings: readonly OwnEvent["tracking"][],
];

/**
 * The members of an event that have few different combinations in a chunk. A bounce type or
 * classification is stored as an index into the list of known ones or, if that list lacks it, as
 * text.
 */
export type ChunkKind = readonly [
  type: number,
  attempt: number | null,
  smtpCode: number | null,
  exchange:
    | null
    | readonly [
        stage: string | null,
        mxHost: string | null,
        tls: string | null,
        rule: string | null,
      ],
  bounce:
    | null
    | readonly [type: number, classification: number | string | null, smtpCode: number | null],
  suppression: OwnEvent["suppression"],
];

/**
 * The sender's address, its sending domain (0: the domain of the address), the sending domain's id,
 * and the display name.
 */
export type ChunkSender = readonly [
  from: string,
  fromDomain: string | 0,
  domainId: string,
  fromName?: string,
];

export const LABELS = ["topic", "campaign", "templateId", "ipPool", "tags", "headers"] as const;

/** A version 7 UUID has 32 hex digits. The first 12 are its time. */
export const TIME_DIGITS = 12;
export const DIGITS = 32;

/** Makes the id of an event that comes from an attempt or a report. */
export function derivedId(
  emailId: string,
  { occurredAt, recipient, type, attempt }: EventWithoutId,
): string {
  return eventId(occurredAt, emailId, recipient, type, String(attempt));
}

export function ownMessageId(uuid: string, fromDomain: string): string {
  return `<${uuid}@${fromDomain}>`;
}

export function domainOf(address: string): string {
  return address.slice(address.lastIndexOf("@") + 1);
}

export function hexTime(ms: number): string {
  return ms.toString(16).padStart(TIME_DIGITS, "0");
}
