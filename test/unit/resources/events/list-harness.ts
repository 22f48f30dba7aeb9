// Reads all pages of a listEvents() request, for the tests of the list.
import type { Env } from "../../../../src/env.ts";
import { listEvents } from "../../../../src/resources/events/history.ts";
import { type EventFilters } from "../../../../src/rpc/history-query.ts";
import { formatPosition, positionOf } from "../../../../src/resources/events/event-window.ts";
import { withRecentEvents } from "./logged-events.ts";
import { NOON, type SampleTeam } from "./sample-events.ts";

export interface Ask {
  readonly filters?: EventFilters;
  readonly window?: Parameters<typeof positionOf>[0];
  readonly limit?: number;
  readonly now?: number;
  readonly bound?: Env;
}

/**
 * Reads all pages of an events list, and returns the ids on each. `between` runs before every page
 * but the first.
 */
export async function pages(
  team: SampleTeam,
  {
    filters = {},
    window = { start: 0 },
    limit = 100,
    now = NOON + 1,
    bound = withRecentEvents([]),
  }: Ask,
  between?: () => Promise<void>,
): Promise<string[][]> {
  const all: string[][] = [];
  for (let after: string | null = null, first = true; first || after !== null; first = false) {
    if (!first) await between?.();
    const position = positionOf(window, after, team.eventRetentionDays, now);
    const page = await listEvents(bound, team, filters, position, limit);
    all.push(page.events.map(({ id }) => id));
    after = page.next && formatPosition(page.next);
  }
  return all;
}

export async function idsOf(team: SampleTeam, ask: Ask = {}): Promise<string[]> {
  return (await pages(team, ask)).flat();
}
