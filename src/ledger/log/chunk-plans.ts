// Decides when a chunk of the log is due and which rows it gets (docs/storage.md §The log), and
// knows which rows are in chunks. Pure.
import type { Day } from "../../rpc/shard-types.ts";
import { dayOf } from "../../db/days.ts";
import type { NewLogRow } from "./log-rows.ts";

/** A chunk is due when this many events are not in a chunk yet. */
const CHUNK_WORTH = 64;
const CHUNK_EVENTS = 128;
const CHUNK_CHARACTERS = 1_024 * 1_024;
/**
 * Maximum number of chunks, and of their characters, that one batch writes. A query to D1 may take
 * 200 ms, and a team's batches run one after another, so each batch writes several chunks.
 */
const BATCH_CHUNKS = 8;
const BATCH_CHARACTERS = 2 * CHUNK_CHARACTERS;

/** A row of the log in memory. */
export interface LogRow extends Omit<NewLogRow, "text"> {
  readonly seq: number;
  readonly at: number;
  readonly characters: number;
}

type ChunkRows = readonly [LogRow, ...LogRow[]];

/**
 * The rows of the next chunks, with one list for each chunk. All rows are of one day, in the order
 * of their numbers.
 */
export interface ChunkPlan {
  readonly day: Day;
  readonly chunks: readonly [ChunkRows, ...ChunkRows[]];
}

export class ChunkPlans {
  /** Number of events that are not in a chunk yet, by day. */
  readonly #unpaged = new Map<Day, number>();
  /**
   * The number of each day's last row that is in a chunk. All earlier rows of the day are in chunks
   * too.
   */
  #chunked: Readonly<Record<Day, number>>;

  constructor(chunked: Readonly<Record<Day, number>>) {
    this.#chunked = chunked;
  }

  /** Number of events that are not in a chunk yet. */
  get unpaged(): number {
    return [...this.#unpaged.values()].reduce((sum, count) => sum + count, 0);
  }

  isInChunk({ day, seq }: LogRow): boolean {
    return seq <= (this.#chunked[day] ?? 0);
  }

  /** Counts the events of a row that was appended to the log or read from it. */
  count(row: LogRow): void {
    if (!this.isInChunk(row))
      this.#unpaged.set(row.day, (this.#unpaged.get(row.day) ?? 0) + row.count);
  }

  isDue(now: number): boolean {
    return this.#dayOfNext(now) !== undefined;
  }

  /**
   * Plans the next chunks. Returns undefined if no chunk is due. All planned chunks except the last
   * are full.
   */
  next(rows: Iterable<LogRow>, now: number): ChunkPlan | undefined {
    const day = this.#dayOfNext(now);
    if (day === undefined) return undefined;
    const chunks: [LogRow, ...LogRow[]][] = [];
    let [events, characters, all] = [0, 0, 0];
    for (const row of rows) {
      if (row.day !== day || this.isInChunk(row)) continue;
      const last = chunks.at(-1);
      events += row.count;
      characters += row.characters;
      all += row.characters;
      if (last && events <= CHUNK_EVENTS && characters <= CHUNK_CHARACTERS) last.push(row);
      else if (last && (chunks.length === BATCH_CHUNKS || all > BATCH_CHARACTERS)) break;
      else {
        chunks.push([row]);
        [events, characters] = [row.count, row.characters];
      }
    }
    const [first, ...others] = chunks;
    return first && { day, chunks: [first, ...others] };
  }

  /** Records that all rows of the day up to the number `lastSeq` are in chunks. */
  note(rows: Iterable<LogRow>, day: Day, lastSeq: number): void {
    let events = this.#unpaged.get(day) ?? 0;
    for (const row of rows)
      if (row.day === day && !this.isInChunk(row) && row.seq <= lastSeq) events -= row.count;
    if (events > 0) this.#unpaged.set(day, events);
    else this.#unpaged.delete(day);
    const last = Math.max(this.#chunked[day] ?? 0, lastSeq);
    this.#chunked = { ...this.#chunked, [day]: last };
  }

  /**
   * Returns, for each day that still has rows, the number of its last row that is in a chunk.
   * Forgets the other days.
   */
  chunkedDays(rows: Iterable<LogRow>): Readonly<Record<Day, number>> {
    const days = new Set(Array.from(rows, ({ day }) => day));
    const left = Object.entries(this.#chunked).filter(([day]) => days.has(day));
    this.#chunked = Object.fromEntries(left);
    return this.#chunked;
  }

  /**
   * Finds the day for which a chunk is due. A chunk of a past day is due as soon as one event of
   * that day is not in a chunk.
   */
  #dayOfNext(now: number): Day | undefined {
    if (this.#unpaged.size === 0) return undefined;
    const today = dayOf(now);
    for (const [day, events] of this.#unpaged) if (day < today || events >= CHUNK_WORTH) return day;
    return undefined;
  }
}
