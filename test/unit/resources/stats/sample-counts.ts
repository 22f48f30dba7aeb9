// Makes pages of events for the tests of statistics, and writes them with their counts.
import { dayOf } from "../../../../src/db/days.ts";
import type { Team } from "../../../../src/endpoint.ts";
import type { EventRecord } from "../../../../src/contracts/event-records.ts";
import { type NewPage, pageKey } from "../../../../src/resources/events/store.ts";
import { writePage } from "../../../../src/resources/events/write-page.ts";
import { countStatements } from "../../../../src/resources/stats/store.ts";
import { anEvent, byMessage } from "../events/sample-events.ts";

export interface SampleEvent extends Partial<Pick<EventRecord, "type" | "recipient" | "bounce">> {
  readonly at: number;
}

/** Makes a page of its events' day, appended with the last of them. */
export function aPage(
  team: Pick<Team, "id" | "number">,
  happenings: readonly SampleEvent[],
  given: Partial<NewPage> = {},
): NewPage {
  const at = Math.max(...happenings.map((happening) => happening.at));
  const events = happenings.map(({ at: occurredAt, ...own }) =>
    anEvent(team.id, { occurredAt, ...own }),
  );
  return {
    team,
    day: dayOf(at),
    at,
    lastSeq: events.length,
    messages: byMessage(events),
    isStray: true,
    ...given,
  };
}

export const keyOf = ({ team, day, at }: NewPage): number => pageKey(team, day, at);

/** Writes the counts with the page, as a ledger does. */
export async function writeCounted(db: D1Database, page: NewPage): Promise<void> {
  await writePage(db, page, await countStatements(db, page, keyOf(page)));
}
