// Makes chunks of events for the tests of statistics, and writes the chunks with their counts.
import { dayOf } from "../../../../src/db/days.ts";
import type { Team } from "../../../../src/endpoint.ts";
import type { EventRecord } from "../../../../src/rpc/event-records.ts";
import { type NewChunk, chunkKey } from "../../../../src/resources/events/store.ts";
import { writeChunks } from "../../../../src/resources/events/write-chunk.ts";
import { countStatements } from "../../../../src/resources/stats/store.ts";
import { type CountedEvent, HourCounts } from "../../../../src/resources/stats/hour-counts.ts";
import { anEvent, byMessage, NOON } from "../events/sample-events.ts";

export interface SampleEvent extends Partial<
  Pick<
    EventRecord,
    "type" | "recipient" | "bounce" | "exchange" | "attempt" | "emailId" | "smtpCode"
  >
> {
  readonly at: number;
}

/** The domain of the simulator's addresses in the tests' deployment. */
export const SIMULATED = "simulator.postern.test";

/**
 * Makes a chunk for the day of its events. The chunk was appended at the time of the last event.
 */
export function aPage(
  team: Pick<Team, "id" | "number">,
  happenings: readonly SampleEvent[],
  given: Partial<NewChunk> = {},
): NewChunk {
  const at = Math.max(...happenings.map((happening) => happening.at));
  const events = happenings.map(({ at: occurredAt, ...own }) =>
    anEvent(team.id, { occurredAt, ...own }),
  );
  const page = { team, day: dayOf(at), at, lastSeq: events.length, isStray: true };
  return { ...page, messages: byMessage(events), ...given };
}

/** Makes an event for the statistics. Its attempt began at noon, and it occurred at noon. */
export function aCounted(given: Partial<CountedEvent>): CountedEvent {
  const facts = {
    exchange: null,
    occurredAt: NOON,
    startedAt: NOON,
    provider: null,
    sender: "s.example",
  };
  return { type: "email.delivered", recipient: "a@x.example", bounce: null, ...facts, ...given };
}

/** Counts the events of chunks. Writes the hour as text and reads it back after each chunk. */
export function writtenHour(pages: readonly (readonly CountedEvent[])[]): HourCounts {
  let hour = new HourCounts();
  for (const page of pages) {
    for (const event of page) hour.count(event);
    hour = HourCounts.parse(hour.toText());
  }
  return hour;
}

export const keyOf = ({ team, day, at }: NewChunk): number => chunkKey(team, day, at);

/** Writes the counts with the chunk, as a ledger does. */
export async function writeCounted(db: D1Database, page: NewChunk): Promise<void> {
  await writeChunks(db, [page], await countStatements(db, [page], keyOf(page), SIMULATED));
}
