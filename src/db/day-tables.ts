// A history database has one set of tables for each UTC day, so that an old day costs as little to read as today, and is dropped whole
// (docs/storage.md §The history's day tables). `partitions` lists the days and their versions (migrations/shard); the statements here make
// everything else.

/** A UTC day as its tables are named: `yyyymmdd`. Days compare as text. */
export type Day = string;

/** `events`: a day's events and their index. `messages`: what a late bounce or open needs to know of the messages accepted that day. */
export type PartitionKind = "events" | "messages";

/**
 * What the statements below make. A change of columns adds some, which hold NULL in the rows that were there before; it raises this number and names them in
 * ADDED_COLUMNS, from which days of an earlier version are brought up (docs/storage.md).
 */
export const SHARD_VERSION = 2;

/** By the version that brought them. An index is not altered: what else is found by it begins with the days to come. */
const ADDED_COLUMNS: Readonly<Record<number, Readonly<Partial<Record<PartitionKind, readonly string[]>>>>> = {
  2: { events: ["mx_host TEXT", "tls", "response TEXT", "detail TEXT"] },
};

const DAY = /^\d{8}$/;

export const eventsTable = (day: Day): string => `events_${checked(day)}`;
export const eventIndexTable = (day: Day): string => `event_index_${checked(day)}`;
export const messagesTable = (day: Day): string => `messages_${checked(day)}`;

/** What makes a partition, if it is not there. */
export function createStatements(kind: PartitionKind, day: Day): string[] {
  return kind === "messages" ? [createMessages(day)] : [createEvents(day), createEventIndex(day)];
}

/** What brings a partition of an earlier version to the current one. */
export function upgradeStatements(kind: PartitionKind, day: Day, version: number): string[] {
  const table = kind === "messages" ? messagesTable(day) : eventsTable(day);
  const missing = Object.entries(ADDED_COLUMNS).filter(([since]) => Number(since) > version);
  return missing.flatMap(([, added]) => (added[kind] ?? []).map((column) => `ALTER TABLE ${table} ADD COLUMN ${column}`));
}

/** What removes a partition, if it is there. */
export function dropStatements(kind: PartitionKind, day: Day): string[] {
  const tables = kind === "messages" ? [messagesTable(day)] : [eventsTable(day), eventIndexTable(day)];
  return tables.map((table) => `DROP TABLE IF EXISTS ${table}`);
}

/**
 * Every member of a pulled event comes from its row alone, and of a webhook's but for the message's headers (resources/events/rows.ts packs and unpacks it).
 * `key` is in time order and made from the event's id, so that no other unique index is needed.
 */
function createEvents(day: Day): string {
  return `CREATE TABLE IF NOT EXISTS ${eventsTable(day)} (
    key INTEGER PRIMARY KEY,
    tail BLOB NOT NULL,
    team BLOB NOT NULL,
    email BLOB NOT NULL,
    type INTEGER NOT NULL,
    recipient TEXT NOT NULL,
    sender TEXT NOT NULL,
    sender_domain TEXT,
    subject TEXT NOT NULL,
    message_id TEXT NOT NULL,
    topic TEXT,
    campaign TEXT,
    template BLOB,
    tags TEXT,
    ip_pool TEXT,
    smtp_code INTEGER,
    bounce_type INTEGER,
    bounce_classification,
    attempt INTEGER,
    tracking TEXT,
    mx_host TEXT,
    tls,
    response TEXT,
    detail TEXT
  )`;
}

/** Nothing is ever deleted from an index but with its whole day, so it keeps no sizes and needs no contentless_delete: a row write less an event. */
function createEventIndex(day: Day): string {
  return `CREATE VIRTUAL TABLE IF NOT EXISTS ${eventIndexTable(day)}
    USING fts5(tokens, content = '', columnsize = 0, detail = 'none', tokenize = 'ascii')`;
}

function createMessages(day: Day): string {
  return `CREATE TABLE IF NOT EXISTS ${messagesTable(day)} (
    email BLOB PRIMARY KEY NOT NULL,
    team BLOB NOT NULL,
    facts TEXT NOT NULL
  ) WITHOUT ROWID`;
}

/** Names are spliced into SQL: nothing but a day may become one. */
function checked(day: Day): Day {
  if (!DAY.test(day)) throw new Error(`not a day: ${day}`);
  return day;
}
