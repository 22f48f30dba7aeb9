// The event history of one database: recording events, and finding them again (contract.md §Pulled history, docs/storage.md §The history's day
// tables). Prepared SQL throughout: the tables are named by their day. A statement takes its rows as one JSON parameter.
import type { HistoryScope } from "../../db/client.ts";
import { type Day, eventIndexTable, eventsTable, messagesTable } from "../../db/day-tables.ts";
import { dayOf, eventDays, forgetEventDays, isMissingPartition, makePartitions, startOf, upgraded } from "../../db/partitions.ts";
import type { Reads } from "../../db/session.ts";
import { DAY_MS } from "../../limits.ts";
import { type EventFilters, matches, matchOf, type Tokenizer, tokenizer, tokensOf, type WholeEventFilters } from "./index.ts";
import type { EventRecord, HistoryEvent, MessageRecord } from "./records.ts";
import {
  cellsOf,
  EVENT_COLUMN_LIST,
  EVENT_SELECTION,
  EVENT_VALUES_FROM_JSON,
  type EventRow,
  formatHex,
  idHex,
  KEPT,
  keyAt,
  moved,
  type PackedEvent,
  type PackedMessage,
  packEvent,
  packMessage,
  placeOfMessage,
  unpackEvent,
  unpackMessage,
  unpackWholeEvent,
  WHOLE_EVENT_SELECTION,
  type WholeEventRow,
} from "./rows.ts";
import type { PulledEvent } from "./wire.ts";
import type { Position } from "./window.ts";

/** D1 takes 2 MB a parameter; a character is at most three bytes. */
const PARAMETER_CHARACTERS = 600_000;

/** How many days a page asks for in its first round trip and its second; the third takes the rest. A default window is two days. */
const DAYS_PER_TRIP = [2, 6];

interface IndexedEvent extends PackedEvent {
  readonly tokens: string;
}

/** A statement of a batch. `inserted`: it tells how many rows the one before has inserted, and so many are expected. */
interface Insert {
  readonly statement: D1PreparedStatement;
  readonly inserted?: number;
}

/**
 * Records messages and events, of any teams and days, in one transaction and one round trip. What is recorded already is left as it is, so a repeat
 * changes nothing; making a day's first tables, and a repeat, cost another round trip.
 */
export async function insertHistory(db: D1Database, messages: readonly MessageRecord[], events: readonly EventRecord[]): Promise<void> {
  const token = tokenizer();
  let waiting = distinct(events, token);
  let unwritten = messages;
  while (waiting.length + unwritten.length > 0) {
    const { first, others } = onePerPlace(waiting);
    const areAllNew = await write(db, unwritten, first);
    unwritten = [];
    const displaced = areAllNew ? [] : await findDisplaced(db, first);
    waiting = [...others, ...displaced.map(moved)];
  }
}

/** A message that was recorded, for as long as its day is kept. */
export async function findMessage(db: Reads, emailId: string): Promise<MessageRecord | undefined> {
  const place = placeOfMessage(emailId);
  if (!place) return undefined;
  const query = db
    .prepare(`SELECT lower(hex(team)) AS team, facts FROM ${messagesTable(place.day)} WHERE email = unhex(?1)`)
    .bind(place.email);
  const row = await orIfMissing(
    () => query.first<{ team: string; facts: string }>(),
    () => Promise.resolve(null),
  );
  return row ? unpackMessage(emailId, row.team, row.facts) : undefined;
}

/** The same for several, by their ids. */
export async function findMessages(db: Reads, emailIds: readonly string[]): Promise<ReadonlyMap<string, MessageRecord>> {
  const places = [...new Set(emailIds)].map((id) => placeOfMessage(id)).filter((place) => place !== undefined);
  const found = byDay(places).map(async ([day, wanted]) => {
    const sql = `SELECT lower(hex(email)) AS email, lower(hex(team)) AS team, facts FROM ${messagesTable(day)}
      WHERE email IN (SELECT unhex(value) FROM json_each(?1))`;
    const query = db.prepare(sql).bind(JSON.stringify(wanted.map(({ email }) => email)));
    const rows = await orIfMissing(
      async () => (await query.all<{ email: string; team: string; facts: string }>()).results,
      () => Promise.resolve([]),
    );
    return rows.map(({ email, team, facts }) => unpackMessage(`email_${formatHex(email)}`, team, facts));
  });
  return new Map((await Promise.all(found)).flat().map((message) => [message.emailId, message]));
}

/**
 * Keeps `facts` (JSON) under a name with the recorded message, unless there are some under that name: the first to come are kept. Returns those that are
 * kept; undefined for a message that is not there. `name` is letters and digits.
 */
