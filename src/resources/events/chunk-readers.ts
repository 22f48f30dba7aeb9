// Reads the chunks of one day for a scan through a team's history (docs/storage.md §Reading
// chunks). Each day has two readers. One reads the chunks in the order of appending. The other
// reads the stray chunks, in which some event occurred long before or after it was appended. A
// reader knows the latest possible moment of its unread events, so the list of events after that
// moment is complete.
import type { Day, Reads } from "../../rpc/shard-types.ts";
import { startOf } from "../../db/days.ts";
import { DAY_MS } from "../../limits.ts";
import {
  appendedAt,
  LATEST_MS,
  type ChunkQuery,
  type ChunkRow,
  selectChunks,
  selectStrays,
} from "./store.ts";

export type ChunkReaderQuery = Omit<ChunkQuery, "day" | "limit">;

export interface ChunkReader {
  readonly day: Day;
  /**
   * The latest possible moment of an event in an unread chunk, Unix milliseconds. Null: no chunk is
   * left unread.
   */
  readonly latest: number | null;
  readonly statement: (db: Pick<Reads, "prepare">, limit: number) => D1PreparedStatement;
  /** Must be called with the rows that `statement` returned, and with the limit that it had. */
  readonly took: (rows: readonly ChunkRow[], limit: number) => void;
}

/**
 * Makes the two readers of one day. The first reads the chunks in the order of appending. The
 * second reads the stray chunks.
 */
export function chunkReadersOf(day: Day, ask: ChunkReaderQuery): readonly ChunkReader[] {
  return [new ChunkStream(day, ask), new StrayStream(day, ask)];
}

export abstract class DayReader implements ChunkReader {
  readonly day: Day;
  latest: number | null;
  protected readonly ask: ChunkReaderQuery;
  protected last: ChunkRow | null = null;

  /** `aheadMs`: the wanted moments may lie this many milliseconds after the end of the day. */
  constructor(day: Day, ask: ChunkReaderQuery, aheadMs = 0) {
    this.day = day;
    this.ask = ask;
    this.latest = Math.min(startOf(day) + DAY_MS - 1 + aheadMs, ask.last);
  }

  took(rows: readonly ChunkRow[], limit: number): void {
    this.last = rows.at(-1) ?? this.last;
    this.latest =
      rows.length < limit || !this.last || this.latest === null
        ? null
        : Math.min(this.latest, this.latestBehind(this.last));
  }

  abstract statement(db: Pick<Reads, "prepare">, limit: number): D1PreparedStatement;
  protected abstract latestBehind(chunk: ChunkRow): number;
}

class ChunkStream extends DayReader {
  override statement(db: Pick<Reads, "prepare">, limit: number): D1PreparedStatement {
    return selectChunks(db, { ...this.ask, day: this.day, limit }, this.last?.key ?? null);
  }

  /** Rows of earlier chunks were appended before the first row of this chunk. */
  protected override latestBehind({ key }: ChunkRow): number {
    return appendedAt(this.day, key) - 1 + LATEST_MS;
  }
}

class StrayStream extends DayReader {
  override statement(db: Pick<Reads, "prepare">, limit: number): D1PreparedStatement {
    return selectStrays(db, { ...this.ask, day: this.day, limit }, this.last);
  }

  /** Stray chunks are sorted by their newest events. */
  protected override latestBehind({ newest }: ChunkRow): number {
    return newest;
  }
}
