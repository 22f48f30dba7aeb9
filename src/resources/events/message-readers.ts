// Reads the chunks of one day for a scan of a team's messages, last accepted first (docs/storage.md
// §Listing messages). The scan searches chunks in which messages begin
// (messages-begun-in-chunk.ts). Each day has two readers. The first reads the chunks in the order
// in which they were appended, which is almost the order of acceptance. The second reads the late
// chunks, in which a message begins long after its acceptance, sorted by the newest such message.
import type { Day, Reads } from "../../rpc/shard-types.ts";
import { chunkIndexTable, chunksTable } from "../../db/day-tables.ts";
import { appendedAt, keyNear, LATE_MS, LATEST_MS, type ChunkRow, SELECTION } from "./store.ts";
import { ChunkReader, type ChunkReaderQuery } from "./chunk-readers.ts";
import { markedMatchOf, matchOf } from "./chunk-tokens.ts";

/** The maximum by which the clock for acceptances may be ahead of the clock for events. */
const CLOCKS_APART_MS = 60_000;

/**
 * Makes the readers of one day's chunks. `ask.last` is the latest wanted acceptance. `isAhead`: the
 * wanted messages were accepted long before this day, so only the reader of late chunks is needed.
 */
export function messageReadersOf(
  day: Day,
  ask: ChunkReaderQuery,
  isAhead: boolean,
): readonly ChunkReader[] {
  const late = new LateReader(day, ask, CLOCKS_APART_MS);
  return isAhead ? [late] : [new BeginningStream(day, ask, CLOCKS_APART_MS), late];
}

class BeginningStream extends ChunkReader {
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

  /**
   * Returns the latest possible acceptance of a message in the next chunks: LATEST_MS after the
   * first row of this chunk was appended.
   */
  protected override latestBehind({ key }: ChunkRow): number {
    return appendedAt(this.day, key) - 1 + LATEST_MS;
  }
}

export class LateReader extends ChunkReader {
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

  /** Returns the acceptance of the newest late message, because late chunks are sorted by it. */
  protected override latestBehind({ newest }: ChunkRow): number {
    return newest;
  }
}
