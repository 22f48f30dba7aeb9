// A shard has one set of tables for each UTC day, so that an old day costs as little to read as
// today, and is dropped whole (docs/storage.md §The day tables). `partitions` lists the days
// (migrations/shard); the statements here make everything else.

/** A UTC day as its tables are named: `yyyymmdd`. Days compare as text. */
export type Day = string;

const DAY = /^\d{8}$/;

export const pagesTable = (day: Day): string => `pages_${checked(day)}`;
export const pageIndexTable = (day: Day): string => `page_index_${checked(day)}`;
export const countsTable = (day: Day): string => `counts_${checked(day)}`;

/** What makes a day's tables, those that are not there. */
export function createStatements(day: Day): string[] {
  return [createPages(day), createPageIndex(day), createCounts(day)];
}

/** What removes them, those that are there. */
export function dropStatements(day: Day): string[] {
  return [pagesTable(day), pageIndexTable(day), countsTable(day)].map(
    (table) => `DROP TABLE IF EXISTS ${table}`,
  );
}

/**
 * resources/events/store.ts makes the key, pack-page.ts the body. The small columns come before the
 * body, where SQLite finds them without reading it.
 */
function createPages(day: Day): string {
  return `CREATE TABLE IF NOT EXISTS ${pagesTable(day)} (
    key INTEGER PRIMARY KEY,
    last_seq INTEGER NOT NULL,
    oldest INTEGER NOT NULL,
    newest INTEGER NOT NULL,
    body BLOB NOT NULL
  )`;
}

/**
 * Nothing is ever deleted from an index but with its whole day, so it keeps no sizes and needs no
 * contentless_delete: a row write less a page.
 */
function createPageIndex(day: Day): string {
  return `CREATE VIRTUAL TABLE IF NOT EXISTS ${pageIndexTable(day)}
    USING fts5(tokens, content = '', columnsize = 0, detail = 'none', tokenize = 'ascii')`;
}

/** One row for an hour of a team (resources/stats/store.ts). */
function createCounts(day: Day): string {
  return `CREATE TABLE IF NOT EXISTS ${countsTable(day)} (key INTEGER PRIMARY KEY, counts TEXT NOT NULL)`;
}

/** Names are spliced into SQL: nothing but a day may become one. */
function checked(day: Day): Day {
  if (!DAY.test(day)) throw new Error(`not a day: ${day}`);
  return day;
}
