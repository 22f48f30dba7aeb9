// Selects a shard's chunks that may hold the wanted events, and defines their keys (docs/storage.md
// §Chunks). The SQL is prepared by hand, because the tables are named by their day.
import { Buffer } from "node:buffer";
import { type Day, type Reads } from "../../rpc/shard-types.ts";
import { chunkIndexTable, chunksTable } from "../../db/day-tables.ts";
import { startOf } from "../../db/days.ts";
import type { Team } from "../../endpoint.ts";
import { HOUR_MS } from "../../limits.ts";
import type { MessageEvents } from "../../rpc/event-records.ts";
import { markedMatchOf, matchOf } from "./tokens.ts";
import { type WholeEventFilters } from "../../rpc/history-query.ts";

type ChunkTeam = Pick<Team, "id" | "number">;

/** A chunk to write: events of one UTC day, in the order of the log's rows. */
export interface NewChunk {
  readonly team: ChunkTeam;
  readonly day: Day;
  /**
   * When the chunk's first row was appended, Unix milliseconds. No other row of the team has this
   * time, and later rows have a later one.
   */
  readonly at: number;
  /** The log's number of the chunk's last row. */
  readonly lastSeq: number;
  readonly messages: readonly MessageEvents[];
  /**
   * True if an event occurred more than EARLIEST_MS before its row was appended, or more than
   * LATEST_MS after.
   */
  readonly isStray: boolean;
}

/**
 * The limits between which events of a chunk that is not stray lie, relative to the moment at which
 * their row was appended.
 */
export const EARLIEST_MS = 15 * 60_000;
export const LATEST_MS = 1_000;
/**
 * A chunk is late if it has the first attempt of a message that was accepted more than this before
 * the chunk's first row was appended (begun-messages.ts).
 */
export const LATE_MS = 15 * 60_000;

/**
 * Number of keys per team: a key is the team's number times this plus a moment. The days that are
 * kept fit, with room to spare.
 */
const KEYS_PER_TEAM = 2 ** 32;
/**
 * Keys of a day begin this much before midnight, because a clock ahead of the ledger's may have
 * stamped an event of tomorrow.
 */
const BEFORE_MIDNIGHT_MS = HOUR_MS;

/** A chunk as it is read. Its body is in hex, because D1 returns a BLOB as an array of numbers. */
export interface ChunkRow {
  readonly key: number;
  /** The times of the chunk's oldest and newest event, Unix milliseconds. */
  readonly oldest: number;
  readonly newest: number;
  readonly body: string;
}

/**
 * Asks for chunks of a day: at most `limit` that may hold events of the filters from `start` to
 * `last`, both inclusive, Unix milliseconds.
 */
export interface ChunkAsk {
  readonly team: ChunkTeam;
  readonly day: Day;
  readonly filters: WholeEventFilters;
  readonly start: number;
  readonly last: number;
  readonly limit: number;
}

/**
 * Returns the key of the chunk whose first row was appended at `at`. A team's keys of a day are in
 * the order of appending. Throws a plain Error if the day began more than an hour after `at`, or 49
 * days before.
 */
export function chunkKey({ number }: Pick<Team, "number">, day: Day, at: number): number {
  const moment = momentIn(day, at);
  if (!Number.isInteger(moment) || moment < 0 || moment >= KEYS_PER_TEAM)
    throw new Error(`no chunk of ${day} begins at ${at}`);
  return number * KEYS_PER_TEAM + moment;
}

/** When the first row of a chunk was appended, Unix milliseconds. */
export function appendedAt(day: Day, key: number): number {
  return startOf(day) - BEFORE_MIDNIGHT_MS + (key % KEYS_PER_TEAM);
}

/**
 * Selects a team's chunks, those appended last first: those below the key `below`, or null: from
 * the last chunk that may hold such an event.
 */
export function selectChunks(
  db: Pick<Reads, "prepare">,
  ask: ChunkAsk,
  below: number | null,
): D1PreparedStatement {
  const { team, day, filters, start, last, limit } = ask;
  const [chunks, index] = [chunksTable(day), chunkIndexTable(day)];
  const high = below ?? keyNear(team, day, last + EARLIEST_MS) + 1;
  const match = matchOf(team.id, filters);
  const isFiltered = match !== matchOf(team.id, {});
  // A chunk that was begun before `start` may have events after it; the chunks before that one may
  // not.
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

/** Selects the log's number of the last row that the team's chunks of a day reach. */
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
 * Selects stray chunks in the same way, whatever their keys: those with the newest events first,
 * after `after`.
 */
export function selectStrays(
  db: Pick<Reads, "prepare">,
  ask: ChunkAsk,
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
 * Returns the key at a moment, or the team's first or last key of the day if the moment is outside
 * of it.
 */
export function keyNear({ number }: Pick<Team, "number">, day: Day, ms: number): number {
  return number * KEYS_PER_TEAM + Math.min(Math.max(momentIn(day, ms), 0), KEYS_PER_TEAM - 1);
}

function momentIn(day: Day, ms: number): number {
  return ms - startOf(day) + BEFORE_MIDNIGHT_MS;
}
