// Scans a team's chunks, newest first (docs/storage.md §Reading chunks). Decides which days each
// round trip reads, and down to which time the scan has read all chunks. The source takes events or
// messages from the chunks, and decides their order.
import type { Day, Reads } from "../../rpc/shard-types.ts";
import { existingDays, forgetDays } from "../../db/partitions.ts";
import type { ShardSession } from "../../db/shard-session.ts";
import type { ChunkRow } from "./store.ts";
import type { ChunkReader } from "./chunk-readers.ts";

/** The chunks that a scan reads, and the function that takes each chunk. */
export interface ChunkScanSource {
  /** Newest days first. */
  readonly readers: readonly ChunkReader[];
  /** The earliest wanted time, Unix milliseconds. */
  readonly start: number;
  /** Number of newest days that each round trip reads in addition to DAYS_PER_TRIP. */
  readonly daysAhead: number;
  /** Takes the wanted events or messages from a chunk. A scan passes each chunk only once. */
  readonly take: (row: ChunkRow) => void;
}

/**
 * Number of days that the first and the second round trip read. The third round trip reads all
 * remaining days. A window of the default length covers two days.
 */
const DAYS_PER_TRIP = [2, 6];
/**
 * Maximum number of chunks in a round trip. DIGITS_PER_TRIP lowers it for large chunks, whose size
 * is measured in hex digits.
 */
const CHUNKS_PER_TRIP = 64;
const DIGITS_PER_TRIP = 16_000_000;
const FEWEST_CHUNKS = 4;
/** Number of events in the smallest chunk of a busy team. */
const EVENTS_PER_CHUNK = 64;

export class ChunkScan {
  readonly #source: ChunkScanSource;
  readonly #sessionOn: (day: Day) => ShardSession;
  readonly #read = new Set<string>();
  #readers: readonly ChunkReader[];
  #trips = 0;
  #longestBody = 0;

  /** `sessionOn` returns the database session for reading a day. */
  constructor(source: ChunkScanSource, sessionOn: (day: Day) => ShardSession) {
    this.#source = source;
    this.#sessionOn = sessionOn;
    this.#readers = source.readers;
  }

  /** Number of chunks read. */
  get chunks(): number {
    return this.#read.size;
  }

  /** The latest possible time of an unread event or message. Null: the scan is complete. */
  get latest(): number | null {
    return this.#readers.reduce<number | null>(
      (most, reader) => Math.max(most ?? 0, reader.latest ?? 0),
      null,
    );
  }

  /** Removes the readers for which `isLeft` is true, so that their chunks are not read. */
  leave(isLeft: (reader: ChunkReader) => boolean): void {
    this.#readers = this.#readers.filter((reader) => !isLeft(reader));
  }

  /**
   * Makes one round trip to each shard. The first call also checks which days have tables. `wanted`
   * is the number of results that the page still needs.
   */
  async goOn(wanted: number): Promise<void> {
    if (this.#trips === 0) await this.#dropAbsentDays();
    const own = DAYS_PER_TRIP[this.#trips];
    const asking = own === undefined ? own : own + this.#source.daysAhead;
    const days = new Set(daysOf(this.#readers).slice(0, asking));
    this.#trips += 1;
    const asked = this.#readers.filter(({ day }) => days.has(day));
    const limit = this.#limitFor(asked.length, wanted);
    await Promise.all(
      Array.from(this.#bySession(asked), async ([session, readers]) =>
        this.#askShard(session, readers, limit),
      ),
    );
    this.#readers = this.#readers.filter(
      ({ latest }) => latest !== null && latest >= this.#source.start,
    );
  }

  async #dropAbsentDays(): Promise<void> {
    const present = Array.from(this.#bySession(this.#readers), async ([session, readers]) => {
      const days = daysOf(readers);
      return session.read(
        (reads) => existingDays(session.db, days, reads),
        () => existingDays(session.db, days),
      );
    });
    const days = new Set((await Promise.all(present)).flat());
    this.#readers = this.#readers.filter(({ day }) => days.has(day));
  }

  #bySession(readers: readonly ChunkReader[]): Map<ShardSession, ChunkReader[]> {
    return Map.groupBy(readers, ({ day }) => this.#sessionOn(day));
  }

  #limitFor(readers: number, wanted: number): number {
    const affordable = Math.min(
      CHUNKS_PER_TRIP,
      this.#longestBody === 0 ? CHUNKS_PER_TRIP : DIGITS_PER_TRIP / this.#longestBody,
    );
    const useful = Math.max(FEWEST_CHUNKS * this.#trips, Math.ceil(wanted / EVENTS_PER_CHUNK) + 2);
    return Math.max(1, Math.min(useful, Math.floor((2 * affordable) / readers)));
  }

  async #askShard(
    session: ShardSession,
    readers: readonly ChunkReader[],
    limit: number,
  ): Promise<void> {
    const answers = await session.read(
      (reads) => readAll(reads, readers, limit),
      () => askPrimary(session.db, readers, limit),
    );
    for (const [reader, rows] of answers) {
      for (const row of rows) this.#take(reader.day, row);
      reader.took(rows, limit);
    }
  }

  /**
   * Passes a chunk to the source. Skips a chunk that it has already passed, because both readers of
   * a day return the stray chunks.
   */
  #take(day: Day, row: ChunkRow): void {
    if (this.#read.has(`${day}.${row.key}`)) return;
    this.#read.add(`${day}.${row.key}`);
    this.#longestBody = Math.max(this.#longestBody, row.body.length);
    this.#source.take(row);
  }
}

type Answer = readonly [ChunkReader, readonly ChunkRow[]];

async function readAll(
  reads: Reads,
  readers: readonly ChunkReader[],
  limit: number,
): Promise<Answer[]> {
  if (readers.length === 0) return [];
  const results = await reads.batch<ChunkRow>(
    readers.map((reader) => reader.statement(reads, limit)),
  );
  return readers.map((reader, at) => [reader, results[at]?.results ?? []]);
}

/**
 * Runs the query at the primary. Returns no chunks for a day that retention has dropped, although
 * this isolate's cache still has the day.
 */
async function askPrimary(
  db: D1Database,
  readers: readonly ChunkReader[],
  limit: number,
): Promise<Answer[]> {
  forgetDays(db);
  const days = await existingDays(db, daysOf(readers));
  const answers = await readAll(
    db,
    readers.filter(({ day }) => days.includes(day)),
    limit,
  );
  return [
    ...answers,
    ...readers.filter(({ day }) => !days.includes(day)).map((reader): Answer => [reader, []]),
  ];
}

function daysOf(readers: readonly ChunkReader[]): Day[] {
  return [...new Set(readers.map(({ day }) => day))];
}
