// Selects a shard's chunks that may have the wanted events, and defines the chunks' keys
// (docs/storage.md §Chunks). The SQL is written by hand, because each day has its own tables.
import { Buffer } from "node:buffer";
import { type Day, type Reads } from "../../rpc/shard-types.ts";
import { chunkIndexTable, chunksTable } from "../../db/day-tables.ts";
import { startOf } from "../../db/days.ts";
import type { Team } from "../../endpoint.ts";
import { HOUR_MS } from "../../limits.ts";
import type { MessageEvents } from "../../rpc/event-records.ts";
import { markedMatchOf, matchOf } from "./chunk-tokens.ts";
import { type WholeEventFilters } from "../../rpc/history-query.ts";

type ChunkTeam = Pick<Team, "id" | "number">;

/** A chunk to write: events of one UTC day, in the order of the log's rows. */
export interface NewChunk {
  readonly team: ChunkTeam;
  readonly day: Day;
  /**
   * When the chunk's first row was appended to the log, Unix milliseconds. Each row of a team's log
   * has a later time than the previous row.
   */
  readonly at: number;
  /** The number of the chunk's last row in the log. */
  readonly lastSeq: number;
  readonly messages: readonly MessageEvents[];
  /**
   * True: an event occurred more than EARLIEST_MS before its row was appended, or more than
   * LATEST_MS after this time.
   */
  readonly isStray: boolean;
}

/**
 * Limits for every event of a chunk that is not stray. The event occurred at most EARLIEST_MS
 * before its row was appended, and at most LATEST_MS after this time.
 */
export const EARLIEST_MS = 15 * 60_000;
export const LATEST_MS = 1_000;
/**
 * A chunk is late if a message begins in it that was accepted more than this time before the
 * chunk's first row was appended (messages-begun-in-chunk.ts).
 */
export const LATE_MS = 15 * 60_000;

/**
 * Number of keys per team. A chunk's key is the team's number times this number, plus the
 * milliseconds from an hour before the day until the chunk begins.
 */
const KEYS_PER_TEAM = 2 ** 32;
/**
 * A day's keys begin this long before the day. A key has the time of the ledger's clock, and an
 * event may have the time of another clock. If the other clock is ahead, an event of the new day
 * may be appended before the ledger's midnight.
 */
const BEFORE_MIDNIGHT_MS = HOUR_MS;

/** A chunk from a query. The body is in hex, because D1 returns a BLOB as numbers. */
export interface ChunkRow {
  readonly key: number;
  /** The times of the chunk's oldest and newest event, Unix milliseconds. */
  readonly oldest: number;
  readonly newest: number;
  readonly body: string;
}

/**
 * Selects at most `limit` chunks of a day that may have matching events from `start` to `last`,
 * both inclusive, in Unix milliseconds.
 */
export interface ChunkQuery {
  readonly team: ChunkTeam;
  readonly day: Day;
  readonly filters: WholeEventFilters;
  readonly start: number;
  readonly last: number;
  readonly limit: number;
}

/**
 * Returns the key of the chunk whose first row was appended at `at`. Within a day, a team's keys
 * grow with `at`. Throws a plain Error if `at` is more than an hour before the day's beginning, or
 * more than 49 days after it.
 */
export function chunkKey({ number }: Pick<Team, "number">, day: Day, at: number): number {
  const moment = momentIn(day, at);
  if (!Number.isInteger(moment) || moment < 0 || moment >= KEYS_PER_TEAM)
    throw new Error(`no chunk of ${day} begins at ${at}`);
  return number * KEYS_PER_TEAM + moment;
}

/** Returns when the first row of a chunk was appended, Unix milliseconds. */
export function appendedAt(day: Day, key: number): number {
  return startOf(day) - BEFORE_MIDNIGHT_MS + (key % KEYS_PER_TEAM);
}

/**
 * Selects a team's chunks with keys below `below`, last appended first. If `below` is null, begins
 * at the last chunk that may have a wanted event.
 */
