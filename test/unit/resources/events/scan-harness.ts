// Scans a team's history page by page as a client would, for the tests of the scan.
import { expect } from "vitest";
import { dayOf } from "../../../../src/db/days.ts";
import type { ShardSpan } from "../../../../src/rpc/shard-types.ts";
import type { Env } from "../../../../src/env.ts";
import { listEvents } from "../../../../src/resources/events/history.ts";
import { type EventRecord } from "../../../../src/rpc/event-records.ts";
import { type WholeEventFilters, type Position } from "../../../../src/rpc/history-query.ts";
import { formatPosition, positionOf } from "../../../../src/resources/events/event-window.ts";
import { DAY, NOON, type SampleTeam } from "./sample-events.ts";

export const MINUTE = 60_000;
export const HOUR = 60 * MINUTE;

/** The team's shards: shard 0 at first, and shard 1 too since the day before NOON. */
export const SPANS: readonly ShardSpan[] = [
  { from: "20200101", shards: [0] },
  { from: dayOf(NOON - DAY), shards: [0, 1] },
];

export interface Asked {
  readonly filters?: WholeEventFilters;
  readonly start?: number;
  readonly end?: number;
  readonly limit?: number;
}

/**
 * Reads all pages like a client that follows the cursors to the end. Between two pages, each cursor
 * is converted to text and back.
 */
export async function pagesOf(
  given: Env,
  team: SampleTeam,
  { filters = {}, start = 0, end = NOON + DAY, limit = 100 }: Asked,
): Promise<EventRecord[][]> {
  const pages: EventRecord[][] = [];
  let position: Position | null = positionOf({ start, end }, null, 30, NOON + DAY);
  while (position) {
    const asked: ReturnType<typeof listEvents> = listEvents(given, team, filters, position, limit);
    const page = await asked;
    expect(page.events.length).toBeLessThanOrEqual(limit);
    pages.push([...page.events]);
    position = page.next && positionOf({}, formatPosition(page.next), 30, NOON + DAY);
  }
  return pages;
}
