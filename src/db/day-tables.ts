// A shard has one set of tables for each UTC day. So an old day is as cheap to read as today, and
// is dropped as a whole (docs/storage.md §The day tables). Migrations create only `partitions`, the
// list of days (migrations/shard). The statements here create everything else. Pure.
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
 * A chunk's key is made in resources/events/store.ts, and its body in pack-chunk.ts. The small
 * columns come before the body, so that SQLite can read them without the body.
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
 * The full-text index of the chunks. Its entries are dropped only together with their day, so it
 * keeps no sizes and needs no contentless_delete. This saves one row write per chunk.
 */
function createChunkIndex(day: Day): string {
  return `CREATE VIRTUAL TABLE IF NOT EXISTS ${chunkIndexTable(day)}
    USING fts5(tokens, content = '', columnsize = 0, detail = 'none', tokenize = 'ascii')`;
}

/** One row has the counts of some hours of a team (resources/stats/store.ts). */
function createCounts(day: Day): string {
  return (
    `CREATE TABLE IF NOT EXISTS ${countsTable(day)} (key INTEGER PRIMARY KEY, counts TEXT NOT ` +
    "NULL)"
  );
}

/** Refuses any text but a day, because table names are spliced into SQL. */
function checkDay(day: Day): Day {
  if (!DAY.test(day)) throw new Error(`not a day: ${day}`);
  return day;
}
