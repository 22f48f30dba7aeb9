// A page of the log: the events of one team and day, up to some hundred, as the bytes of one row
// (docs/storage.md §Pages). A fact of a message stands in it once, and nothing that the rest
// implies. What is alike stands together, column by column, so that it deflates well. Pure.
import { constants, deflateRawSync, inflateRawSync } from "node:zlib";
import { isUuid, timeOfUuidv7 } from "../../lib/ids.ts";
import {
  type Few,
  packFew,
  packMarked,
  packSmall,
  packSteps,
  unpackFew,
  unpackMarked,
  unpackSmall,
  unpackSteps,
} from "./columns.ts";
import {
  type Correlation,
  type EventRecord,
  eventId,
  type MessageEvents,
  type MessageRecord,
  type OwnEvent,
} from "../../contracts/event-records.ts";
import { BOUNCE_CLASSIFICATIONS, BOUNCE_TYPES, EVENT_TYPES } from "../../contracts/event-types.ts";

/** An event without its id, which takes a hash to make out. */
type Unnamed = Omit<OwnEvent, "id">;

/** Which events of a page are wanted: those that are themselves, and whose message is. */
export interface Wanted {
  readonly message: (message: Correlation) => boolean;
  readonly event: (event: Pick<OwnEvent, "type" | "recipient" | "occurredAt">) => boolean;
}

export interface Page {
  /** A message that has events in the page. */
  readonly message: (emailId: string) => MessageRecord | undefined;
  /** Newest first: by time, and by id where they happened at once. */
  readonly events: (wanted?: Wanted) => EventRecord[];
}

/**
 * The first member of every page tells its form. Another form gets another number, and this one is
 * read for as long as days of it are kept.
 */
const FORM = 1;

type Form = readonly [form: number, messages: MessageColumns, events: EventColumns];

/** In the order of their first events. */
type MessageColumns = readonly [
  /** The ids but for their times, without dashes. */
  tails: string,
  /** Milliseconds from an id's time to the message's first event in the page. */
  ages: readonly number[],
  /** A single recipient, or all of them. */
  recipients: readonly (string | readonly string[])[],
  roles: Few,
  senders: Few,
  subjects: readonly string[],
  /** 0: the one that the service mints. */
  messageIds: readonly (string | 0)[],
  /** Topics, campaigns, templates, pools, tags, headers. */
  labels: readonly Few[],
];

