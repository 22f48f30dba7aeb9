// Walks through a team's events, newest first (docs/storage.md §Reading chunks): takes the events
// that a request asks for from the chunks of a walk.
import type { EventRecord } from "../../rpc/event-records.ts";
import type { Day } from "../../rpc/shard-types.ts";
import type { ShardSession } from "../../db/read-session.ts";
import { eventRefusal } from "../providers/refusal-text.ts";
import { matchesEvent, matchesMessage, matchesProvider } from "./event-filters.ts";
import { openChunk } from "./open-chunk.ts";
import { bodyOf, type ChunkRow } from "./store.ts";
import { type StreamAsk, streamsOf } from "./streams.ts";
import { Walk } from "./walk.ts";

/**
 * A place between events. Events with an earlier time, or with the same time and a lower id, lie
 * below it.
 */
export interface EventPosition {
  /** Unix milliseconds. */
  readonly at: number;
  readonly id: string;
}

export function isBelow(place: EventPosition, limit: EventPosition): boolean {
  return place.at < limit.at || (place.at === limit.at && place.id < limit.id);
}

export function placeOf({ occurredAt, id }: Pick<EventRecord, "occurredAt" | "id">): EventPosition {
  return { at: occurredAt, id };
}

export class EventWalk {
  readonly #ask: StreamAsk;
  readonly #before: EventPosition;
  readonly #walk: Walk;
  readonly #found = new Map<string, EventRecord>();

  /**
   * Walks down from `before` through `days`, newest first. `sessionOn` gives the session to read a
   * day with.
   */
  constructor(
    ask: Omit<StreamAsk, "last">,
    before: EventPosition,
    days: readonly Day[],
    sessionOn: (day: Day) => ShardSession,
  ) {
    this.#ask = { ...ask, last: before.id === "" ? before.at - 1 : before.at };
    this.#before = before;
    this.#walk = new Walk(
      {
        streams: days.flatMap((day) => streamsOf(day, this.#ask)),
        start: ask.start,
        daysAhead: 0,
        take: (row) => this.#take(row),
      },
      sessionOn,
    );
  }

  /** Number of chunks read. */
  get chunks(): number {
    return this.#walk.chunks;
  }

  /** The events found so far, in no particular order. */
  get found(): Iterable<EventRecord> {
    return this.#found.values();
  }

  /** A place above every event that is still to be found; null: the walk is complete. */
  get horizon(): EventPosition | null {
    const { latest } = this.#walk;
    return latest === null ? null : { at: latest + 1, id: "" };
  }

  /** Makes one round trip to each shard. `wanted`: how many more events are needed. */
  goOn(wanted: number): Promise<void> {
    return this.#walk.goOn(wanted);
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
      if (isBelow(placeOf(event), this.#before)) this.#found.set(event.id, event);
  }
}