export async function keepFirst(db: D1Database, emailId: string, name: string, facts: string): Promise<string | undefined> {
  const place = placeOfMessage(emailId);
  if (!place) return undefined;
  const table = messagesTable(place.day);
  const path = `$.${KEPT}.${name}`;
  const keep = `UPDATE ${table} SET facts = json_set(facts, ?2, json(?3)) WHERE email = unhex(?1) AND json_type(facts, ?2) IS NULL`;
  const read = `SELECT json_extract(facts, ?2) AS kept FROM ${table} WHERE email = unhex(?1)`;
  const both = () =>
    db.batch<{ kept: string }>([db.prepare(keep).bind(place.email, path, facts), db.prepare(read).bind(place.email, path)]);
  const results = await orIfMissing(both, () => Promise.resolve([]));
  return results[1]?.results[0]?.kept;
}

/** Facts (JSON) under a name, of letters and digits, with a recorded message. */
export interface Kept {
  readonly emailId: string;
  readonly name: string;
  readonly facts: string;
}

/** keepFirst() for many. */
export async function keepFirstOfEach(db: D1Database, keeps: readonly Kept[]): Promise<(string | undefined)[]> {
  await ofEach(db, keeps, ({ name, facts }, { day, email }) => {
    const path = `$.${KEPT}.${name}`;
    const sql = `UPDATE ${messagesTable(day)} SET facts = json_set(facts, ?2, json(?3)) WHERE email = unhex(?1) AND json_type(facts, ?2) IS NULL`;
    return db.prepare(sql).bind(email, path, facts);
  });
  return findKept(db, keeps);
}

/** What is kept under each name; undefined: nothing. */
export async function findKept(db: D1Database, wanted: readonly Omit<Kept, "facts">[]): Promise<(string | undefined)[]> {
  const found = await ofEach(db, wanted, ({ name }, { day, email }) => {
    const sql = `SELECT json_extract(facts, ?2) AS kept FROM ${messagesTable(day)} WHERE email = unhex(?1)`;
    return db.prepare(sql).bind(email, `$.${KEPT}.${name}`);
  });
  return wanted.map((_, index) => found[index]?.results[0]?.kept ?? undefined);
}

export interface EventPage<Event = PulledEvent> {
  readonly events: readonly Event[];
  /** Where the next page goes on; null when this is the last. */
  readonly next: Position | null;
}

/** Up to `limit` events of the team, newest first, from `position` back to the start that it carries. */
export async function listEvents(scope: HistoryScope, filters: EventFilters, position: Position, limit: number): Promise<EventPage> {
  return list<EventRow, PulledEvent>(scope, filters, position, limit, { selection: EVENT_SELECTION, complete: (event) => event });
}

/** The same with everything that is kept of each. */
export async function listWholeEvents(
  scope: HistoryScope,
  filters: WholeEventFilters,
  position: Position,
  limit: number,
): Promise<EventPage<HistoryEvent>> {
  const complete = (event: PulledEvent, row: WholeEventRow) => unpackWholeEvent(scope.teamId, event, row);
  return list<WholeEventRow, HistoryEvent>(scope, filters, position, limit, { selection: WHOLE_EVENT_SELECTION, complete });
}

function distinct(events: readonly EventRecord[], token: Tokenizer): IndexedEvent[] {
  const byId = new Map(events.map((event) => [event.id, event]));
  return Array.from(byId.values(), (event) => ({ ...packEvent(event), tokens: tokensOf(event, token) }));
}

/** Runs a statement for each message, in one round trip. No results where a day has no table. */
async function ofEach<Item extends { readonly emailId: string }>(
  db: D1Database,
  items: readonly Item[],
  statementOf: (item: Item, place: { readonly day: Day; readonly email: string }) => D1PreparedStatement,
): Promise<D1Result<{ kept: string | null }>[]> {
  const statements = items.flatMap((item) => {
    const place = placeOfMessage(item.emailId);
    return place ? [statementOf(item, place)] : [];
  });
  if (statements.length === 0) return [];
  if (statements.length < items.length) throw new Error("not the ids of messages");
  return orIfMissing(
    () => db.batch(statements),
    () => Promise.resolve([]),
  );
}

/** Two events of a batch may start at one place: the second has to wait for what becomes of the first. */
function onePerPlace(events: readonly IndexedEvent[]): { first: IndexedEvent[]; others: IndexedEvent[] } {
  const first = new Map<string, IndexedEvent>();
  const others: IndexedEvent[] = [];
  for (const event of events) {
    if (first.has(placeOf(event))) others.push(event);
    else first.set(placeOf(event), event);
  }
  return { first: [...first.values()], others };
}

