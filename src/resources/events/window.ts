// Decides which part of the history a request may see (contract.md §Pulled history): its window, clamped to the team's retention, and how far into it
// a page got. Pure.
import type { Day } from "../../db/day-tables.ts";
import { dayOf } from "../../db/partitions.ts";
import { type Bookmark, toBookmark } from "../../db/session.ts";
import { DAY_MS, EVENTS_DEFAULT_WINDOW_MS } from "../../limits.ts";
import { refuse } from "../../refusal.ts";
import { keyAt } from "./rows.ts";

/** Goes backwards: events below `key` in `day`, then those of earlier days, down to `start` (Unix milliseconds, inclusive). */
export interface Position {
  readonly start: number;
  readonly day: Day;
  readonly key: number;
  /** What the page before saw of the history: this one has to see that much. */
  readonly seen?: Bookmark;
}

export interface Window {
  /** Inclusive; the default is a day before `end`. */
  readonly start?: number | undefined;
  /** Exclusive; the default is now. */
  readonly end?: number | undefined;
}

/** The bookmark is left out where there is none, and in what was given out before there were any. */
const POSITION = /^(\d{1,14})\.(\d{8})\.(\d{1,16})(?:\.(\d{1,3})\.(.+))?$/;

/** Where a request starts: at its window's end, or where `after`, the text of an earlier position, left off in the window of that first page. */
export function positionOf(window: Window, after: string | null, retentionDays: number, now: number): Position {
  const oldest = now - retentionDays * DAY_MS;
  if (after !== null) {
    const position = parsePosition(after);
    return { ...position, start: Math.max(position.start, oldest) };
  }
  // A clock ahead of this one may have stamped an event, so a window may reach beyond now, but by no more than that needs.
  const clamp = (ms: number) => Math.min(Math.max(ms, oldest), now + DAY_MS);
  const end = window.end ?? now;
  const start = clamp(window.start ?? end - EVENTS_DEFAULT_WINDOW_MS);
  const last = Math.max(clamp(end), start);
  const day = dayOf(last);
  return { start, day, key: keyAt(day, last) };
}

export function formatPosition({ start, day, key, seen }: Position): string {
  return `${start}.${day}.${key}${seen ? `.${seen.shard}.${seen.text}` : ""}`;
}

function parsePosition(text: string): Position {
  const [, start, day, key, shard, bookmark = ""] = POSITION.exec(text) ?? [];
  if (start === undefined || day === undefined || key === undefined)
    throw refuse("invalid", { errors: { after: ["is not a cursor of this endpoint"] } });
  const seen = toBookmark(Number(shard), bookmark);
  return { start: Number(start), day, key: Number(key), ...(seen ? { seen } : {}) };
}
