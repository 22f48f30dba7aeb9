// Packs an event and a message into their day's tables, and unpacks them again (docs/storage.md §The history's day tables): binary ids, codes as
// small integers, and nothing that the rest of the row implies. Pure.
import type { Day } from "../../db/day-tables.ts";
import { dayOf, startOf } from "../../db/partitions.ts";
import { isUuid, timeOfUuidv7 } from "../../lib/ids.ts";
import { DELIVERED_AT, packDetail, packResponse, TLS_VERSIONS, unpackDetail, unpackResponse } from "./details.ts";
import type { EventRecord, HistoryEvent, MessageRecord } from "./records.ts";
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

/**
 * 2^20 places a millisecond: a hundred events of one millisecond meet at a place in one of two hundred cases, and the index keeps small numbers.
 * An event starts at the place that its id's last bits name.
 */
const PLACES = 2 ** 20;

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
  { name: "mx_host", hex: false },
  { name: "tls", hex: false },
  { name: "response", hex: false },
  { name: "detail", hex: false },
] as const;

/** What a list of events needs no look at. */
const UNLISTED: ReadonlySet<string> = new Set(["team", "mx_host", "tls", "response", "detail"]);

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
  ...EVENT_COLUMNS.filter(({ name }) => !UNLISTED.has(name)).map(({ name, hex }) =>
    hex ? `lower(hex(e.${name})) AS ${name}` : `e.${name}`,
  ),
].join(", ");

/** The same for a WholeEventRow. */
export const WHOLE_EVENT_SELECTION = `${EVENT_SELECTION}, e.mx_host, e.tls, e.response, e.detail`;

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

/** A row of WHOLE_EVENT_SELECTION. */
export interface WholeEventRow extends EventRow {
  readonly mx_host: string | null;
  readonly tls: number | string | null;
  readonly response: string | null;
  readonly detail: string | null;
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
    packTags(event.tags),
    event.ipPool,
    event.smtpCode,
    bounce && BOUNCE_TYPES.indexOf(bounce.type),
    bounce?.classification == null ? null : codeOrText(BOUNCE_CLASSIFICATIONS, bounce.classification),
    event.attempt,
    isEngagement(event.type) && event.tracking !== null ? JSON.stringify(event.tracking) : null,
    event.exchange?.mxHost ?? null,
    event.exchange?.tls == null ? null : codeOrText(TLS_VERSIONS, event.exchange.tls),
    packResponse(event),
    packDetail(event),
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
    tags: unpackTags(row.tags),
    ip_pool: row.ip_pool,
    smtp_code: row.smtp_code,
    bounce_type: row.bounce_type === null ? null : at(BOUNCE_TYPES, row.bounce_type),
    bounce_classification:
      typeof row.bounce_classification === "number" ? at(BOUNCE_CLASSIFICATIONS, row.bounce_classification) : row.bounce_classification,
    attempt: row.attempt,
    tracking: shownTracking(at(EVENT_TYPES, row.type), trackingIn(row)),
  };
}