/** Oldest first. */
type EventColumns = readonly [
  times: readonly number[],
  /** Of which message: 0 is the next new one, 1 the newest that there is by then, and so on. */
  owners: string,
  /** Places in the message's recipients, or addresses that are not among them. */
  recipients: Few,
  kinds: Few,
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
type Kind = readonly [
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

/** A message of a page. */
interface Opened {
  readonly uuid: string;
  readonly facts: Correlation;
  readonly recipients: readonly string[];
  readonly rest: () => Omit<MessageRecord, keyof Correlation>;
}

interface Row {
  readonly owner: MessageRecord;
  readonly event: OwnEvent;
}

const LABELS = ["topic", "campaign", "templateId", "ipPool", "tags", "headers"] as const;

/** Digits of a version 7 UUID that are its time, and all of them. */
const TIME_DIGITS = 12;
const DIGITS = 32;

/**
 * A message or event that is given twice is one, as it came first. Throws a plain Error for an
 * email id that is not the service's own.
 */
export function packPage(messages: readonly MessageEvents[]): Uint8Array {
  const rows = rowsOf(messages);
  const owners = [...new Set(rows.map(({ owner }) => owner))];
  const form: Form = [FORM, packMessages(owners, rows), packEvents(owners, rows)];
  return deflateRawSync(JSON.stringify(form), {
    level: constants.Z_BEST_COMPRESSION,
    memLevel: constants.Z_MAX_MEMLEVEL,
  });
}

/** Throws a plain Error for what is no page. */
export function openPage(teamId: string, bytes: Uint8Array): Page {
  const [form, columns, events] = JSON.parse(inflateRawSync(bytes).toString()) as Form;
  if (form !== FORM) throw new Error(`a page of an unknown form: ${form}`);
  const times = unpackSteps(events[0]);
  const owners = unpackOwners(events[1]);
  const messages = unpackMessages(teamId, columns, owners, times);
  const own = unpackEvents(events, messages, owners, times);
  return {
    message: (emailId) => {
      const found = messages.find(({ facts }) => facts.emailId === emailId);
      return found && { ...found.facts, ...found.rest() };
    },
    events: (wanted) => {
      const isWanted = messages.map(({ facts }) => wanted?.message(facts) ?? true);
      const rows = owners.flatMap((owner, row) => (isWanted[owner] ? [row] : [])).toReversed();
      const found = rows.filter((row) => wanted?.event(own.head(row)) ?? true);
      return found.map((row): EventRecord => {
        const [{ facts }, event] = [messages[owners[row]!]!, own.whole(row)];
        return { ...facts, ...event, id: unpackId(events[4][row]!, facts.emailId, event) };
      });
    },
  };
}

function rowsOf(messages: readonly MessageEvents[]): Row[] {
  const owners = new Map<string, MessageRecord>();
  const rows = new Map<string, Row>();
  for (const { message, events } of messages) {
    const owner = owners.get(message.emailId) ?? message;
    owners.set(message.emailId, owner);
    for (const event of events) if (!rows.has(event.id)) rows.set(event.id, { owner, event });
  }
  return [...rows.values()].toSorted(
    ({ event: left }, { event: right }) =>
      left.occurredAt - right.occurredAt || (left.id < right.id ? -1 : 1),
  );
}

function packMessages(owners: readonly MessageRecord[], rows: readonly Row[]): MessageColumns {
  const firsts = new Map(rows.toReversed().map(({ owner, event }) => [owner, event.occurredAt]));
  const uuids = owners.map(({ emailId }) => uuidOf(emailId));
  return [
    uuids.map((uuid) => hexOf(uuid).slice(TIME_DIGITS)).join(""),
    owners.map((owner, at) => (firsts.get(owner) ?? 0) - timeOfUuidv7(uuids[at] ?? "")),
    owners.map(({ recipients }) => (recipients.length === 1 ? recipients[0]! : recipients)),
    packFew(owners.map(({ roles }) => roles ?? null)),
    packFew(
      owners.map(({ from, fromDomain, domainId }) => [
        from,
        domainOf(from) === fromDomain ? 0 : fromDomain,
        domainId,
      ]),
    ),
    owners.map(({ subject }) => subject),
    owners.map(({ messageId, fromDomain }, at) =>
      messageId === ownMessageId(uuids[at]!, fromDomain) ? 0 : packMarked(messageId, uuids[at]!),
    ),
    LABELS.map((name) => packFew(owners.map((owner) => owner[name]))),
  ];
}

function unpackMessages(
  teamId: string,
  [tails, ages, envelopes, roles, senders, subjects, messageIds, labels]: MessageColumns,
  owners: readonly number[],
  times: readonly number[],
): Opened[] {
  const count = ages.length;
  const senderColumn = unpackFew<[from: string, fromDomain: string | 0, domainId: string]>(
    senders,
    count,
  );
  const [topics, campaigns, templates, pools, tags, headers] = labels.map((column) =>
    unpackFew<never>(column, count),
  );
  const tailDigits = DIGITS - TIME_DIGITS;
  return ages.map((age, at): Opened => {
    const madeAt = times[owners.indexOf(at)]! - age;
    const uuid = formatHex(hexTime(madeAt) + tails.slice(at * tailDigits, (at + 1) * tailDigits));
    const [from, ownDomain, domainId] = senderColumn[at]!;
    const fromDomain = ownDomain === 0 ? domainOf(from) : ownDomain;
    const [messageId, envelope] = [messageIds[at]!, envelopes[at]!];
    const recipients = typeof envelope === "string" ? [envelope] : envelope;
    const facts: Correlation = {
      teamId,
      emailId: `email_${uuid}`,
      from,
      fromDomain,
      subject: subjects[at]!,
      messageId: messageId === 0 ? ownMessageId(uuid, fromDomain) : unpackMarked(messageId, uuid),
      topic: topics![at]!,
      campaign: campaigns![at]!,
      templateId: templates![at]!,
      ipPool: pools![at]!,
      tags: tags![at]!,
      headers: headers![at]!,
    };
    const rest = (): Omit<MessageRecord, keyof Correlation> => {
      const role = unpackFew<string | null>(roles, count)[at]!;
      return { domainId, recipients, ...(role === null ? {} : { roles: role }) };
    };
    return { uuid, facts, recipients, rest };
  });
}

function packEvents(owners: readonly MessageRecord[], rows: readonly Row[]): EventColumns {
  const ordinals = new Map(owners.map((owner, at) => [owner, at]));
  const uuids = new Map(owners.map((owner) => [owner, uuidOf(owner.emailId)]));
  return [
    packSteps(rows.map(({ event }) => event.occurredAt)),
    packOwners(rows.map(({ owner }) => ordinals.get(owner)!)),
    packFew(
      rows.map(({ owner, event: { recipient } }) => placeOrText(owner.recipients, recipient)),
    ),
    packFew(rows.map(({ event }) => kindOf(event))),
    rows.map(packId),
    rows.map(({ owner, event: { exchange } }) =>
      packText(exchange?.response ?? null, uuids.get(owner)!),
    ),
    rows.map(({ owner, event: { bounce, exchange } }) => {
      if (bounce === null) return null;
      return exchange && bounce.smtpResponse === exchange.response
        ? 0
        : packText(bounce.smtpResponse, uuids.get(owner)!);
    }),
    rows.map(({ event }) => event.complaint),
    rows.map(({ event }) => event.tracking),
  ];
}

/** What makes the events, by their rows: what they are asked for by, and all of them. */
function unpackEvents(
  [, , recipients, kinds, , responses, answers, complaints, trackings]: EventColumns,
  messages: readonly Opened[],
  owners: readonly number[],
  times: readonly number[],
): {
  head: (row: number) => Pick<OwnEvent, "type" | "recipient" | "occurredAt">;
  whole: (row: number) => Unnamed;
} {
  const recipientColumn = unpackFew<number | string>(recipients, owners.length);
  const kindColumn = unpackFew<Kind>(kinds, owners.length);
  const head = (row: number): Pick<OwnEvent, "type" | "recipient" | "occurredAt"> => ({
    type: EVENT_TYPES[kindColumn[row]![0]]!,
    occurredAt: times[row]!,
    recipient: itemOrText(messages[owners[row]!]!.recipients, recipientColumn[row]!),
  });
  const whole = (row: number): Unnamed => {
    const { uuid } = messages[owners[row]!]!;
    const [, attempt, smtpCode, exchange, bounce, suppression] = kindColumn[row]!;
    const response = unpackText(responses[row]!, uuid);
    const answer = answers[row]!;
    return {
      ...head(row),
      attempt,
      smtpCode,
      bounce: bounce && {
        type: BOUNCE_TYPES[bounce[0]]!,
        classification: bounce[1] === null ? null : itemOrText(BOUNCE_CLASSIFICATIONS, bounce[1]),
        smtpCode: bounce[2],
        smtpResponse: answer === 0 ? response : unpackText(answer, uuid),
      },
      complaint: complaints[row]!,
      suppression,
      tracking: trackings[row]!,
      exchange: exchange && {
        stage: exchange[0],
        response,
        mxHost: exchange[1],
        tls: exchange[2],
        rule: exchange[3],
      },
    };
  };
  return { head, whole };
}

function kindOf({ type, attempt, smtpCode, exchange, bounce, suppression }: OwnEvent): Kind {
  return [
    EVENT_TYPES.indexOf(type),
    attempt,
    smtpCode,
    exchange && [exchange.stage, exchange.mxHost, exchange.tls, exchange.rule],
    bounce && [
      BOUNCE_TYPES.indexOf(bounce.type),
      bounce.classification === null
        ? null
        : placeOrText(BOUNCE_CLASSIFICATIONS, bounce.classification),
      bounce.smtpCode,
    ],
    suppression,
  ];
}

function packOwners(ordinals: readonly number[]): string {
  let known = 0;
  return packSmall(
    ordinals.map((ordinal) => {
      if (ordinal < known) return known - ordinal;
      known += 1;
      return 0;
    }),
  );
}

function unpackOwners(packed: string): number[] {
  let known = 0;
  return unpackSmall(packed).map((distance) =>
    distance === 0 ? (known += 1) - 1 : known - distance,
  );
}

function packId({ owner: { emailId }, event }: Row): string | 0 {
  if (event.id === derivedId(emailId, event)) return 0;
  const beginning = `evt_${hexTime(event.occurredAt)}`;
  return event.id.startsWith(beginning) && event.id.length === "evt_".length + DIGITS
    ? event.id.slice(beginning.length)
    : event.id;
}

function unpackId(packed: string | 0, emailId: string, event: Unnamed): string {
  if (packed === 0) return derivedId(emailId, event);
  return packed.length === DIGITS - TIME_DIGITS
    ? `evt_${hexTime(event.occurredAt)}${packed}`
    : packed;
}

/** The id of what happens in an attempt, or of a report. */
function derivedId(emailId: string, { occurredAt, recipient, type, attempt }: Unnamed): string {
  return eventId(occurredAt, emailId, recipient, type, String(attempt));
}

function packText(text: string | null, uuid: string): string | null {
  return text === null ? null : packMarked(text, uuid);
}

function unpackText(packed: string | null, uuid: string): string | null {
  return packed === null ? null : unpackMarked(packed, uuid);
}

function placeOrText(list: readonly string[], text: string): number | string {
  const place = list.indexOf(text);
  return place < 0 ? text : place;
}

function itemOrText(list: readonly string[], packed: number | string): string {
  return typeof packed === "string" ? packed : list[packed]!;
}

function ownMessageId(uuid: string, fromDomain: string): string {
  return `<${uuid}@${fromDomain}>`;
}

function domainOf(address: string): string {
  return address.slice(address.lastIndexOf("@") + 1);
}

function uuidOf(emailId: string): string {
  const uuid = emailId.slice("email_".length);
  if (!emailId.startsWith("email_") || !isUuid(uuid) || uuid !== uuid.toLowerCase())
    throw new Error(`not the id of a message: ${emailId}`);
  return uuid;
}

function hexTime(ms: number): string {
  return ms.toString(16).padStart(TIME_DIGITS, "0");
}

function hexOf(uuid: string): string {
  return uuid.replaceAll("-", "");
}

function formatHex(hex: string): string {
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20)}`;
}
