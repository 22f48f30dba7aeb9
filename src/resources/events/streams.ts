// Reads the chunks of one day for a walk through a team's history (docs/storage.md §Reading chunks).
// Each day has two streams, one of chunks in the order of appending and one of stray chunks. A
// stream knows a moment that none of its unread events is later than, so later events are final.
import type { Day, Reads } from "../../rpc/shard-types.ts";
import { startOf } from "../../db/days.ts";
import { DAY_MS } from "../../limits.ts";
import {
  appendedAt,
  LATEST_MS,
  type ChunkAsk,
  type ChunkRow,
  selectChunks,
  selectStrays,
} from "./store.ts";

export type StreamAsk = Omit<ChunkAsk, "day" | "limit">;

export interface Stream {
  readonly day: Day;
  /**
   * No event of an unread chunk is later than this, Unix milliseconds; null: every chunk was read.
   */
  readonly latest: number | null;
  readonly statement: (db: Pick<Reads, "prepare">, limit: number) => D1PreparedStatement;
  /** Takes the rows that a statement with that limit found. */
  readonly took: (rows: readonly ChunkRow[], limit: number) => void;
}

/** Makes the two streams of a day. */
export function streamsOf(day: Day, ask: StreamAsk): readonly Stream[] {
  return [new ChunkStream(day, ask), new StrayStream(day, ask)];
}

export abstract class DayStream implements Stream {
  readonly day: Day;
  latest: number | null;
  protected readonly ask: StreamAsk;
  protected last: ChunkRow | null = null;

  /** `aheadMs`: what is sought may be later than its day by as much. */
  constructor(day: Day, ask: StreamAsk, aheadMs = 0) {
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

class ChunkStream extends DayStream {
  override statement(db: Pick<Reads, "prepare">, limit: number): D1PreparedStatement {
    return selectChunks(db, { ...this.ask, day: this.day, limit }, this.last?.key ?? null);
  }

  /** All rows of earlier chunks were appended before the first row of this chunk. */
  protected override latestBehind({ key }: ChunkRow): number {
    return appendedAt(this.day, key) - 1 + LATEST_MS;
  }
}

class StrayStream extends DayStream {
  override statement(db: Pick<Reads, "prepare">, limit: number): D1PreparedStatement {
    return selectStrays(db, { ...this.ask, day: this.day, limit }, this.last);
  }

  /** Stray chunks come in the order of their newest events. */
  protected override latestBehind({ newest }: ChunkRow): number {
    return newest;
  }
}
