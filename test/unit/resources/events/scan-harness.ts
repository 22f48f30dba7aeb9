// Scans a team's history page by page as a client would, for the tests of the scan.
import { expect } from "vitest";
import { dayOf } from "../../../../src/db/days.ts";
import type { ShardSpan } from "../../../../src/rpc/shard-types.ts";
import type { Env } from "../../../../src/env.ts";
import { listEvents } from "../../../../src/resources/events/history.ts";
import { type EventRecord } from "../../../../src/rpc/event-records.ts";
import { type EventFilters, type Position } from "../../../../src/rpc/history-query.ts";
import { formatPosition, positionOf } from "../../../../src/resources/events/event-window.ts";
import { withRecentEvents } from "./logged-events.ts";
import { DAY, NOON, type SampleTeam } from "./sample-events.ts";

export const MINUTE = 60_000;
export const HOUR = 60 * MINUTE;

/** The team's shards: at first only shard 0, and since the day before NOON shards 0 and 1. */
export const SPANS: readonly ShardSpan[] = [
  { from: "20200101", shards: [0] },
  { from: dayOf(NOON - DAY), shards: [0, 1] },
];

export interface Asked {
  readonly filters?: EventFilters;
  readonly start?: number | undefined;
  readonly end?: number;
  readonly limit?: number;
  readonly now?: number;
}

/**
 * Reads all pages like a client that follows the cursors to the end. Each cursor is converted to
 * text and back between two pages.
 */
export async function pagesOf(
  given: Env,
  team: SampleTeam,
  asked: Asked,
): Promise<EventRecord[][]> {
  const { filters = {}, limit = 100, now = NOON + DAY, ...window } = { start: 0, ...asked };
  const pages: EventRecord[][] = [];
  let position: Position | null = positionOf(window, null, team.eventRetentionDays, now);
  while (position) {
    const read: ReturnType<typeof listEvents> = listEvents(given, team, filters, position, limit);
    const page = await read;
    expect(page.events.length).toBeLessThanOrEqual(limit);
    pages.push([...page.events]);
    const next: string | null = page.next && formatPosition(page.next);
    position = next === null ? null : positionOf({}, next, team.eventRetentionDays, now);
  }
  return pages;
}

/** Returns the ids of the events in the team's chunks. */
export async function idsOf(
  team: SampleTeam,
  asked: Asked = {},
  given = withRecentEvents([]),
): Promise<string[]> {
  const pages = await pagesOf(given, team, { now: NOON + 1, ...asked });
  return pages.flat().map(({ id }) => id);
}