/** Writes what has no row yet. Returns whether none of the events had one. */
async function write(db: D1Database, messages: readonly MessageRecord[], events: readonly IndexedEvent[]): Promise<boolean> {
  const packed = messages.map(packMessage);
  const inserts = [
    ...byDay(packed).flatMap(([day, rows]) => messageInserts(db, day, rows)),
    ...byDay(events).flatMap(([day, rows]) => eventInserts(db, day, rows)),
  ];
  const batch = () => upgraded(db, () => db.batch<{ inserted: number }>(inserts.map(({ statement }) => statement)));
  const results = await orIfMissing(batch, async () => {
    await makePartitions(db, [
      ...byDay(packed).map(([day]) => ({ kind: "messages" as const, day })),
      ...byDay(events).map(([day]) => ({ kind: "events" as const, day })),
    ]);
    return batch();
  });
  return inserts.every(({ inserted }, index) => inserted === undefined || results[index]?.results[0]?.inserted === inserted);
}

function byDay<Row extends { readonly day: Day }>(rows: readonly Row[]): [Day, Row[]][] {
  return [...Map.groupBy(rows, ({ day }) => day)];
}

function messageInserts(db: D1Database, day: Day, messages: readonly PackedMessage[]): Insert[] {
  const sql = `INSERT INTO ${messagesTable(day)} (email, team, facts)
    SELECT unhex(value ->> 0), unhex(value ->> 1), value ->> 2 FROM json_each(?1) WHERE true ON CONFLICT (email) DO NOTHING`;
  return chunks(messages.map(({ cells }) => cells)).map(({ rows }) => ({ statement: db.prepare(sql).bind(rows) }));
}

/** The index first, while a row that is missing still tells that the event is new. */
function eventInserts(db: D1Database, day: Day, events: readonly IndexedEvent[]): Insert[] {
  // A full-text table starts a new segment whenever a key is lower than the last.
  const ordered = events.toSorted((left, right) => left.key - right.key);
  const indexSql = `INSERT INTO ${eventIndexTable(day)} (rowid, tokens)
    SELECT value ->> 0, value ->> 1 FROM json_each(?1) WHERE NOT EXISTS (SELECT 1 FROM ${eventsTable(day)} WHERE key = value ->> 0)`;
  const eventSql = `INSERT INTO ${eventsTable(day)} (${EVENT_COLUMN_LIST})
    SELECT ${EVENT_VALUES_FROM_JSON} FROM json_each(?1) WHERE true ON CONFLICT (key) DO NOTHING`;
  return [
    ...chunks(ordered.map(({ key, tokens }) => [key, tokens])).map(({ rows }) => ({
      statement: db.prepare(indexSql).bind(rows),
    })),
    // D1's own count of changes has those of the full-text table in it.
    ...chunks(ordered.map(cellsOf)).flatMap(({ rows, count }) => [
      { statement: db.prepare(eventSql).bind(rows) },
      { statement: db.prepare("SELECT changes() AS inserted"), inserted: count },
    ]),
  ];
}

/** Those of the events whose place another one has; the rest are recorded. */
async function findDisplaced(db: D1Database, written: readonly IndexedEvent[]): Promise<IndexedEvent[]> {
  const days = byDay(written);
  const results = await db.batch<{ key: number; tail: string }>(
    days.map(([day, events]) =>
      db
        .prepare(`SELECT key, lower(hex(tail)) AS tail FROM ${eventsTable(day)} WHERE key IN (SELECT value FROM json_each(?1))`)
        .bind(JSON.stringify(events.map(({ key }) => key))),
    ),
  );
  return days.flatMap(([, events], index) => {
    const tails = new Map(results[index]?.results.map(({ key, tail }) => [key, tail]));
    return events.filter(({ key, tail }) => tails.get(key) !== tail);
  });
}

/** Rows as JSON arrays that each fit a parameter, and how many are in each. */
function chunks(rows: readonly unknown[]): { rows: string; count: number }[] {
  const arrays: string[][] = [];
  let size = Infinity;
  for (const row of rows) {
    const text = JSON.stringify(row);
    if (size + text.length > PARAMETER_CHARACTERS) {
      arrays.push([]);
      size = 0;
    }
    arrays.at(-1)?.push(text);
    size += text.length + 1;
  }
  return arrays.map((texts) => ({ rows: `[${texts.join(",")}]`, count: texts.length }));
}

function placeOf(place: { readonly day: Day; readonly key: number }): string {
  return `${place.day}.${place.key}`;
}

