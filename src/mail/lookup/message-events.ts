// Reads the events of one message, or of several messages at once, because a chunk of the history
// has events of many messages (docs/storage.md §Listing messages).
import type { EventRecord } from "../../rpc/event-records.ts";
import type { Team } from "../../endpoint.ts";
import type { Env } from "../../env.ts";
import { timeOfEmailId } from "../../lib/ids.ts";
import { DAY_MS } from "../../limits.ts";
import { positionOf } from "../../resources/events/event-window.ts";
import { listEvents } from "../../resources/events/history.ts";

const EVENTS_PER_PAGE = 1_000;
/**
 * Maximum number of events that are read. 50 recipients that are tried for 72 hours make about
 * 1,300 events. The number of opens and clicks is not limited.
 */
const EVENTS_READ = 5_000;
/**
 * Maximum difference between the clocks of two machines. An event and the acceptance of its message
 * may be timed by different machines, so the event may seem to be earlier.
 */
const CLOCK_SLACK_MS = 60_000;

export interface MessageEventsRead {
  /** The events of each message, newest first. */
  readonly events: ReadonlyMap<string, readonly EventRecord[]>;
  /** The time in Unix milliseconds from which on all events were read. */
  readonly since: number;
}

export async function readMessageEvents(
  env: Env,
  team: Team,
  emailIds: readonly string[],
  now: number,
): Promise<MessageEventsRead> {
  if (emailIds.length === 0) return { events: new Map(), since: 0 };
  const oldest = Math.min(...emailIds.map(timeOfEmailId));
  const { events, next } = await readEvents(env, team, { email_ids: emailIds }, oldest, now);
  return { events: Map.groupBy(events, ({ emailId }) => emailId), since: next?.at ?? 0 };
}

/**
 * Reads the events of messages that were accepted at `start` (Unix milliseconds) or later, newest
 * first. `next` is the position of the older events that were not read, or null.
 */
export async function readEvents(
  env: Env,
  team: Team,
  filters: Parameters<typeof listEvents>[2],
  start: number,
  now: number,
): ReturnType<typeof listEvents> {
  const window = { start: start - CLOCK_SLACK_MS, end: now + DAY_MS };
  const events: EventRecord[] = [];
  let position = positionOf(window, null, team.eventRetentionDays, now);
  for (;;) {
    const page = await listEvents(env, team, filters, position, EVENTS_PER_PAGE);
    events.push(...page.events);
    if (!page.next || events.length >= EVENTS_READ) return { events, next: page.next };
    position = page.next;
  }
}
