// Reads the events of several messages at once, because a chunk of the history has events of many
// messages (docs/storage.md §Listing messages).
import type { EventRecord } from "../../../rpc/event-records.ts";
import type { Team } from "../../../endpoint.ts";
import type { Env } from "../../../env.ts";
import { timeOfUuidv7 } from "../../../lib/ids.ts";
import { DAY_MS } from "../../../limits.ts";
import { positionOf } from "../../../resources/events/event-window.ts";
import { listEvents } from "../../../resources/events/history.ts";

const EVENTS_PER_READ = 1_000;
/**
 * Maximum number of events that one list reads. A message may have any number of opens and clicks.
 */
const EVENTS_PER_LIST = 5_000;
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
  const oldest = Math.min(...emailIds.map((id) => timeOfUuidv7(id.slice("email_".length))));
  const window = { start: oldest - CLOCK_SLACK_MS, end: now + DAY_MS };
  const events: EventRecord[] = [];
  let position = positionOf(window, null, team.eventRetentionDays, now);
  for (;;) {
    const page = await listEvents(env, team, { email_ids: emailIds }, position, EVENTS_PER_READ);
    events.push(...page.events);
    if (!page.next || events.length >= EVENTS_PER_LIST) {
      const byMessage = Map.groupBy(events, ({ emailId }) => emailId);
      return { events: byMessage, since: page.next?.at ?? 0 };
    }
    position = page.next;
  }
}
