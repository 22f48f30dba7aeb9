// Packs events into a chunk (chunk-form.ts, docs/storage.md §Chunks). Pure.
import { constants, deflateRawSync } from "node:zlib";
import { EMAIL_PREFIX, isUuid, timeOfUuidv7 } from "../../lib/ids.ts";
import {
  packDictionary,
  packDifferences,
  packSmallNumbers,
  shortenUuid,
} from "./column-packing.ts";
import {
  derivedId,
  DIGITS,
  domainOf,
  type EventColumns,
  FORM,
  type Form,
  hexTime,
  type ChunkKind,
  LABELS,
  type MessageColumns,
  ownMessageId,
  TIME_DIGITS,
} from "./chunk-form.ts";
import type { MessageEvents, MessageRecord, OwnEvent } from "../../rpc/event-records.ts";
import { BOUNCE_CLASSIFICATIONS, BOUNCE_TYPES, EVENT_TYPES } from "../../rpc/event-types.ts";

interface Row {
  readonly owner: MessageRecord;
  readonly event: OwnEvent;
}

/**
 * Packs events into a chunk. Ignores the second copy of a message or an event. Throws a plain Error
 * for an email id that the service did not make.
 */
export function packChunk(messages: readonly MessageEvents[]): Uint8Array {
  const rows = rowsOf(messages);
  const owners = [...new Set(rows.map(({ owner }) => owner))];
  const schedules = placesOf(owners, ({ scheduledAt }) => scheduledAt);
  const copies = placesOf(owners, ({ copyOf }) => copyOf);
  const versions = placesOf(owners, ({ templateVersion }) => templateVersion);
  const columns = [packMessages(owners, rows), packEvents(owners, rows)] as const;
  const replyAddresses = placesOf(owners, ({ replyTo }) => replyTo);
  const rare = [schedules, copies, replyAddresses, versions] as const;
  const length = rare.findLastIndex((facts) => facts.length > 0) + 1;
  const form = [FORM, ...columns, ...rare.slice(0, length)] as unknown as Form;
  return deflateRawSync(JSON.stringify(form), {
    level: constants.Z_BEST_COMPRESSION,
    memLevel: constants.Z_MAX_MEMLEVEL,
  });
}

/** Returns the index and the fact of each message that has the fact. */
function placesOf<Fact>(
  owners: readonly MessageRecord[],
  factOf: (owner: MessageRecord) => Fact | undefined,
): (readonly [place: number, fact: Fact])[] {
  return owners.flatMap((owner, place) => {
    const fact = factOf(owner);
    return fact === undefined ? [] : [[place, fact] as const];
  });
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
    packDictionary(owners.map(({ roles }) => roles ?? null)),
    packDictionary(
      owners.map(({ from, fromName, fromDomain, domainId }) => [
        from,
        domainOf(from) === fromDomain ? 0 : fromDomain,
        domainId,
        ...(fromName === null ? [] : [fromName]),
      ]),
    ),
    owners.map(({ subject }) => subject),
    owners.map(({ messageId, fromDomain }, at) =>
      messageId === ownMessageId(uuids[at]!, fromDomain) ? 0 : shortenUuid(messageId, uuids[at]!),
    ),
    [
      ...LABELS.map((name) => packDictionary(owners.map((owner) => owner[name]))),
      ...(owners.some(({ metadata }) => metadata)
        ? [packDictionary(owners.map(({ metadata }) => metadata ?? null))]
        : []),
    ],
  ];
}

function packEvents(owners: readonly MessageRecord[], rows: readonly Row[]): EventColumns {
  const ordinals = new Map(owners.map((owner, at) => [owner, at]));
  const uuids = new Map(owners.map((owner) => [owner, uuidOf(owner.emailId)]));
  return [
    packDifferences(rows.map(({ event }) => event.occurredAt)),
    packOwners(rows.map(({ owner }) => ordinals.get(owner)!)),
    packDictionary(
      rows.map(({ owner, event: { recipient } }) => placeOrText(owner.recipients, recipient)),
    ),
    packDictionary(rows.map(({ event }) => kindOf(event))),
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

function kindOf({ type, attempt, smtpCode, exchange, bounce, suppression }: OwnEvent): ChunkKind {
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
  return packSmallNumbers(
    ordinals.map((ordinal) => {
      if (ordinal < known) return known - ordinal;
      known += 1;
      return 0;
    }),
  );
}

function packId({ owner: { emailId }, event }: Row): string | 0 {
  if (event.id === derivedId(emailId, event)) return 0;
  const beginning = `evt_${hexTime(event.occurredAt)}`;
  return event.id.startsWith(beginning) && event.id.length === "evt_".length + DIGITS
    ? event.id.slice(beginning.length)
    : event.id;
}

function packText(text: string | null, uuid: string): string | null {
  return text === null ? null : shortenUuid(text, uuid);
}

function placeOrText(list: readonly string[], text: string): number | string {
  const place = list.indexOf(text);
  return place < 0 ? text : place;
}

function uuidOf(emailId: string): string {
  const uuid = emailId.slice(EMAIL_PREFIX.length);
  if (!emailId.startsWith(EMAIL_PREFIX) || !isUuid(uuid) || uuid !== uuid.toLowerCase())
    throw new Error(`not a message id: ${emailId}`);
  return uuid;
}

function hexOf(uuid: string): string {
  return uuid.replaceAll("-", "");
}
