// Makes the SQL of a shard's day tables. Each UTC day has its own tables, so that the service can
// drop a whole day, and read an old day as cheaply as today (docs/storage.md §The day tables).
// Migrations create only the table `partitions`, which lists the days (migrations/shard). Pure.
import type { Day } from "../rpc/shard-types.ts";

const DAY = /^\d{8}$/;

// The table names must not change, because the previous version of the worker uses them too
// (decision 0022).
export const chunksTable = (day: Day): string => `pages_${checkDay(day)}`;
export const chunkIndexTable = (day: Day): string => `page_index_${checkDay(day)}`;
export const countsTable = (day: Day): string => `counts_${checkDay(day)}`;

/** Returns the statements that create a day's missing tables. */
export function createStatements(day: Day): string[] {
  return [createChunks(day), createChunkIndex(day), createCounts(day)];
}

/** Returns the statements that drop a day's existing tables. */
export function dropStatements(day: Day): string[] {
  return [chunksTable(day), chunkIndexTable(day), countsTable(day)].map(
    (table) => `DROP TABLE IF EXISTS ${table}`,
  );
}

/**
 * Returns the statement for the table of chunks. resources/events/store.ts makes a chunk's key, and
 * pack-chunk.ts its body. The small columns come before the body, so that SQLite can read them
 * without the body.
 */
function createChunks(day: Day): string {
  return `CREATE TABLE IF NOT EXISTS ${chunksTable(day)} (
    key INTEGER PRIMARY KEY,
    last_seq INTEGER NOT NULL,
    oldest INTEGER NOT NULL,
    newest INTEGER NOT NULL,
    oldest_message INTEGER,
    newest_late INTEGER,
    body BLOB NOT NULL
  )`;
}

/**
 * Returns the statement for the full-text index of the chunks. No entry is deleted before its day
 * is dropped. So the index needs no sizes and no contentless_delete, which saves one row write per
 * chunk.
 */
function createChunkIndex(day: Day): string {
  return `CREATE VIRTUAL TABLE IF NOT EXISTS ${chunkIndexTable(day)}
    USING fts5(tokens, content = '', columnsize = 0, detail = 'none', tokenize = 'ascii')`;
}

/** Returns the statement for the counts of teams and hours (resources/stats/store.ts). */
function createCounts(day: Day): string {
  return (
    `CREATE TABLE IF NOT EXISTS ${countsTable(day)} (key INTEGER PRIMARY KEY, counts TEXT NOT ` +
    "NULL)"
  );
}

/** Throws if the text is not a day, because the name of the day's table becomes part of the SQL. */
function checkDay(day: Day): Day {
  if (!DAY.test(day)) throw new Error(`not a day: ${day}`);
  return day;
}
