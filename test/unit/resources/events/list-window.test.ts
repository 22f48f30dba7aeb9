// Tests the window of listEvents() (src/resources/events/history.ts), and how its pages follow each
// other.
import { describe, expect, it } from "vitest";
import { dayOf } from "../../../../src/db/days.ts";
import { makePartitions } from "../../../../src/db/partitions.ts";
import { listEvents } from "../../../../src/resources/events/history.ts";
import { formatPosition, positionOf } from "../../../../src/resources/events/event-window.ts";
import { newestFirst, withRecentEvents } from "./logged-events.ts";
import { anEvent, DAY, env, newTeam, NOON, write } from "./sample-events.ts";
import { idsOf } from "./list-harness.ts";

describe("listEvents: window", () => {
  it("includes its start, excludes its end, and is the last day by default", async () => {
    const team = newTeam();
    const at = [NOON + 1, NOON, NOON - DAY, NOON - DAY - 1].map((occurredAt) =>
      anEvent(team.id, { occurredAt }),
    );
    await write(team, at);
    const [after, now, edge, before] = at.map(({ id }) => id);
    expect(await idsOf(team, { window: {}, now: NOON })).toEqual([edge]);
    expect(await idsOf(team, { window: {}, now: NOON + 1 })).toEqual([now]);
    const window = { start: NOON - DAY - 1, end: NOON + 2 };
    expect(await idsOf(team, { window, now: NOON })).toEqual([after, now, edge, before]);
    expect(await idsOf(team, { window: { start: NOON, end: NOON } })).toEqual([]);
    expect(await idsOf(team, { window: { end: NOON - DAY }, now: NOON })).toEqual([before]);
  });

  it("scans 30 mostly empty days in three round trips, newest first", async () => {
    const team = newTeam();
    const events = [29, 17, 3, 0].flatMap((day) =>
      [1, 2].map((hour) => anEvent(team.id, { occurredAt: NOON - day * DAY - hour * 3_600_000 })),
    );
    await write(team, events);
    const days = Array.from({ length: 30 }, (_, day) => dayOf(NOON - day * DAY));
    await makePartitions(env.SHARD_0, days);
    let trips = 0;
    const withSession = (begin: string) => {
      const session = env.SHARD_0.withSession(begin);
      const batch = (statements: D1PreparedStatement[]) => {
        trips += 1;
        return session.batch(statements);
      };
      const prepare = (sql: string) => session.prepare(sql);
      return { batch, prepare, getBookmark: () => session.getBookmark() };
    };
    const SHARD_0 = { withSession } as unknown as D1Database;
    const bound = withRecentEvents([], 1_000, {}, { ...env, SHARD_0 });
    expect(await idsOf(team, { bound })).toEqual(newestFirst(events).map(({ id }) => id));
    expect(trips).toBe(3);
  });

  it("skips days that have no tables", async () => {
    const team = newTeam();
    const event = anEvent(team.id, { occurredAt: Date.UTC(2021, 5, 10) });
    await write(team, [event]);
    expect(await idsOf(team, { now: Date.UTC(2021, 5, 20) })).toEqual([event.id]);
    expect(await idsOf(team, { now: Date.UTC(2019, 5, 20) })).toEqual([]);
  });

  it("continues if another isolate dropped a day meanwhile", async () => {
    const team = newTeam();
    const days = [Date.UTC(2020, 0, 2), Date.UTC(2020, 0, 1)].map((occurredAt) =>
      anEvent(team.id, { occurredAt }),
    );
    await write(team, days);
    const ask = { now: Date.UTC(2020, 0, 3) };
    expect(await idsOf(team, ask)).toHaveLength(2);
    const drops = [
      "DROP TABLE pages_20200101",
      "DROP TABLE page_index_20200101",
      "DELETE FROM partitions WHERE day = '20200101'",
    ];
    await env.SHARD_0.batch(drops.map((sql) => env.SHARD_0.prepare(sql)));
    expect(await idsOf(team, ask)).toEqual([days[0]?.id]);
  });
});

describe("listEvents: pages", () => {
  it("end with the first page's window, even if the clock runs on", async () => {
    const team = newTeam();
    const events = [1, 2, 3].map((hour) =>
      anEvent(team.id, { occurredAt: NOON - hour * 3_600_000 }),
    );
    const older = anEvent(team.id, { occurredAt: NOON - DAY - 1 });
    await write(team, [...events, older]);
    const begun = positionOf({}, null, 30, NOON);
    const first = await listEvents(withRecentEvents([]), team, {}, begun, 1);
    const later = positionOf({ start: 0 }, formatPosition(first.next!), 30, NOON + DAY);
    const rest = await listEvents(withRecentEvents([]), team, {}, later, 100);
    expect([first.events[0]?.id, ...rest.events.map(({ id }) => id)]).toEqual(
      events.map(({ id }) => id),
    );
  });
});
