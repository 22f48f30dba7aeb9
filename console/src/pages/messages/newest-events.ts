// Adds newly polled events in front of the loaded ones. Pure.
import { formatCount } from "../../parts/figures.ts";
import type { Event } from "../../../../packages/postern/src/generated/types.ts";
import type { ItemPage } from "../../../../packages/postern/src/request/item-pages.ts";

export type LogEvent = Event;

/** A page of events in the list. Newly polled events can make it longer than a page of the API. */
export type ListedPage = Pick<LoadedPage, "data" | "next_cursor">;

/** A page as the API returns it. */
export type LoadedPage = ItemPage<LogEvent>;

const SHORTEST_POLL_MS = 4_000;
const LONGEST_POLL_MS = 15_000;

/** Returns the events of the newest page that the list does not have yet. */
export function unseen(pages: readonly ListedPage[], newest: LoadedPage): LogEvent[] {
  const known = new Set(pages.flatMap(({ data }) => data.map(({ id }) => id)));
  return newest.data.filter(({ id }) => !known.has(id));
}

/**
 * Returns the pages with the newest page in front. If events are missing between the newest page
 * and the loaded pages, returns only the newest page.
 */
export function withNewest(pages: readonly ListedPage[], newest: LoadedPage): ListedPage[] {
  const fresh = unseen(pages, newest);
  const [first, ...rest] = pages;
  if (!first || hasGap(fresh, newest)) return [newest];
  const data = [...fresh, ...first.data].toSorted(
    (left, right) =>
      right.occurred_at.localeCompare(left.occurred_at) || right.id.localeCompare(left.id),
  );
  return [{ ...first, data }, ...rest];
}

/** Tells whether events may be missing between the new events and the loaded events. */
export function hasGap(fresh: readonly LogEvent[], newest: LoadedPage): boolean {
  return newest.has_more && fresh.length === newest.data.length;
}

/** The largest number of events that the console reads without a click, to count the matches. */
export const MOST_COUNTED = 1_000;

/**
 * Writes the number of matches: `46 events`, or `Newest 433 messages` if the list has more pages.
 */
export function totalText(count: number, noun: "event" | "message", hasMore: boolean): string {
  return `${hasMore ? "Newest " : ""}${formatCount(count)} ${noun}${count === 1 ? "" : "s"}`;
}

/** Returns the time until the next poll. This time grows while no new event comes. */
export function pollAfter(newest: LoadedPage | undefined, now: number): number {
  const at = newest?.data[0]?.occurred_at;
  const quiet = at === undefined ? 0 : now - Date.parse(at);
  return Math.min(LONGEST_POLL_MS, Math.max(SHORTEST_POLL_MS, quiet / 10));
}