/** The event with all that its row keeps, `pulled` being what unpackEvent() made of it: what a look-up of its message shows, and a webhook was told. */
export function unpackWholeEvent(teamId: string, pulled: PulledEvent, row: WholeEventRow): HistoryEvent {
  const { type, smtp_code: smtpCode, bounce_type: bounceType } = pulled;
  const { stage, complaint, suppression, rule } = unpackDetail(row.detail);
  const response = unpackResponse(row.response, smtpCode);
  const tls = typeof row.tls === "number" ? at(TLS_VERSIONS, row.tls) : row.tls;
  const said = pulled.attempt !== null && [stage, response, row.mx_host].some((part) => part !== null);
  return {
    id: pulled.id,
    teamId,
    emailId: pulled.email_id,
    type,
    occurredAt: Date.parse(pulled.occurred_at),
    recipient: pulled.recipient,
    from: pulled.from,
    fromDomain: pulled.from_domain,
    subject: pulled.subject,
    messageId: pulled.message_id,
    tags: pulled.tags,
    topic: pulled.topic,
    campaign: pulled.campaign,
    templateId: pulled.template_id,
    ipPool: pulled.ip_pool,
    attempt: pulled.attempt,
    smtpCode,
    bounce: bounceType && { type: bounceType, classification: pulled.bounce_classification, smtpCode, smtpResponse: response },
    complaint,
    suppression,
    tracking: trackingIn(row),
    exchange: said
      ? { stage: stage ?? (type === "email.delivered" ? DELIVERED_AT : null), response, mxHost: row.mx_host, tls, rule }
      : null,
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
  if (uuid === undefined || !isUuid(uuid) || timeOfUuidv7(uuid) >= YEAR_10000_MS) return undefined;
  return { day: dayOf(timeOfUuidv7(uuid)), email: uuid.replaceAll("-", "") };
}

/** The member of a message's facts that holds what was kept with it later. */
export const KEPT = "kept";

export function unpackMessage(emailId: string, team: string, facts: string): MessageRecord {
  const { [KEPT]: _, ...recorded } = JSON.parse(facts) as Omit<MessageRecord, "teamId" | "emailId"> & { [KEPT]?: unknown };
  return { teamId: `team_${formatHex(team)}`, emailId, ...recorded };
}

function isEngagement(type: EventType): boolean {
  return type === "email.opened" || type === "email.clicked";
}

function trackingIn({ tracking }: EventRow): Tracking | null {
  return tracking === null ? null : (JSON.parse(tracking) as Tracking);
}

/** A person's open shows nothing in the history (contract.md §Opens and clicks). */
function shownTracking(type: EventType, tracking: Tracking | null): Tracking | null {
  return type === "email.opened" && tracking?.bot === undefined ? null : tracking;
}

/** Separated by commas, which no valid tag holds; what would not survive that is JSON. */
function packTags(tags: readonly string[]): string | null {
  const packed = tags.join(",");
  const survives = packed !== "" && !packed.startsWith("[") && packed.split(",").length === tags.length;
  return survives ? packed : tags.length === 0 ? null : JSON.stringify(tags);
}

function unpackTags(packed: string | null): string[] {
  if (packed === null) return [];
  return packed.startsWith("[") ? (JSON.parse(packed) as string[]) : packed.split(",");
}

/** Stands in a stored Message-ID for the email's UUID, the same without dashes, and the sending domain. */
const UUID_MARK = "\u0001";
const HEX_MARK = "\u0002";
const DOMAIN_MARK = "\u0003";
/** Before a Message-ID that is stored as it is, because it would not survive the marks. */
const VERBATIM = "=";
/** What the service mints is not stored at all. */
const OWN = `<${UUID_MARK}@${DOMAIN_MARK}>`;

function packMessageId(messageId: string, uuid: string, fromDomain: string): string {
  const packed = messageId
    .replace(uuid, UUID_MARK)
    .replace(uuid.replaceAll("-", ""), HEX_MARK)
    .replace(`@${fromDomain}>`, `@${DOMAIN_MARK}>`);
  if (packed === OWN) return "";
  return packed === "" || packed.startsWith(VERBATIM) || unpackMessageId(packed, uuid, fromDomain) !== messageId
    ? VERBATIM + messageId
    : packed;
}

function unpackMessageId(packed: string, uuid: string, fromDomain: string): string {
  if (packed.startsWith(VERBATIM)) return packed.slice(VERBATIM.length);
  return (packed === "" ? OWN : packed)
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
  if (!isUuid(uuid)) throw new Error(`not an id of the service: ${id}`);
  return uuid.toLowerCase();
}

/** The UUID of an id, without its dashes. Throws for an id that is not of the service's form. */
export function idHex(id: string, prefix: string): string {
  return uuidOf(id, prefix).replaceAll("-", "");
}

/** A UUID with its dashes. */
export function formatHex(hex: string): string {
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20)}`;
}
