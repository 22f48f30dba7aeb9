// The form of a page: the events of one team and day, up to some hundred, as the bytes of one row
// (docs/storage.md §Pages). Columns keep like values together, so that they deflate well. A page holds
// each fact of a message once, and nothing that the rest implies. Pure.
import type { DictionaryColumn } from "./columns.ts";
import { eventId, type OwnEvent } from "./records.ts";

/** An event without its id, which takes a hash to make out. */
export type EventWithoutId = Omit<OwnEvent, "id">;

/**
 * The first member of every page tells its form. Another form gets another number, and this one is
 * read for as long as days of it are kept.
 */
export const FORM = 1;

export type Form = readonly [form: number, messages: MessageColumns, events: EventColumns];

/** In the order of their first events. */
export type MessageColumns = readonly [
  /** The ids but for their times, without dashes. */
  tails: string,
  /** Milliseconds from an id's time to the message's first event in the page. */
  ages: readonly number[],
  /** A single recipient, or all of them. */
  recipients: readonly (string | readonly string[])[],
  roles: DictionaryColumn,
  senders: DictionaryColumn,
  subjects: readonly string[],
  /** 0: the one that the service mints. */
  messageIds: readonly (string | 0)[],
  /** Topics, campaigns, templates, pools, tags, headers. */
  labels: readonly DictionaryColumn[],
];

/** Oldest first. */
export type EventColumns = readonly [
  times: readonly number[],
  /** Of which message: 0 is the next new one, 1 the newest that there is by then, and so on. */
  owners: string,
  /** Places in the message's recipients, or addresses that are not among them. */
  recipients: DictionaryColumn,
  kinds: DictionaryColumn,
  /**
   * 0: the id is what eventId() makes of the rest. Else the id but for its time, or all of it where
   * its time is another.
   */
  ids: readonly (string | 0)[],
  responses: readonly (string | null)[],
  /** Of bounces the reply; 0: the attempt's response. */
  answers: readonly (string | 0 | null)[],
  complaints: readonly OwnEvent["complaint"][],
  trackings: readonly OwnEvent["tracking"][],
];

/**
 * What few events of a page have to themselves. Bounce types and classifications stand as places in
 * their lists where they are in them.
 */
export type Kind = readonly [
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

export const LABELS = ["topic", "campaign", "templateId", "ipPool", "tags", "headers"] as const;

/** Digits of a version 7 UUID that are its time, and all of them. */
export const TIME_DIGITS = 12;
export const DIGITS = 32;

/** The id of what happens in an attempt, or of a report. */
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
