// Walks through a team's chunks, newest first (docs/storage.md §Reading chunks). Decides which days'
// chunks one round trip asks for, and down to which moment everything was read. What is sought in
// the chunks, events or messages, and in which order, is its source's business.
import type { Day, Reads } from "../../rpc/shard-types.ts";
import { existingDays, forgetDays } from "../../db/partitions.ts";
import type { ShardSession } from "../../db/read-session.ts";
import type { ChunkRow } from "./store.ts";
import type { Stream } from "./streams.ts";

/** The chunks that a walk reads, and what it takes from them. */
export interface WalkSource {
  /** Newest days first. */
  readonly streams: readonly Stream[];
  /** The earliest moment of which something is sought, Unix milliseconds. */
  readonly start: number;
  /** The newest days that each round trip asks besides its own. */
  readonly daysAhead: number;
  /** Takes what is sought from a chunk. A walk gives it each chunk once. */
  readonly take: (row: ChunkRow) => void;
}

/**
 * Number of days in the first and the second round trip; the third takes all that are left. A
 * default window is two days.
 */
const DAYS_PER_TRIP = [2, 6];
/** Maximum number of chunks in a round trip. Large chunks, measured in hex digits, make it fewer. */
const CHUNKS_PER_TRIP = 64;
const DIGITS_PER_TRIP = 16_000_000;
const FEWEST_CHUNKS = 4;
/** Number of events in the smallest chunk of a busy team. */
const EVENTS_PER_CHUNK = 64;

export class Walk {
  readonly #source: WalkSource;
  readonly #sessionOn: (day: Day) => ShardSession;
  readonly #read = new Set<string>();
  #streams: readonly Stream[];
  #trips = 0;
  #longestBody = 0;

  /** `sessionOn` gives the session to read a day with. */
  constructor(source: WalkSource, sessionOn: (day: Day) => ShardSession) {
    this.#source = source;
    this.#sessionOn = sessionOn;
    this.#streams = source.streams;
  }

  /** Number of chunks read. */
  get chunks(): number {
    return this.#read.size;
  }

  /** The latest moment of which something may still be found; null: the walk is complete. */
  get latest(): number | null {
    return this.#streams.reduce<number | null>(
      (most, stream) => Math.max(most ?? 0, stream.latest ?? 0),
      null,
    );
  }

  /** Leaves what only these streams would find. */
  leave(isLeft: (stream: Stream) => boolean): void {
    this.#streams = this.#streams.filter((stream) => !isLeft(stream));
  }

  /**
   * Makes one round trip to each shard; before the first one it looks which days have tables.
   * `wanted`: how many more finds are needed.
   */
  async goOn(wanted: number): Promise<void> {
    if (this.#trips === 0) await this.#dropAbsentDays();
    const own = DAYS_PER_TRIP[this.#trips];
    const asking = own === undefined ? own : own + this.#source.daysAhead;
    const days = new Set(daysOf(this.#streams).slice(0, asking));
    this.#trips += 1;
    const asked = this.#streams.filter(({ day }) => days.has(day));
    const limit = this.#limitFor(asked.length, wanted);
    await Promise.all(
      Array.from(this.#bySession(asked), async ([session, streams]) =>
        this.#askShard(session, streams, limit),
      ),
    );
    this.#streams = this.#streams.filter(
      ({ latest }) => latest !== null && latest >= this.#source.start,
    );
  }

  async #dropAbsentDays(): Promise<void> {
    const present = Array.from(this.#bySession(this.#streams), async ([session, streams]) => {
      const days = daysOf(streams);
      return session.read(
        (reads) => existingDays(session.db, days, reads),
        () => existingDays(session.db, days),
      );
    });
    const days = new Set((await Promise.all(present)).flat());
    this.#streams = this.#streams.filter(({ day }) => days.has(day));
  }

  #bySession(streams: readonly Stream[]): Map<ShardSession, Stream[]> {
    return Map.groupBy(streams, ({ day }) => this.#sessionOn(day));
  }

  #limitFor(streams: number, wanted: number): number {
    const affordable = Math.min(
      CHUNKS_PER_TRIP,
      this.#longestBody === 0 ? CHUNKS_PER_TRIP : DIGITS_PER_TRIP / this.#longestBody,
    );
    const useful = Math.max(FEWEST_CHUNKS * this.#trips, Math.ceil(wanted / EVENTS_PER_CHUNK) + 2);
    return Math.max(1, Math.min(useful, Math.floor((2 * affordable) / streams)));
  }

  async #askShard(session: ShardSession, streams: readonly Stream[], limit: number): Promise<void> {
    const answers = await session.read(
      (reads) => readAll(reads, streams, limit),
      () => askPrimary(session.db, streams, limit),
    );
    for (const [stream, rows] of answers) {
      for (const row of rows) this.#take(stream.day, row);
      stream.took(rows, limit);
    }
  }

  /** A stray chunk is met in both streams of its day. */
  #take(day: Day, row: ChunkRow): void {
    if (this.#read.has(`${day}.${row.key}`)) return;
    this.#read.add(`${day}.${row.key}`);
    this.#longestBody = Math.max(this.#longestBody, row.body.length);
    this.#source.take(row);
  }
}

type Answer = readonly [Stream, readonly ChunkRow[]];

async function readAll(reads: Reads, streams: readonly Stream[], limit: number): Promise<Answer[]> {
  if (streams.length === 0) return [];
  const results = await reads.batch<ChunkRow>(
    streams.map((stream) => stream.statement(reads, limit)),
  );
  return streams.map((stream, at) => [stream, results[at]?.results ?? []]);
}

/** Retention may have dropped a day that this isolate knows; such a day has no chunks. */
async function askPrimary(
  db: D1Database,
  streams: readonly Stream[],
  limit: number,
): Promise<Answer[]> {
  forgetDays(db);
  const days = await existingDays(db, daysOf(streams));
  const answers = await readAll(
    db,
    streams.filter(({ day }) => days.includes(day)),
    limit,
  );
  return [
    ...answers,
    ...streams.filter(({ day }) => !days.includes(day)).map((stream): Answer => [stream, []]),
  ];
}

function daysOf(streams: readonly Stream[]): Day[] {
  return [...new Set(streams.map(({ day }) => day))];
}
