// Reads the chunks of one day for a scan of a team's history (docs/storage.md §Reading chunks).
// Each day has two readers. The first reads the chunks in the order in which their events were
// appended to the log. The second reads the stray chunks, which have an event that occurred long
// before or after it was appended. A reader knows the latest possible time of its unread events. So
// the scan has found all events after that time.
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

/** Makes the two readers of one day. */
export function chunkReadersOf(day: Day, ask: ChunkReaderQuery): readonly ChunkReader[] {
  return [new ChunkStream(day, ask), new StrayStream(day, ask)];
}

export abstract class ChunkReader {
  readonly day: Day;
  /** The latest possible time of an unread event, Unix milliseconds. Null: all chunks are read. */
  latest: number | null;
  protected readonly ask: ChunkReaderQuery;
  protected last: ChunkRow | null = null;

  /** A wanted time may be up to `aheadMs` milliseconds after the end of the day. */
  constructor(day: Day, ask: ChunkReaderQuery, aheadMs = 0) {
    this.day = day;
    this.ask = ask;
    this.latest = Math.min(startOf(day) + DAY_MS - 1 + aheadMs, ask.last);
  }

  /** Records the rows that `statement` returned for this limit. Must be called after each query. */
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

class ChunkStream extends ChunkReader {
  override statement(db: Pick<Reads, "prepare">, limit: number): D1PreparedStatement {
    return selectChunks(db, { ...this.ask, day: this.day, limit }, this.last?.key ?? null);
  }

  /** Returns the latest possible time of an event in the chunks that are older than this chunk. */
  protected override latestBehind({ key }: ChunkRow): number {
    return appendedAt(this.day, key) - 1 + LATEST_MS;
  }
}

class StrayStream extends ChunkReader {
  override statement(db: Pick<Reads, "prepare">, limit: number): D1PreparedStatement {
    return selectStrays(db, { ...this.ask, day: this.day, limit }, this.last);
  }

  /** Returns the time of the chunk's newest event, because stray chunks are sorted by it. */
  protected override latestBehind({ newest }: ChunkRow): number {
    return newest;
  }
}
