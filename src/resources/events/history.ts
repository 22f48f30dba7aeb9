// Reads a team's history as one list, newest first: the ledger's recent events, and the chunks of
// the team's shards (docs/storage.md §Reading chunks). Queries the ledger before the shards. If it
// queried the shards first, it would miss an event whose chunk is written between the two queries.
import { daysBack, dayOf } from "../../db/days.ts";
import { type Bookmarks } from "../../rpc/shard-types.ts";
import { laterBookmarks, ShardSessions } from "../../db/shard-session.ts";
import { shardOn } from "../../db/shards.ts";
import type { Team } from "../../endpoint.ts";
import type { Env } from "../../env.ts";
import type { EventRecord } from "../../rpc/event-records.ts";
import { EventScan, isBelow, eventPositionOf, type EventPosition } from "./event-scan.ts";
import { RECENT_EVENTS } from "../../rpc/recent-events-calls.ts";
import type { WholeEventFilters, Position } from "../../rpc/history-query.ts";
import { type LedgerTeam, reachLedger } from "../team-settings/reach-ledger.ts";

/** The team, and the shards with its history. */
export type HistoryTeam = Pick<Team, "id" | "number" | "shards">;

export interface EventPage {
  /** The events of the page, newest first, without duplicates. */
  readonly events: readonly EventRecord[];
  /**
   * The next page's position. Null: this is the last page. The next page may be empty if this page
   * has fewer events than the limit.
   */
  readonly next: Position | null;
}

/** Maximum number of chunks that one request reads before it returns. */
export const CHUNKS_PER_REQUEST = 200;
/** Maximum number of bookmarks in a cursor. A shard without a bookmark is read from its primary. */
const BOOKMARKS_PER_POSITION = 8;

/**
 * Lists up to `limit` events of the team, from `position` back to its `start`. After many chunks
 * without a matching event, it stops early: the result then has fewer events or none, and `next` is
 * set.
 */
export async function listEvents(
  env: Env,
  team: HistoryTeam & LedgerTeam,
  filters: WholeEventFilters,
  position: Position,
  limit: number,
): Promise<EventPage> {
  const { start, at, id, seen } = position;
  const before = { at, id };
  if (isOver(start, before)) return { events: [], next: null };
  const recent = await reachLedger(env, team, (ledger) =>
    ledger.readTail({ start, before, filters, limit: Math.min(limit + 1, RECENT_EVENTS) }),
  );
  const sessions = new ShardSessions(env, laterBookmarks(seen, recent.bookmarks));
  const days = daysBack(dayOf(id === "" ? at - 1 : at), dayOf(start));
  const scan = new EventScan({ team, filters, start }, before, days, (day) =>
    sessions.on(shardOn(team.shards, day)),
  );
  const lastRecent = recent.isMore ? recent.events.at(-1) : undefined;
  const merged = () => merge(scan, recent.events, lastRecent && eventPositionOf(lastRecent));
  let { final, horizon } = merged();
  while (
    final.length <= limit &&
    scan.horizon &&
    (scan.chunks < CHUNKS_PER_REQUEST || !horizon || !isBelow(horizon, before))
  ) {
    await scan.goOn(limit + 1 - final.length);
    ({ final, horizon } = merged());
  }
  const events = final.slice(0, limit);
  const last = events.at(-1);
  const rest = final.length > limit && last ? eventPositionOf(last) : horizon;
  if (!rest || isOver(start, rest)) return { events, next: null };
  return {
    events,
    next: { start, ...rest, seen: bookmarksFor(team, { start, ...rest }, sessions.bookmarks()) },
  };
}

/**
 * Merges the events from the ledger and from the chunks, newest first. Leaves out events below
 * `horizon`, because unread events may belong before them in the list. `horizon` null: all chunks
 * were read.
 */
function merge(
  scan: EventScan,
  recent: readonly EventRecord[],
  recentRead: EventPosition | undefined,
): { final: EventRecord[]; horizon: EventPosition | null } {
  const horizon = [scan.horizon, recentRead ?? null].reduce(
    (one, other) => (!one || (other && isBelow(one, other)) ? other : one),
    null,
  );
  const all = new Map([...recent, ...scan.found].map((event) => [event.id, event]));
  const final = [...all.values()].filter(
    (event) => !horizon || !isBelow(eventPositionOf(event), horizon),
  );
  return {
    final: final.toSorted((left, right) =>
      isBelow(eventPositionOf(left), eventPositionOf(right)) ? 1 : -1,
    ),
    horizon,
  };
}

/** Returns the bookmarks of the shards that the next page reads. */
export function bookmarksFor(
  { shards }: HistoryTeam,
  { start, at }: Pick<Position, "start" | "at">,
  seen: Bookmarks,
): Bookmarks {
  const next = new Set(daysBack(dayOf(at), dayOf(start)).map((day) => shardOn(shards, day)));
  const known = [...next].filter((shard) => seen[shard] !== undefined);
  return Object.fromEntries(
    known.slice(0, BOOKMARKS_PER_POSITION).map((shard) => [shard, seen[shard]!]),
  );
}

/** Returns whether the list ends here, because all later entries are older than `start`. */
function isOver(start: number, { at, id }: EventPosition): boolean {
  return at < start || (at === start && id === "");
}
