// What src/db/partitions.ts and src/resources/events guarantee of days that an earlier version of the service made: whoever meets one brings it to the
// current columns, and nothing that it holds is lost.
import { describe, expect, it } from "vitest";
import type { HistoryScope } from "../../../../src/db/client.ts";
import { SHARD_VERSION } from "../../../../src/db/day-tables.ts";
import { dayOf, makePartitions, upgradePartitions } from "../../../../src/db/partitions.ts";
import { prepareDays } from "../../../../src/resources/events/retention.ts";
import type { EventRecord } from "../../../../src/resources/events/records.ts";
import { insertHistory, listEvents, listWholeEvents } from "../../../../src/resources/events/store.ts";
import { positionOf } from "../../../../src/resources/events/window.ts";
import { anEvent, DAY, env, newTeam } from "./sample.ts";

const { SHARD_0: db } = env;
/** Those that version 2 brought: what the mail servers said. */
const COLUMNS_OF_2 = ["mx_host", "tls", "response", "detail"];
const EXCHANGE = { stage: "end", response: "250 2.0.0 queued", mxHost: "mx.example.net", tls: "TLSv1.3", rule: null } as const;

let days = 0;

/** A day of version 1 that holds `events`, and no other test's. */
async function dayOfVersion1(eventsOf: (noon: number) => EventRecord[] = () => []): Promise<{ noon: number; day: string }> {
  days += 1;
  const noon = Date.UTC(2024, 0, 1, 12) + 40 * days * DAY;
  const day = dayOf(noon);
  await makePartitions(db, [{ kind: "events", day }]);
  await insertHistory(db, [], eventsOf(noon));
  await db.batch([
    ...COLUMNS_OF_2.map((column) => db.prepare(`ALTER TABLE events_${day} DROP COLUMN ${column}`)),
    db.prepare("UPDATE partitions SET version = 1 WHERE kind = 'events' AND day = ?1").bind(day),
  ]);
  return { noon, day };
}

async function versionOf(day: string): Promise<number | undefined> {
  const query = db.prepare("SELECT version FROM partitions WHERE kind = 'events' AND day = ?1").bind(day);
  return (await query.first<{ version: number }>())?.version;
}

async function hasCurrentColumns(day: string): Promise<boolean> {
  const { results } = await db.prepare(`SELECT name FROM pragma_table_info('events_${day}')`).all<{ name: string }>();
  return COLUMNS_OF_2.every((column) => results.some(({ name }) => name === column));
}

async function wholeEvents(scope: HistoryScope, noon: number) {
  const { events } = await listWholeEvents(scope, {}, positionOf({ start: noon, end: noon + DAY }, null, 30, noon + DAY), 10);
  return events;
}

describe("a day of an earlier version", () => {
  it("takes what a writer has for it, the new columns included", async () => {
    const scope = newTeam();
    const { noon, day } = await dayOfVersion1();
    const event = anEvent(scope.teamId, { occurredAt: noon, attempt: 1, smtpCode: 250, exchange: EXCHANGE });
    await insertHistory(db, [], [event]);
    expect(await versionOf(day)).toBe(SHARD_VERSION);
    expect(await wholeEvents(scope, noon)).toMatchObject([{ id: event.id, exchange: { mxHost: "mx.example.net", tls: "TLSv1.3" } }]);
  });

  it("shows a reader what it held before, with nothing in the new columns", async () => {
    const scope = newTeam();
    const events: EventRecord[] = [];
    const { noon, day } = await dayOfVersion1((at) => {
      events.push(anEvent(scope.teamId, { occurredAt: at, tags: ["old"], attempt: 1, smtpCode: 250 }));
      return events;
    });
    expect(await wholeEvents(scope, noon)).toMatchObject([{ id: events[0]?.id, tags: ["old"], exchange: null }]);
    expect(await versionOf(day)).toBe(SHARD_VERSION);
  });

  it("is listed as it is where no new column is asked for", async () => {
    const scope = newTeam();
    const { noon } = await dayOfVersion1((at) => [anEvent(scope.teamId, { occurredAt: at })]);
    const { events } = await listEvents(scope, {}, positionOf({ start: noon, end: noon + DAY }, null, 30, noon + DAY), 10);
    expect(events).toHaveLength(1);
  });

  it("is brought up with all the others by the sweep", async () => {
    const old = [await dayOfVersion1(), await dayOfVersion1()];
    await prepareDays(db, Date.UTC(2030, 0));
    for (const { day } of old) expect([await versionOf(day), await hasCurrentColumns(day)]).toEqual([SHARD_VERSION, true]);
  });

  it("can be brought up by several at once", async () => {
    const { day } = await dayOfVersion1();
    await Promise.all([upgradePartitions(db), upgradePartitions(db), upgradePartitions(db)]);
    expect([await versionOf(day), await hasCurrentColumns(day)]).toEqual([SHARD_VERSION, true]);
  });

  it("is no excuse for a column that nobody has", async () => {
    const { day } = await dayOfVersion1();
    await db.prepare(`ALTER TABLE events_${day} RENAME COLUMN subject TO title`).run();
    const noon = Date.UTC(2024, 0, 1, 12) + 40 * days * DAY;
    await expect(insertHistory(db, [], [anEvent(newTeam().teamId, { occurredAt: noon })])).rejects.toThrow("no column named subject");
  });
});

describe("a new day", () => {
  it("is made in the current version", async () => {
    const day = dayOf(Date.UTC(2023, 5, 1));
    await makePartitions(db, [{ kind: "events", day }]);
    expect([await versionOf(day), await hasCurrentColumns(day)]).toEqual([SHARD_VERSION, true]);
  });
});
