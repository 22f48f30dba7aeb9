// Scans a team's events, newest first (docs/storage.md §Reading chunks): selects the requested
// events from the scanned chunks.
import type { EventRecord } from "../../rpc/event-records.ts";
import type { Day } from "../../rpc/shard-types.ts";
import type { ShardSession } from "../../db/shard-session.ts";
import { eventRefusal } from "../providers/refusal-text.ts";
import { matchesEvent, matchesMessage, matchesProvider } from "./event-filters.ts";
import { openChunk } from "./open-chunk.ts";
import { bodyOf, type ChunkRow } from "./store.ts";
import { type ChunkReaderQuery, chunkReadersOf } from "./chunk-readers.ts";
import { ChunkScan } from "./chunk-scan.ts";

/**
 * A position in the list of events, newest first. After it come events with an earlier time, and
 * events of the same time with a lower id.
 */
export interface EventPosition {
  /** Unix milliseconds. */
  readonly at: number;
  readonly id: string;
}

export function isBelow(place: EventPosition, limit: EventPosition): boolean {
  return place.at < limit.at || (place.at === limit.at && place.id < limit.id);
}

export function eventPositionOf({
  occurredAt,
  id,
}: Pick<EventRecord, "occurredAt" | "id">): EventPosition {
  return { at: occurredAt, id };
}

export class EventScan {
  readonly #ask: ChunkReaderQuery;
  readonly #before: EventPosition;
  readonly #scan: ChunkScan;
  readonly #found = new Map<string, EventRecord>();

  /**
   * Scans the events of `days`, newest first, after the position `before`. `sessionOn` returns the
   * database session for reading a day.
   */
  constructor(
    ask: Omit<ChunkReaderQuery, "last">,
    before: EventPosition,
    days: readonly Day[],
    sessionOn: (day: Day) => ShardSession,
  ) {
    this.#ask = { ...ask, last: before.id === "" ? before.at - 1 : before.at };
    this.#before = before;
    this.#scan = new ChunkScan(
      {
        readers: days.flatMap((day) => chunkReadersOf(day, this.#ask)),
        start: ask.start,
        daysAhead: 0,
        take: (row) => this.#take(row),
      },
      sessionOn,
    );
  }

  /** Number of chunks read. */
  get chunks(): number {
    return this.#scan.chunks;
  }

  /** The events found so far, unsorted. */
  get found(): Iterable<EventRecord> {
    return this.#found.values();
  }

  /** The position down to which the scan has found all events. Null: the scan is complete. */
  get horizon(): EventPosition | null {
    const { latest } = this.#scan;
    return latest === null ? null : { at: latest + 1, id: "" };
  }

  /** Makes one round trip to each shard. `wanted` is the number of events that the page needs. */
  goOn(wanted: number): Promise<void> {
    return this.#scan.goOn(wanted);
  }

  #take(row: ChunkRow): void {
    const { team, filters, start, last } = this.#ask;
    const { provider, refusal } = filters;
    const events = openChunk(team.id, bodyOf(row)).events({
      server: provider && ((facts) => matchesProvider(facts, provider)),
      message: (message) => matchesMessage(message, filters),
      event: (event) =>
        event.occurredAt >= start && event.occurredAt <= last && matchesEvent(event, filters),
      whole: refusal === undefined ? undefined : (event) => eventRefusal(event) === refusal,
    });
    for (const event of events)
      if (isBelow(eventPositionOf(event), this.#before)) this.#found.set(event.id, event);
  }
}
