// Writes a team's past events for the tests of replays.
import { newEmailId } from "../../../../src/lib/ids.ts";
import type { EventRecord } from "../../../../src/rpc/event-records.ts";
import type { TestTeam } from "../../../support/api.ts";
import { numbered } from "../../../support/shard-bindings.ts";
import { anEvent, write } from "./sample-events.ts";

/**
 * Writes events and their messages. No webhook has received these events. Each event is a second
 * older than the event before it.
 */
export async function writePast(
  team: TestTeam,
  count: number,
  from: number,
  given: Partial<EventRecord> = {},
): Promise<EventRecord[]> {
  const events = Array.from({ length: count }, (_, index) => {
    const occurredAt = from - index * 1_000;
    const emailId = newEmailId(occurredAt);
    return anEvent(team.id, { occurredAt, emailId, headers: { x_order: `${index}` }, ...given });
  });
  await write(await numbered(team.id), events);
  return events;
}
