// Reads the chunks of one day for a scan through a team's history (docs/storage.md §Reading
// chunks). Each day has two readers: one reads the chunks in the order of appending, and one reads
// the stray chunks. A reader knows the latest moment of its unread events, so events after that
// moment are final.
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
   * The latest possible moment of an event in an unread chunk, Unix milliseconds. Null: every chunk
   * was read.
   */
  readonly latest: number | null;
  readonly statement: (db: Pick<Reads, "prepare">, limit: number) => D1PreparedStatement;
  /** Receives the rows that the statement with this limit found. */
  readonly took: (rows: readonly ChunkRow[], limit: number) => void;
}

/** Makes the two readers of a day. */
export function chunkReadersOf(day: Day, ask: ChunkReaderQuery): readonly ChunkReader[] {
  return [new ChunkStream(day, ask), new StrayStream(day, ask)];
}

export abstract class DayReader implements ChunkReader {
  readonly day: Day;
  latest: number | null;
  protected readonly ask: ChunkReaderQuery;
  protected last: ChunkRow | null = null;

  /** `aheadMs`: how much later than the day the wanted moments may be. */
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

  /** Rows of earlier chunks were appended before this chunk's first row. */
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
