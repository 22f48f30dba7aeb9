// Defines the form of a chunk: the events of one team and day, up to some hundred, as the bytes of
// one row (docs/storage.md §Chunks). Columns keep like values together, so that they deflate well. A
// chunk holds each fact of a message once, and leaves out what follows from the rest. Pure.
import type { DictionaryColumn } from "./columns.ts";
import { eventId, type OwnEvent } from "../../rpc/event-records.ts";

/** An event without its id, which costs a hash to derive. */
export type EventWithoutId = Omit<OwnEvent, "id">;

/**
 * The number of this form, the first member of every chunk. Another form gets another number, and
 * this form must be readable as long as days with it are kept.
 */
export const FORM = 1;

/** `schedules` is absent if none of the messages was scheduled. */
export type Form = readonly [
  form: number,
  messages: MessageColumns,
  events: EventColumns,
  schedules?: Schedules,
];

/** The scheduled messages among the chunk's: their place, and their time in Unix milliseconds. */
type Schedules = readonly (readonly [place: number, scheduledAt: number])[];

/** One entry per message, in the order of their first events. */
export type MessageColumns = readonly [
  /** The ids without their times and dashes. */
  tails: string,
  /** Milliseconds from an id's time to the message's first event in the chunk. */
  ages: readonly number[],
  /** A single recipient, or a list of all recipients. */
  recipients: readonly (string | readonly string[])[],
  roles: DictionaryColumn,
  senders: DictionaryColumn,
  subjects: readonly string[],
  /** The Message-IDs; 0: the one that the service makes. */
  messageIds: readonly (string | 0)[],
  /** Topics, campaigns, templates, pools, tags, headers, and metadata if a message has some. */
  labels: readonly DictionaryColumn[],
];

/** One entry per event, oldest first. */
export type EventColumns = readonly [
  times: readonly number[],
  /**
   * Each event's message: 0 is the next new message, 1 the newest message so far, 2 the one before,
   * and so on.
   */
  owners: string,
  /** Indexes of the message's recipients, or addresses that are not among them. */
  recipients: DictionaryColumn,
  kinds: DictionaryColumn,
  /**
   * The ids; 0: the id that eventId() makes of the rest. Otherwise the id without its time, or all
   * of it if it has another time.
   */
  ids: readonly (string | 0)[],
  responses: readonly (string | null)[],
  /** The replies of bounces; 0: the attempt's response. */
  answers: readonly (string | 0 | null)[],
  complaints: readonly OwnEvent["complaint"][],
  trackings: readonly OwnEvent["tracking"][],
];

/**
 * Members of which a chunk has few different combinations. Bounce types and classifications are
 * indexes in their lists if they are in them.
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

/** The address, its sending domain (0: that of the address) and that domain's id, and a name. */
export type ChunkSender = readonly [
  from: string,
  fromDomain: string | 0,
  domainId: string,
  fromName?: string,
];

export const LABELS = ["topic", "campaign", "templateId", "ipPool", "tags", "headers"] as const;

/** The number of hex digits of a version 7 UUID that are its time, and of all its digits. */
export const TIME_DIGITS = 12;
export const DIGITS = 32;

/** The id of an event of an attempt or a report. */
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