export function selectChunks(
  db: Pick<Reads, "prepare">,
  ask: ChunkQuery,
  below: number | null,
): D1PreparedStatement {
  const { team, day, filters, start, last, limit } = ask;
  const [chunks, index] = [chunksTable(day), chunkIndexTable(day)];
  const high = below ?? keyNear(team, day, last + EARLIEST_MS) + 1;
  const match = matchOf(team.id, filters);
  const isFiltered = match !== matchOf(team.id, {});
  // The last chunk that begins more than LATEST_MS before `start` may have events after `start`.
  // The chunks before it have no such events.
  const low =
    `coalesce((SELECT max(key) FROM ${chunks} WHERE key >= ?2 AND key < ?3), CAST(?2 AS ` +
    "INTEGER))";
  const sql = isFiltered
    ? `FROM ${index} CROSS JOIN ${chunks} p ON p.key = ${index}.rowid
        WHERE ${index} MATCH ?7 AND ${index}.rowid >= ${low} AND ${index}.rowid < CAST(?1 AS INTEGER)`
    : `FROM ${chunks} p WHERE p.key >= ${low} AND p.key < ?1`;
  const order = isFiltered ? `${index}.rowid` : "p.key";
  return db
    .prepare(
      `${SELECTION} ${sql} AND p.oldest <= ?4 AND p.newest >= ?5 ORDER BY ${order} DESC LIMIT ?6`,
    )
    .bind(
      high,
      team.number * KEYS_PER_TEAM,
      keyNear(team, day, start - LATEST_MS),
      last,
      start,
      limit,
      ...(isFiltered ? [match] : []),
    );
}

/** Selects the number of the last log row in the team's chunks of a day. */
export function selectLastChunk(
  db: Pick<Reads, "prepare">,
  { number }: Pick<Team, "number">,
  day: Day,
): D1PreparedStatement {
  const sql =
    `SELECT last_seq FROM ${chunksTable(day)} WHERE key >= ?1 AND key < ?2 ORDER BY key DESC ` +
    "LIMIT 1";
  return db.prepare(sql).bind(number * KEYS_PER_TEAM, (number + 1) * KEYS_PER_TEAM);
}

/**
 * Selects stray chunks (`isStray`) with any key, sorted by their newest event, newest first. The
 * result begins after the chunk `after`.
 */
export function selectStrays(
  db: Pick<Reads, "prepare">,
  ask: ChunkQuery,
  after: Pick<ChunkRow, "newest" | "key"> | null,
): D1PreparedStatement {
  const { team, day, filters, start, last, limit } = ask;
  const [chunks, index] = [chunksTable(day), chunkIndexTable(day)];
  return db
    .prepare(
      `${SELECTION} FROM ${index} CROSS JOIN ${chunks} p ON p.key = ${index}.rowid
        WHERE ${index} MATCH ?1 AND p.oldest <= ?2 AND p.newest >= ?3 AND (p.newest, p.key) < (?4, ?5)
        ORDER BY p.newest DESC, p.key DESC LIMIT ?6`,
    )
    .bind(
      markedMatchOf("stray", team.id, filters),
      last,
      start,
      after?.newest ?? Number.MAX_SAFE_INTEGER,
      after?.key ?? 0,
      limit,
    );
}

export function bodyOf({ body }: Pick<ChunkRow, "body">): Uint8Array {
  return Buffer.from(body, "hex");
}

export const SELECTION = "SELECT p.key, p.oldest, p.newest, hex(p.body) AS body";

/**
 * Returns the key of a team's chunk that begins at this time. For a time outside the day, returns
 * the team's first or last key of the day.
 */
export function keyNear({ number }: Pick<Team, "number">, day: Day, ms: number): number {
  return number * KEYS_PER_TEAM + Math.min(Math.max(momentIn(day, ms), 0), KEYS_PER_TEAM - 1);
}

function momentIn(day: Day, ms: number): number {
  return ms - startOf(day) + BEFORE_MIDNIGHT_MS;
}
