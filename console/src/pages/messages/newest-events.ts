// Puts newly seen events before those that are loaded. Pure.
import { formatCount } from "../../parts/figures.ts";
import type { Event } from "../../../../packages/postern/src/generated/types.ts";
import type { ItemPage } from "../../../../packages/postern/src/request/item-pages.ts";

export type LogEvent = Event;

/** A page as it is listed. */
export interface ListedPage {
  readonly data: readonly LogEvent[];
  readonly next_cursor: string | null;
}

/** A page as the API tells it. */
export type LoadedPage = ItemPage<LogEvent>;

const SHORTEST_POLL_MS = 4_000;
const LONGEST_POLL_MS = 15_000;

/** Returns the events of the newest page that are not loaded. */
export function unseen(pages: readonly ListedPage[], newest: LoadedPage): LogEvent[] {
  const known = new Set(pages.flatMap(({ data }) => data.map(({ id }) => id)));
  return newest.data.filter(({ id }) => !known.has(id));
}

/**
 * Returns the pages with the newest one before them. Where more events came than a page has, the
 * list begins anew, because the ones between are not loaded.
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

/** True if there may be events between the fresh ones and those that are loaded. */
export function hasGap(fresh: readonly LogEvent[], newest: LoadedPage): boolean {
  return newest.has_more && fresh.length === newest.data.length;
}

/** The log is read that far by itself, so that its top tells how much the filters match. */
export const MOST_COUNTED = 1_000;

/** Says how much the filters match: `46 events`, or `1,000+ events` if more was not counted. */
export function totalText(count: number, noun: "event" | "message", hasMore: boolean): string {
  return `${formatCount(count)}${hasMore ? "+" : ""} ${noun}${count === 1 && !hasMore ? "" : "s"}`;
}

/** Returns the time until the next look: more rarely, the longer nothing happened. */
export function pollAfter(newest: LoadedPage | undefined, now: number): number {
  const at = newest?.data[0]?.occurred_at;
  const quiet = at === undefined ? 0 : now - Date.parse(at);
  return Math.min(LONGEST_POLL_MS, Math.max(SHORTEST_POLL_MS, quiet / 10));
}
