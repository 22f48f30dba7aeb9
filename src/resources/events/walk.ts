// Walks through a team's pages, newest events first (docs/storage.md §Reading pages). Decides which
// days' pages one round trip asks for, which of the found events are final, and where a walk that
// has read enough pages can go on.
import type { Day, Reads } from "../../contracts/shard-types.ts";
import { existingDays, forgetDays } from "../../db/partitions.ts";
import type { ShardSession } from "../../db/read-session.ts";
import { openPage } from "./open-page.ts";
import type { EventRecord } from "../../contracts/event-records.ts";
import { bodyOf, type PageRow } from "./store.ts";
import { type Stream, type StreamAsk, streamsOf } from "./streams.ts";
import { eventRefusal } from "../providers/refusal-text.ts";
import { matchesEvent, matchesMessage, matchesProvider } from "./event-filters.ts";

/**
 * A place between events. Events with an earlier time, or with the same time and a lower id, lie
 * below it.
 */
export interface WalkPlace {
  /** Unix milliseconds. */
  readonly at: number;
  readonly id: string;
}

/**
 * Number of days in the first and the second round trip; the third takes all that are left. A
 * default window is two days.
 */
const DAYS_PER_TRIP = [2, 6];
/** Maximum number of pages in a round trip. Large pages, measured in hex digits, make it fewer. */
const PAGES_PER_TRIP = 64;
const DIGITS_PER_TRIP = 16_000_000;
const FEWEST_PAGES = 4;
/** Number of events in the smallest page of a busy team. */
const EVENTS_PER_PAGE = 64;

export function isBelow(place: WalkPlace, limit: WalkPlace): boolean {
  return place.at < limit.at || (place.at === limit.at && place.id < limit.id);
}

export function placeOf({ occurredAt, id }: Pick<EventRecord, "occurredAt" | "id">): WalkPlace {
  return { at: occurredAt, id };
}

export class Walk {
  readonly #ask: StreamAsk;
  readonly #before: WalkPlace;
  readonly #sessionOn: (day: Day) => ShardSession;
  readonly #read = new Set<string>();
  readonly #found = new Map<string, EventRecord>();
  #streams: readonly Stream[];
  #trips = 0;
  #longestBody = 0;

  /**
   * Walks down from `before` through `days`, newest first. `sessionOn` gives the session to read a
   * day with.
   */
  constructor(
    ask: Omit<StreamAsk, "last">,
    before: WalkPlace,
    days: readonly Day[],
    sessionOn: (day: Day) => ShardSession,
  ) {
    this.#ask = { ...ask, last: before.id === "" ? before.at - 1 : before.at };
    this.#before = before;
    this.#sessionOn = sessionOn;
    this.#streams = days.flatMap((day) => streamsOf(day, this.#ask));
  }

  /** Number of pages read. */
  get pages(): number {
    return this.#read.size;
  }

  /** The events found so far, in no particular order. */
  get found(): Iterable<EventRecord> {
    return this.#found.values();
  }

  /** A place above every event that is still to be found; null: the walk is complete. */
  get horizon(): WalkPlace | null {
    const latest = this.#streams.reduce<number | null>(
      (most, stream) => Math.max(most ?? 0, stream.latest ?? 0),
      null,
    );
    return latest === null ? null : { at: latest + 1, id: "" };
  }

  /**
   * Makes one round trip to each shard; before the first one it looks which days have tables.
   * `wanted`: how many more events are needed.
   */
  async goOn(wanted: number): Promise<void> {
    if (this.#trips === 0) await this.#dropAbsentDays();
    const days = new Set(daysOf(this.#streams).slice(0, DAYS_PER_TRIP[this.#trips]));
    this.#trips += 1;
    const asked = this.#streams.filter(({ day }) => days.has(day));
    const limit = this.#limitFor(asked.length, wanted);
    await Promise.all(
      Array.from(this.#bySession(asked), async ([session, streams]) =>
        this.#askShard(session, streams, limit),
      ),
    );
    this.#streams = this.#streams.filter(
      ({ latest }) => latest !== null && latest >= this.#ask.start,
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
      PAGES_PER_TRIP,
      this.#longestBody === 0 ? PAGES_PER_TRIP : DIGITS_PER_TRIP / this.#longestBody,
    );
    const useful = Math.max(FEWEST_PAGES * this.#trips, Math.ceil(wanted / EVENTS_PER_PAGE) + 2);
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

  /** A stray page is met in both streams of its day. */
  #take(day: Day, row: PageRow): void {
    if (this.#read.has(`${day}.${row.key}`)) return;
    this.#read.add(`${day}.${row.key}`);
    this.#longestBody = Math.max(this.#longestBody, row.body.length);
    const { team, filters, start, last } = this.#ask;
    const { provider, refusal } = filters;
    const events = openPage(team.id, bodyOf(row)).events({
      server: provider && ((facts) => matchesProvider(facts, provider)),
      message: (message) => matchesMessage(message, filters),
      event: (event) =>
        event.occurredAt >= start && event.occurredAt <= last && matchesEvent(event, filters),
      whole: refusal === undefined ? undefined : (event) => eventRefusal(event) === refusal,
    });
    for (const event of events)
      if (isBelow(placeOf(event), this.#before)) this.#found.set(event.id, event);
  }
}

type Answer = readonly [Stream, readonly PageRow[]];

async function readAll(reads: Reads, streams: readonly Stream[], limit: number): Promise<Answer[]> {
  if (streams.length === 0) return [];
  const results = await reads.batch<PageRow>(
    streams.map((stream) => stream.statement(reads, limit)),
  );
  return streams.map((stream, at) => [stream, results[at]?.results ?? []]);
}

/** Retention may have dropped a day that this isolate knows; such a day has no pages. */
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
