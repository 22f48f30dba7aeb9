// The pages of a shard: writing one, and asking for those that may hold what is looked for
// (docs/storage.md §Pages). Prepared SQL throughout: the tables are named by their day.
import { Buffer } from "node:buffer";
import { type Day, pageIndexTable, pagesTable } from "../../db/day-tables.ts";
import { startOf } from "../../db/partitions.ts";
import type { Reads } from "../../db/read-session.ts";
import type { Team } from "../../endpoint.ts";
import { HOUR_MS } from "../../limits.ts";
import type { MessageEvents } from "./records.ts";
import { matchOf, strayMatchOf, type WholeEventFilters } from "./tokens.ts";

type PageTeam = Pick<Team, "id" | "number">;

/** Events of one UTC day, in the order of the log's rows. */
export interface NewPage {
  readonly team: PageTeam;
  readonly day: Day;
  /**
   * When the page's first row was appended, Unix milliseconds. No other row of the team has it, and
   * later rows have a higher one.
   */
  readonly at: number;
  /** The log's number of its last row. */
  readonly lastSeq: number;
  readonly messages: readonly MessageEvents[];
  /**
   * Some event of it occurred more than EARLIEST_MS before its row was appended, or more than
   * LATEST_MS after.
   */
  readonly isStray: boolean;
}

/**
 * Where an event of a page that is not stray may lie beside the moment at which its row was
 * appended.
 */
export const EARLIEST_MS = 10 * 60_000;
export const LATEST_MS = 1_000;

/**
 * A team's keys: its number, and a moment in these. The days that are kept, with room to spare,
 * fit.
 */
const KEYS = 2 ** 32;
/** A clock ahead of the ledger's may have stamped an event of tomorrow. */
const BEFORE_MIDNIGHT_MS = HOUR_MS;

/** A page as it is read; its body in hex, since D1 hands a BLOB out as an array of numbers. */
export interface PageRow {
  readonly key: number;
  /** The times of its oldest and newest event, Unix milliseconds. */
  readonly oldest: number;
  readonly newest: number;
  readonly body: string;
}

/**
 * Which of a day's pages are asked for: at most `limit` that may hold events of the filters from
 * `start` up to and with `last`, Unix milliseconds.
 */
export interface PageAsk {
  readonly team: PageTeam;
  readonly day: Day;
  readonly filters: WholeEventFilters;
  readonly start: number;
  readonly last: number;
  readonly limit: number;
}

/**
 * The key of the page whose first row was appended at `at`. A team's keys of a day are in order of
 * appending. Throws a plain Error where the day began more than an hour after `at`, or 49 days
 * before.
 */
export function pageKey({ number }: Pick<Team, "number">, day: Day, at: number): number {
  const moment = momentIn(day, at);
  if (!Number.isInteger(moment) || moment < 0 || moment >= KEYS)
    throw new Error(`no page of ${day} begins at ${at}`);
  return number * KEYS + moment;
}

/** When the first row of a page was appended, Unix milliseconds. */
export function appendedAt(day: Day, key: number): number {
  return startOf(day) - BEFORE_MIDNIGHT_MS + (key % KEYS);
}

/**
 * Asks for a team's pages, those appended last first: those below `below`, a key, or from the last
 * that may hold such an event.
 */
export function selectPages(
  db: Pick<Reads, "prepare">,
  ask: PageAsk,
  below: number | null,
): D1PreparedStatement {
  const { team, day, filters, start, last, limit } = ask;
  const [pages, index] = [pagesTable(day), pageIndexTable(day)];
  const high = below ?? keyNear(team, day, last + EARLIEST_MS) + 1;
  const match = matchOf(team.id, filters);
  const isFiltered = match !== matchOf(team.id, {});
  // A page that was begun before `start` may go on behind it; those before that one may not.
  const low = `coalesce((SELECT max(key) FROM ${pages} WHERE key >= ?2 AND key < ?3), CAST(?2 AS INTEGER))`;
  const sql = isFiltered
    ? `FROM ${index} CROSS JOIN ${pages} p ON p.key = ${index}.rowid
        WHERE ${index} MATCH ?7 AND ${index}.rowid >= ${low} AND ${index}.rowid < CAST(?1 AS INTEGER)`
    : `FROM ${pages} p WHERE p.key >= ${low} AND p.key < ?1`;
  const order = isFiltered ? `${index}.rowid` : "p.key";
  return db
    .prepare(
      `${SELECTION} ${sql} AND p.oldest <= ?4 AND p.newest >= ?5 ORDER BY ${order} DESC LIMIT ?6`,
    )
    .bind(
      high,
      team.number * KEYS,
      keyNear(team, day, start - LATEST_MS),
      last,
      start,
      limit,
      ...(isFiltered ? [match] : []),
    );
}

/**
 * Asks for the reach of the last page that a team has of a day: up to which of the log's rows its
 * pages of that day go.
 */
export function selectLastPage(
  db: Pick<Reads, "prepare">,
  { number }: Pick<Team, "number">,
  day: Day,
): D1PreparedStatement {
  const sql = `SELECT last_seq FROM ${pagesTable(day)} WHERE key >= ?1 AND key < ?2 ORDER BY key DESC LIMIT 1`;
  return db.prepare(sql).bind(number * KEYS, (number + 1) * KEYS);
}

/**
 * The same of its stray pages, wherever their keys are: those with the newest events first, behind
 * `after`.
 */
export function selectStrays(
  db: Pick<Reads, "prepare">,
  ask: PageAsk,
  after: Pick<PageRow, "newest" | "key"> | null,
): D1PreparedStatement {
  const { team, day, filters, start, last, limit } = ask;
  const [pages, index] = [pagesTable(day), pageIndexTable(day)];
  return db
    .prepare(
      `${SELECTION} FROM ${index} CROSS JOIN ${pages} p ON p.key = ${index}.rowid
        WHERE ${index} MATCH ?1 AND p.oldest <= ?2 AND p.newest >= ?3 AND (p.newest, p.key) < (?4, ?5)
        ORDER BY p.newest DESC, p.key DESC LIMIT ?6`,
    )
    .bind(
      strayMatchOf(team.id, filters),
      last,
      start,
      after?.newest ?? Number.MAX_SAFE_INTEGER,
      after?.key ?? 0,
      limit,
    );
}

export function bodyOf({ body }: Pick<PageRow, "body">): Uint8Array {
  return Buffer.from(body, "hex");
}

const SELECTION = "SELECT p.key, p.oldest, p.newest, hex(p.body) AS body";

/** The key at a moment, or the team's first or last where the moment is none of the day's. */
function keyNear({ number }: Pick<Team, "number">, day: Day, ms: number): number {
  return number * KEYS + Math.min(Math.max(momentIn(day, ms), 0), KEYS - 1);
}

function momentIn(day: Day, ms: number): number {
  return ms - startOf(day) + BEFORE_MIDNIGHT_MS;
}
