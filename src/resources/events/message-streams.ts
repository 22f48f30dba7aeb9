// Reads the chunks of one day for a walk through a team's messages, the last accepted first
// (docs/storage.md §Listing messages). A chunk is sought for the messages that begin in it
// (begun-messages.ts). Each day has two streams: its chunks in the order of appending, which is
// nearly that of acceptance, and its late chunks in the order of their newest late messages.
import type { Day, Reads } from "../../rpc/shard-types.ts";
import { chunkIndexTable, chunksTable } from "../../db/day-tables.ts";
import { appendedAt, keyNear, LATE_MS, LATEST_MS, type ChunkRow, SELECTION } from "./store.ts";
import { DayStream, type Stream, type StreamAsk } from "./streams.ts";
import { markedMatchOf, matchOf } from "./tokens.ts";

/** A message may be accepted by a clock that is ahead of its events'. */
const CLOCKS_APART_MS = 60_000;

/** `last`: the latest acceptance that is sought. `start`: the earliest event that is shown. */
export type MessageAsk = StreamAsk;

/** Makes the streams of a day. `isAhead`: only messages that begin late can have events on it. */
export function messageStreamsOf(day: Day, ask: MessageAsk, isAhead: boolean): readonly Stream[] {
  const late = new LateStream(day, ask, CLOCKS_APART_MS);
  return isAhead ? [late] : [new BeginningStream(day, ask, CLOCKS_APART_MS), late];
}

class BeginningStream extends DayStream {
  override statement(db: Pick<Reads, "prepare">, limit: number): D1PreparedStatement {
    const { team, filters, start, last } = this.ask;
    const [chunks, index] = [chunksTable(this.day), chunkIndexTable(this.day)];
    const match = matchOf(team.id, filters);
    const isFiltered = match !== matchOf(team.id, {});
    const source = isFiltered
      ? `FROM ${index} CROSS JOIN ${chunks} p ON p.key = ${index}.rowid
          WHERE ${index} MATCH ?6 AND ${index}.rowid >= ?1 AND ${index}.rowid < CAST(?2 AS INTEGER)`
      : `FROM ${chunks} p WHERE p.key >= ?1 AND p.key < ?2`;
    return db
      .prepare(
        `${SELECTION} ${source} AND p.oldest_message <= ?3 AND p.newest >= ?4
          ORDER BY ${isFiltered ? `${index}.rowid` : "p.key"} DESC LIMIT ?5`,
      )
      .bind(
        keyNear(team, this.day, 0),
        this.last?.key ?? keyNear(team, this.day, last + LATE_MS) + 1,
        last,
        start,
        limit,
        ...(isFiltered ? [match] : []),
      );
  }

  /** A message of an earlier chunk was accepted before the first row of this chunk was appended. */
  protected override latestBehind({ key }: ChunkRow): number {
    return appendedAt(this.day, key) - 1 + LATEST_MS;
  }
}

export class LateStream extends DayStream {
  override statement(db: Pick<Reads, "prepare">, limit: number): D1PreparedStatement {
    const { team, filters, start, last } = this.ask;
    const [chunks, index] = [chunksTable(this.day), chunkIndexTable(this.day)];
    return db
      .prepare(
        `SELECT p.key, p.oldest, p.newest_late AS newest, hex(p.body) AS body
          FROM ${index} CROSS JOIN ${chunks} p ON p.key = ${index}.rowid
          WHERE ${index} MATCH ?1 AND p.oldest_message <= ?2 AND p.newest >= ?3
            AND (p.newest_late, p.key) < (?4, ?5)
          ORDER BY p.newest_late DESC, p.key DESC LIMIT ?6`,
      )
      .bind(
        markedMatchOf("late", team.id, filters),
        last,
        start,
        this.last?.newest ?? Number.MAX_SAFE_INTEGER,
        this.last?.key ?? 0,
        limit,
      );
  }

  /** Late chunks come in the order of their newest late messages. */
  protected override latestBehind({ newest }: ChunkRow): number {
    return newest;
  }
}
