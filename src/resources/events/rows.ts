// How an event and a message lie in their day's tables, and how they come out again (design.md section 3, "Event history"): binary ids, codes as
// small integers, and nothing that the rest of the row implies. Pure.
import type { Day } from "../../db/history-schema.ts";
import { dayOf, startOf } from "../../db/partitions.ts";
import { parseUuid, timeOfUuidv7 } from "../../lib/ids.ts";
import type { EventRecord, MessageRecord } from "./records.ts";
import { BOUNCE_CLASSIFICATIONS, BOUNCE_TYPES, EVENT_TYPES, type EventType, type PulledEvent, type Tracking } from "./wire.ts";

type Cell = string | number | null;

/** An event at a place in its day: `key` = the day's milliseconds, then PLACES for the events of one millisecond. */
export interface PackedEvent {
  readonly day: Day;
  readonly key: number;
  /** The id but for its time, in hex. */
  readonly tail: string;
  /** The other columns, in the order of EVENT_COLUMNS. */
  readonly cells: readonly Cell[];
}

/** A message in its day: email and team in hex, everything else as JSON. */
export interface PackedMessage {
  readonly day: Day;
  readonly cells: readonly [email: string, team: string, facts: string];
}

/** 2^26 places a millisecond, so that a key stays below 2^53. An event starts at the place that its id's last bits name. */
const PLACES = 2 ** 26;

/** A version 7 UUID can name times that no day has. */
const YEAR_10000_MS = Date.UTC(10_000, 0);

/** Columns after key and tail; `hex` ones are BLOBs. */
const EVENT_COLUMNS = [
  { name: "team", hex: true },
  { name: "email", hex: true },
  { name: "type", hex: false },
  { name: "recipient", hex: false },
  { name: "sender", hex: false },
  { name: "sender_domain", hex: false },
  { name: "subject", hex: false },
  { name: "message_id", hex: false },
  { name: "topic", hex: false },
  { name: "campaign", hex: false },
  { name: "template", hex: true },
  { name: "tags", hex: false },
  { name: "ip_pool", hex: false },
  { name: "smtp_code", hex: false },
  { name: "bounce_type", hex: false },
  { name: "bounce_classification", hex: false },
  { name: "attempt", hex: false },
  { name: "tracking", hex: false },
] as const;

export const EVENT_COLUMN_LIST = ["key", "tail", ...EVENT_COLUMNS.map(({ name }) => name)].join(", ");

/** The columns out of a JSON array `value`, which has them in that order. */
export const EVENT_VALUES_FROM_JSON = [
  "value ->> 0",
  "unhex(value ->> 1)",
  ...EVENT_COLUMNS.map(({ hex }, index) => (hex ? `unhex(value ->> ${index + 2})` : `value ->> ${index + 2}`)),
].join(", ");

/** What to select from `e` for an EventRow. D1 hands out a BLOB as an array of numbers: hex is a quarter of that. */
export const EVENT_SELECTION = [
  "e.key",
  "lower(hex(e.tail)) AS tail",
  ...EVENT_COLUMNS.filter(({ name }) => name !== "team").map(({ name, hex }) => (hex ? `lower(hex(e.${name})) AS ${name}` : `e.${name}`)),
].join(", ");

/** A row of EVENT_SELECTION. */
export interface EventRow {
  readonly key: number;
  readonly tail: string;
  readonly email: string;
  readonly type: number;
  readonly recipient: string;
  readonly sender: string;
  readonly sender_domain: string | null;
  readonly subject: string;
  readonly message_id: string;
  readonly topic: string | null;
  readonly campaign: string | null;
  /** "" when there is none. */
  readonly template: string;
  readonly tags: string | null;
  readonly ip_pool: string | null;
  readonly smtp_code: number | null;
  readonly bounce_type: number | null;
  readonly bounce_classification: number | string | null;
  readonly attempt: number | null;
  readonly tracking: string | null;
}

/** Throws a plain Error for ids that are not the service's own, and for an id whose time is not the event's: that is a fault of the caller's. */
export function packEvent(event: EventRecord): PackedEvent {
  const id = /^evt_([0-9a-f]{32})$/.exec(event.id)?.[1];
  if (id === undefined || Number.parseInt(id.slice(0, 12), 16) !== event.occurredAt)
    throw new Error(`not the id of this event: ${event.id}`);
  const day = dayOf(event.occurredAt);
  const bounce = event.type === "email.bounced" ? event.bounce : null;
  const cells = [
    idHex(event.teamId, "team_"),
    idHex(event.emailId, "email_"),
    EVENT_TYPES.indexOf(event.type),
    event.recipient,
    event.from,
    domainOf(event.from) === event.fromDomain ? null : event.fromDomain,
    event.subject,
    packMessageId(event.messageId, uuidOf(event.emailId, "email_"), event.fromDomain),
    event.topic,
    event.campaign,
    event.templateId === null ? null : idHex(event.templateId, "template_"),
    event.tags.length === 0 ? null : JSON.stringify(event.tags),
    event.ipPool,
    event.smtpCode,
    bounce && BOUNCE_TYPES.indexOf(bounce.type),
    bounce?.classification == null ? null : codeOrText(BOUNCE_CLASSIFICATIONS, bounce.classification),
    event.attempt,
    packTracking(event.type, event.tracking),
  ];
  return { day, key: keyAt(day, event.occurredAt) + (Number.parseInt(id.slice(-7), 16) % PLACES), tail: id.slice(12), cells };
}

/** The lowest key of a moment in a day. */
export function keyAt(day: Day, ms: number): number {
  return (ms - startOf(day)) * PLACES;
}

