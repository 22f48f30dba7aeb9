// Writes a piece of a team's history on one shard onto another (docs/scaling.md §Moving a team): first its messages, then its events, each from the
// newest day to the oldest. Repeating any of it changes nothing: messages go by their ids, events by theirs, which are derived.
import type { Day } from "../../db/day-tables.ts";
import { dayOf } from "../../db/partitions.ts";
import { DAY_MS, LONGEST_RETENTION_DAYS } from "../../limits.ts";
import type { EventRecord } from "../events/records.ts";
import { insertHistory, listWholeEvents } from "../events/store.ts";
import { formatPosition, type Position, positionOf } from "../events/window.ts";
import { insertMessages, listMessages, messageDays } from "./store.ts";

/** A message may be some 300 KB of facts, a row of an event 10 KB. */
const MESSAGES_PER_PAGE = 50;
const EVENTS_PER_PAGE = 200;
/** A page is some ten calls of databases; an invocation has 1,000. */
const PAGES = 40;
/** Days of events are dropped a day or two after the longest retention. */
const EVENT_DAYS = LONGEST_RETENTION_DAYS + 2;

/** How far a pass has come: what is left begins behind a message of a day, or with the events at a position. */
export type Place =
  | { readonly kind: "messages"; readonly day: Day; readonly email: string }
  | { readonly kind: "events"; readonly position: Position };

export interface Copied {
  readonly messages: number;
  readonly events: number;
  /** Null: the pass is through. */
  readonly next: Place | null;
}

interface Shards {
  readonly teamId: string;
  readonly source: D1Database;
  readonly target: D1Database;
}

/** Where a pass begins that was started at `now` (Unix milliseconds). */
export function firstPlace(now: number): Place {
  return { kind: "messages", day: dayOf(now + DAY_MS), email: "" };
}

/** Goes on from `place` for a while. `since`: what happened on days before is left out. */
export async function copySome(shards: Shards, place: Place, since: number, now: number): Promise<Copied> {
  let at: Place | null = place;
  const copied = { messages: 0, events: 0 };
  for (let page = 0; page < PAGES && at !== null; page += 1) {
    const { count, next }: { count: number; next: Place | null } =
      at.kind === "messages" ? await copyMessages(shards, at, since, now) : await copyEvents(shards, at.position);
    copied[at.kind] += count;
    at = next;
  }
  return { ...copied, next: at };
}

async function copyMessages(
  { teamId, source, target }: Shards,
  { day, email }: Extract<Place, { kind: "messages" }>,
  since: number,
  now: number,
): Promise<{ count: number; next: Place }> {
  const [newest, older] = (await messageDays(source, day)).filter((one) => one >= dayOf(since));
  if (newest === undefined) return { count: 0, next: { kind: "events", position: newestPosition(since, now) } };
  const behind = newest === day ? email : "";
  const rows = await listMessages(source, teamId, newest, behind, MESSAGES_PER_PAGE);
  await insertMessages(target, teamId, newest, rows);
  const last = rows.length === MESSAGES_PER_PAGE ? rows.at(-1) : undefined;
  if (last) return { count: rows.length, next: { kind: "messages", day: newest, email: last.email } };
  return {
    count: rows.length,
    next: older === undefined ? { kind: "events", position: newestPosition(since, now) } : { kind: "messages", day: older, email: "" },
  };
}

async function copyEvents({ teamId, source, target }: Shards, position: Position): Promise<{ count: number; next: Place | null }> {
  const scope = { db: source, teamId, retentionDays: EVENT_DAYS };
  const { events, next } = await listWholeEvents(scope, {}, position, EVENTS_PER_PAGE);
  // An event's row has no headers; its message has them.
  const whole = events.map((event): EventRecord => ({ ...event, headers: {} }));
  await insertHistory(target, [], whole);
  return { count: events.length, next: next && { kind: "events", position: next } };
}

function newestPosition(since: number, now: number): Position {
  const start = Math.max(since, now - EVENT_DAYS * DAY_MS);
  return positionOf({ start, end: now + DAY_MS }, null, EVENT_DAYS, now);
}

export function formatPlace(place: Place): string {
  return place.kind === "messages" ? `m.${place.day}.${place.email}` : `e.${formatPosition(place.position)}`;
}

/** Undefined: not a text of formatPlace(). */
export function parsePlace(text: string): Place | undefined {
  const [, day, email] = /^m\.(\d{8})\.([0-9a-f]{0,32})$/.exec(text) ?? [];
  if (day !== undefined && email !== undefined) return { kind: "messages", day, email };
  const [, start, eventDay, key] = /^e\.(\d{1,14})\.(\d{8})\.(\d{1,16})$/.exec(text) ?? [];
  if (start === undefined || eventDay === undefined || key === undefined) return undefined;
  return { kind: "events", position: { start: Number(start), day: eventDay, key: Number(key) } };
}
