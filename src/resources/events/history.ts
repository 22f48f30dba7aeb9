// Reads a team's history as one list, newest first: the events that its ledger has not put into
// chunks yet, then the chunks of its shards (docs/storage.md §Reading chunks). The ledger is asked
// first; asked second, it would miss an event whose chunk is written in between.
import { daysBack, dayOf } from "../../db/days.ts";
import { type Bookmarks } from "../../rpc/shard-types.ts";
import { laterBookmarks, ShardSessions } from "../../db/read-session.ts";
import { shardOn } from "../../db/shards.ts";
import type { Team } from "../../endpoint.ts";
import type { Env } from "../../env.ts";
import type { EventRecord } from "../../rpc/event-records.ts";
import { EventWalk, isBelow, placeOf, type EventPosition } from "./event-walk.ts";
import { RECENT_EVENTS } from "../../rpc/recent-events-calls.ts";
import type { WholeEventFilters, Position } from "../../rpc/history-query.ts";
import { reachLedger } from "../../reach-ledger.ts";

/** The team, and the shards that hold its history. */
export type HistoryTeam = Pick<Team, "id" | "number" | "shards">;

export interface EventPage {
  /** Newest first, each event once. */
  readonly events: readonly EventRecord[];
  /**
   * The next page's position. That page has events unless this one has fewer than asked for. Null:
   * no events are left.
   */
  readonly next: Position | null;
}

/** Maximum number of chunks that one request reads. Then it returns what it found. */
export const CHUNKS_PER_REQUEST = 200;
/**
 * Maximum number of bookmarks that a cursor has room for. A shard that is left out is read from its
 * primary.
 */
const BOOKMARKS_PER_POSITION = 8;

/**
 * Lists up to `limit` events of the team, from `position` back to its `start`. A result may have
 * fewer events, or none, and still a `next`, if many chunks without matching events had to be read.
 */
export async function listEvents(
  env: Env,
  team: HistoryTeam,
  filters: WholeEventFilters,
  position: Position,
  limit: number,
): Promise<EventPage> {
  const { start, at, id, seen } = position;
  const before = { at, id };
  if (isOver(start, before)) return { events: [], next: null };
  const recent = await reachLedger(env, team.id, (ledger) =>
    ledger.readTail({ start, before, filters, limit: Math.min(limit + 1, RECENT_EVENTS) }),
  );
  const sessions = new ShardSessions(env, laterBookmarks(seen, recent.bookmarks));
  const days = daysBack(dayOf(id === "" ? at - 1 : at), dayOf(start));
  const walk = new EventWalk({ team, filters, start }, before, days, (day) =>
    sessions.on(shardOn(team.shards, day)),
  );
  const lastRecent = recent.isMore ? recent.events.at(-1) : undefined;
  const merged = () => merge(walk, recent.events, lastRecent && placeOf(lastRecent));
  let { final, horizon } = merged();
  while (
    final.length <= limit &&
    walk.horizon &&
    (walk.chunks < CHUNKS_PER_REQUEST || !horizon || !isBelow(horizon, before))
  ) {
    await walk.goOn(limit + 1 - final.length);
    ({ final, horizon } = merged());
  }
  const events = final.slice(0, limit);
  const last = events.at(-1);
  const rest = final.length > limit && last ? placeOf(last) : horizon;
  if (!rest || isOver(start, rest)) return { events, next: null };
  return {
    events,
    next: { start, ...rest, seen: bookmarksFor(team, { start, ...rest }, sessions.bookmarks()) },
  };
}

/**
 * Merges the events that no unread event can come before, newest first, and returns the place down
 * to which that is true; null: everything was read.
 */
function merge(
  walk: EventWalk,
  recent: readonly EventRecord[],
  recentRead: EventPosition | undefined,
): { final: EventRecord[]; horizon: EventPosition | null } {
  const horizon = [walk.horizon, recentRead ?? null].reduce(
    (one, other) => (!one || (other && isBelow(one, other)) ? other : one),
    null,
  );
  const all = new Map([...recent, ...walk.found].map((event) => [event.id, event]));
  const final = [...all.values()].filter((event) => !horizon || !isBelow(placeOf(event), horizon));
  return {
    final: final.toSorted((left, right) => (isBelow(placeOf(left), placeOf(right)) ? 1 : -1)),
    horizon,
  };
}

/** Keeps the bookmarks of the shards that are read next. */
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

/** Returns whether no event from `start` on lies below the place. */
function isOver(start: number, { at, id }: EventPosition): boolean {
  return at < start || (at === start && id === "");
}