/** The event's row, in the order of EVENT_COLUMN_LIST. */
export function cellsOf(event: PackedEvent): readonly Cell[] {
  return [event.key, event.tail, ...event.cells];
}

/** The same event one place on, within its millisecond. */
export function moved<Event extends PackedEvent>(event: Event): Event {
  const place = event.key % PLACES;
  return { ...event, key: event.key - place + ((place + 1) % PLACES) };
}

export function unpackEvent(day: Day, row: EventRow): PulledEvent {
  const occurredAt = startOf(day) + Math.floor(row.key / PLACES);
  const uuid = formatHex(row.email);
  const fromDomain = row.sender_domain ?? domainOf(row.sender);
  return {
    id: `evt_${occurredAt.toString(16).padStart(12, "0")}${row.tail}`,
    type: at(EVENT_TYPES, row.type),
    occurred_at: new Date(occurredAt).toISOString(),
    email_id: `email_${uuid}`,
    message_id: unpackMessageId(row.message_id, uuid, fromDomain),
    from: row.sender,
    from_domain: fromDomain,
    recipient: row.recipient,
    subject: row.subject,
    campaign: row.campaign,
    template_id: row.template === "" ? null : `template_${formatHex(row.template)}`,
    topic: row.topic,
    tags: row.tags === null ? [] : (JSON.parse(row.tags) as string[]),
    ip_pool: row.ip_pool,
    smtp_code: row.smtp_code,
    bounce_type: row.bounce_type === null ? null : at(BOUNCE_TYPES, row.bounce_type),
    bounce_classification:
      typeof row.bounce_classification === "number" ? at(BOUNCE_CLASSIFICATIONS, row.bounce_classification) : row.bounce_classification,
    attempt: row.attempt,
    tracking: row.tracking === null ? null : (JSON.parse(row.tracking) as Tracking),
  };
}

/** A message as its day's table takes it: email and team in hex, everything else as JSON. */
export function packMessage(message: MessageRecord): {
  readonly day: Day;
  readonly cells: readonly [email: string, team: string, facts: string];
} {
  const { teamId, emailId, ...facts } = message;
  const uuid = uuidOf(emailId, "email_");
  return { day: dayOf(timeOfUuidv7(uuid)), cells: [idHex(emailId, "email_"), idHex(teamId, "team_"), JSON.stringify(facts)] };
}

/** Where to look for a message, and under what; undefined for what is not an email id, or names no day. */
export function placeOfMessage(emailId: string): { readonly day: Day; readonly email: string } | undefined {
  const uuid = /^email_(.{36})$/.exec(emailId)?.[1];
  if (uuid === undefined || !parseUuid(uuid) || timeOfUuidv7(uuid) >= YEAR_10000_MS) return undefined;
  return { day: dayOf(timeOfUuidv7(uuid)), email: uuid.replaceAll("-", "") };
}

export function unpackMessage(emailId: string, team: string, facts: string): MessageRecord {
  return { teamId: `team_${formatHex(team)}`, emailId, ...(JSON.parse(facts) as Omit<MessageRecord, "teamId" | "emailId">) };
}

/** A human's open shows nothing in the history (wire.md "Events"). */
function packTracking(type: EventType, tracking: Tracking | null): string | null {
  const shown = type === "email.clicked" || (type === "email.opened" && tracking?.bot !== undefined);
  return shown && tracking !== null ? JSON.stringify(tracking) : null;
}

/** Stands in a stored Message-ID for the email's UUID, the same without dashes, and the sending domain. */
const UUID_MARK = "\u0001";
const HEX_MARK = "\u0002";
const DOMAIN_MARK = "\u0003";
/** Before a Message-ID that is stored as it is, because it would not survive the marks. */
const VERBATIM = "=";

function packMessageId(messageId: string, uuid: string, fromDomain: string): string {
  const packed = messageId
    .replace(uuid, UUID_MARK)
    .replace(uuid.replaceAll("-", ""), HEX_MARK)
    .replace(`@${fromDomain}>`, `@${DOMAIN_MARK}>`);
  return packed.startsWith(VERBATIM) || unpackMessageId(packed, uuid, fromDomain) !== messageId ? VERBATIM + messageId : packed;
}

function unpackMessageId(packed: string, uuid: string, fromDomain: string): string {
  if (packed.startsWith(VERBATIM)) return packed.slice(VERBATIM.length);
  return packed
    .replace(DOMAIN_MARK, () => fromDomain)
    .replace(UUID_MARK, uuid)
    .replace(HEX_MARK, uuid.replaceAll("-", ""));
}

function domainOf(address: string): string {
  return address.slice(address.lastIndexOf("@") + 1);
}

function codeOrText(list: readonly string[], text: string): number | string {
  const code = list.indexOf(text);
  return code < 0 ? text : code;
}

function at<Item>(list: readonly Item[], code: number): Item {
  const item = list[code];
  if (item === undefined) throw new Error(`no such code in a history row: ${code}`);
  return item;
}

function uuidOf(id: string, prefix: string): string {
  const uuid = id.startsWith(prefix) ? id.slice(prefix.length) : "";
  if (!parseUuid(uuid)) throw new Error(`not an id of the service: ${id}`);
  return uuid.toLowerCase();
}

/** The UUID of an id, without its dashes. Throws for an id that is not of the service's form. */
export function idHex(id: string, prefix: string): string {
  return uuidOf(id, prefix).replaceAll("-", "");
}

function formatHex(hex: string): string {
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20)}`;
}