/** A part of a day, keys from `low` up to but not including `high`. */
interface Stretch {
  readonly day: Day;
  readonly low: number;
  readonly high: number;
}

interface Found<Row> {
  readonly day: Day;
  readonly row: Row;
  readonly event: PulledEvent;
}

/** Which columns are read, and what becomes of an event with them. */
interface Reader<Row, Event> {
  readonly selection: string;
  readonly complete: (event: PulledEvent, row: Row) => Event;
}

async function list<Row extends EventRow, Event>(
  scope: HistoryScope,
  filters: WholeEventFilters,
  from: Position,
  limit: number,
  reader: Reader<Row, Event>,
): Promise<EventPage<Event>> {
  const { db, session } = scope;
  const page = async (reads: Reads) => walk(scope, reads, filters, from, limit, reader);
  const onPrimary = async () =>
    orIfMissing(
      () => upgraded(db, () => page(db)),
      // Retention dropped a day that this isolate had seen.
      () => {
        forgetEventDays(db);
        return page(db);
      },
    );
  const { events, next } = await (session ? session.read(page, onPrimary) : onPrimary());
  const seen = session?.bookmark();
  return { events, next: next && seen ? { ...next, seen } : next };
}

async function walk<Row extends EventRow, Event>(
  scope: HistoryScope,
  reads: Reads,
  filters: WholeEventFilters,
  from: Position,
  limit: number,
  { selection, complete }: Reader<Row, Event>,
): Promise<EventPage<Event>> {
  const [match, team] = [matchOf(scope.teamId, filters), idHex(scope.teamId, "team_")];
  const found: Found<Row>[] = [];
  let stretches = stretchesOf(await eventDays(scope.db, from.day, dayOf(from.start), reads), from);
  for (let trip = 0; stretches.length > 0 && found.length <= limit; trip += 1) {
    const asked = stretches.slice(0, DAYS_PER_TRIP[trip] ?? stretches.length);
    const wanted = limit + 1 - found.length;
    const pages = await reads.batch<Row>(
      asked.map((stretch) => reads.prepare(pageSql(stretch.day, selection)).bind(match, stretch.low, stretch.high, team, wanted)),
    );
    stretches = [...take(found, asked, pages, filters, wanted), ...stretches.slice(asked.length)];
  }
  const shown = found.slice(0, limit);
  const last = found.length > limit ? shown.at(-1) : undefined;
  return {
    events: shown.map(({ event, row }) => complete(event, row)),
    next: last ? { start: from.start, day: last.day, key: last.row.key } : null,
  };
}

function stretchesOf(days: readonly Day[], { start, day: newest, key }: Position): Stretch[] {
  const oldest = dayOf(start);
  return days.map((day) => ({
    day,
    low: day === oldest ? keyAt(day, start) : 0,
    high: day === newest ? key : keyAt(day, startOf(day) + DAY_MS),
  }));
}

/** A stretch's newest rows. Another team's row is skipped here, whatever the index says. */
function pageSql(day: Day, selection: string): string {
  const index = eventIndexTable(day);
  return `SELECT ${selection} FROM ${index} CROSS JOIN ${eventsTable(day)} e ON e.key = ${index}.rowid
    WHERE ${index} MATCH ?1 AND ${index}.rowid >= ?2 AND ${index}.rowid < ?3 AND e.team = unhex(?4) ORDER BY ${index}.rowid DESC LIMIT ?5`;
}

/** Adds what is really asked for to `found`. Returns what is unread: the rest of a day that the limit cut short, and the days before it. */
function take<Row extends EventRow>(
  found: Found<Row>[],
  asked: readonly Stretch[],
  pages: readonly D1Result<Row>[],
  filters: WholeEventFilters,
  limit: number,
): readonly Stretch[] {
  for (const [index, stretch] of asked.entries()) {
    const rows = pages[index]?.results ?? [];
    for (const row of rows) {
      const event = unpackEvent(stretch.day, row);
      if (matches(event, filters)) found.push({ day: stretch.day, row, event });
    }
    const last = rows.at(-1);
    if (last && rows.length === limit) return [{ ...stretch, high: last.key }, ...asked.slice(index + 1)];
  }
  return [];
}

/** Runs something again, another way, when it met a day without tables: the one fault that a writer or a reader here can mend. */
async function orIfMissing<Result>(run: () => Promise<Result>, mend: () => Promise<Result>): Promise<Result> {
  try {
    return await run();
  } catch (error) {
    if (!isMissingPartition(error)) throw error;
    return mend();
  }
}
