// Decides which part of the history a request reads (contract.md §Pulled history): its window
// within the team's retention, and the position after the previous pages. Pure.
import type { Position } from "../../rpc/history-query.ts";
import { isBookmark } from "../../db/shard-session.ts";
import { DAY_MS, EVENTS_DEFAULT_WINDOW_MS } from "../../limits.ts";
import { refuseMember } from "../../refusal.ts";

interface EventWindow {
  /** The window's inclusive start. By default it is a day before `end`. */
  readonly start?: number | undefined;
  /** The window's exclusive end. By default it is now. */
  readonly end?: number | undefined;
}

const POSITION = /^(\d{1,14})\.(\d{1,14})\.((?:evt_[0-9a-f]{32})?)((?:\.\d{1,3}:[^.:]+)*)$/;

/** Returns a request's first position: the position in `after`, or else the window's end. */
export function positionOf(
  window: EventWindow,
  after: string | null,
  retentionDays: number,
  now: number,
): Position {
  const oldest = now - retentionDays * DAY_MS;
  if (after !== null) {
    const position = parsePosition(after);
    return { ...position, start: Math.max(position.start, oldest) };
  }
  // A window may end slightly after the current time, because an event may have the time of a clock
  // that is ahead.
  const clamp = (ms: number) => Math.min(Math.max(ms, oldest), now + DAY_MS);
  const end = window.end ?? now;
  const start = clamp(window.start ?? end - EVENTS_DEFAULT_WINDOW_MS);
  return { start, at: Math.max(clamp(end), start), id: "", seen: {} };
}

export function formatPosition({ start, at, id, seen }: Position): string {
  return [
    start,
    at,
    id,
    ...Object.entries(seen).map(([shard, bookmark]) => `${shard}:${bookmark}`),
  ].join(".");
}

function parsePosition(text: string): Position {
  const [, start, at, id = "", bookmarks = ""] = POSITION.exec(text) ?? [];
  if (start === undefined || at === undefined)
    throw refuseMember("after", "is not a cursor of this endpoint");
  const seen = bookmarks.split(".").flatMap((part): [number, string][] => {
    const [shard = "", bookmark = ""] = part.split(":");
    return isBookmark(bookmark) ? [[Number(shard), bookmark]] : [];
  });
  return { start: Number(start), at: Number(at), id, seen: Object.fromEntries(seen) };
}
