// Defines the form of a chunk: the events of one team and day in one row, a few hundred at most
// (docs/storage.md §Chunks). A chunk stores its events in columns, because similar values compress
// well together. It stores each fact of a message once, and omits facts that can be derived. Pure.
import type { DictionaryColumn } from "./column-packing.ts";
import { eventId, type OwnEvent } from "../../rpc/event-records.ts";

/** An event without its id. Code that does not need the id avoids the hash that makes the id. */
export type EventWithoutId = Omit<OwnEvent, "id">;

/**
 * The version number of this form, the first member of every chunk. A changed form needs a new
 * number. The code must be able to read this form as long as any stored day uses it.
 */
export const FORM = 1;

/** The members of a chunk. Empty members at the end are absent. */
export type Form = readonly [
  form: number,
  messages: MessageColumns,
  events: EventColumns,
  schedules?: Schedules,
  copies?: Copies,
  replyAddresses?: ReplyAddresses,
  versions?: TemplateVersions,
];

/** The scheduled messages: a message's index in the chunk, and its time in Unix milliseconds. */
type Schedules = readonly (readonly [place: number, scheduledAt: number])[];

/** The messages sent again: a message's index in the chunk, and the id of the original message. */
type Copies = readonly (readonly [place: number, copyOf: string])[];

/** The messages with `reply_to`: a message's index in the chunk, and the addresses. */
type ReplyAddresses = readonly (readonly [place: number, addresses: readonly string[]])[];
/** The templates' versions: a message's index in the chunk, and the version that was sent. */
type TemplateVersions = readonly (readonly [place: number, version: number])[];

/** The columns of messages. Each has one entry per message, in the order of their first events. */
export type MessageColumns = readonly [
  /** The UUIDs of the messages without their time part and dashes. */
  tails: string,
  /** The milliseconds between the time in each message's id and its first event in the chunk. */
  ages: readonly number[],
  /** The single recipient of each message, or the list of all its recipients. */
  recipients: readonly (string | readonly string[])[],
  roles: DictionaryColumn,
  senders: DictionaryColumn,
  subjects: readonly string[],
  /** The Message-IDs of the messages. 0: the service made the Message-ID from the message's id. */
  messageIds: readonly (string | 0)[],
  /**
   * The columns of topics, campaigns, templates, pools, tags and headers. If any message has
   * metadata, a column of metadata follows.
   */
  labels: readonly DictionaryColumn[],
];

/** The columns of events. Each has one entry per event, oldest first. */
export type EventColumns = readonly [
  times: readonly number[],
  /**
   * The message of each event, relative to the previous events. 0: the event begins the next
   * message. 1: the message that began most recently, 2: the message that began before it, and so
   * on.
   */
  owners: string,
  /**
   * The recipients: an index into the message's list of recipients or, for an address outside this
   * list, the whole address.
   */
  recipients: DictionaryColumn,
  kinds: DictionaryColumn,
  /**
   * The ids of the events. 0: derivedId() makes the id from the event's facts. Otherwise, the id
   * without its time. If the time in the id differs from the event's time, the whole id.
   */
  ids: readonly (string | 0)[],
  responses: readonly (string | null)[],
  /** The servers' replies of bounces. 0: the reply equals the attempt's response. */
  answers: readonly (string | 0 | null)[],
  complaints: readonly OwnEvent["complaint"][],
  trackings: readonly OwnEvent["tracking"][],
];

/**
 * The members of an event that have few different combinations in a chunk. A bounce type or
 * classification is stored as its index in the closed list, or as text if the list lacks it.
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
 * A sender: the address, the sending domain, the sending domain's id and the display name. The
 * domain is 0 if it is the domain of the address.
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

/** Makes the id of an event that an attempt or a report caused. */
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
