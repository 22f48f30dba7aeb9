// Tests the window of listEvents() (src/resources/events/history.ts), and how its pages follow each
// other.
import { describe, expect, it } from "vitest";
import { dayOf } from "../../../../src/db/days.ts";
import { makePartitions } from "../../../../src/db/partitions.ts";
import { newestFirst, withRecentEvents } from "./logged-events.ts";
import { anEvent, DAY, env, newTeam, NOON, write } from "./sample-events.ts";
import { idsOf } from "./scan-harness.ts";

describe("the window of the list of events", () => {
  it("includes its start, excludes its end, and is the last day by default", async () => {
    const team = newTeam();
    const at = [NOON + 1, NOON, NOON - DAY, NOON - DAY - 1].map((occurredAt) =>
      anEvent(team.id, { occurredAt }),
    );
    await write(team, at);
    const [after, now, edge, before] = at.map(({ id }) => id);
    expect(await idsOf(team, { start: undefined, now: NOON })).toEqual([edge]);
    expect(await idsOf(team, { start: undefined, now: NOON + 1 })).toEqual([now]);
    const whole = { start: NOON - DAY - 1, end: NOON + 2, now: NOON };
    expect(await idsOf(team, whole)).toEqual([after, now, edge, before]);
    expect(await idsOf(team, { start: NOON, end: NOON })).toEqual([]);
    expect(await idsOf(team, { start: undefined, end: NOON - DAY, now: NOON })).toEqual([before]);
  });

  it("is read in three round trips for 30 mostly empty days, newest events first", async () => {
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
    expect(await idsOf(team, {}, bound)).toEqual(newestFirst(events).map(({ id }) => id));
    expect(trips).toBe(3);
  });

  it("may have days without tables, which are skipped", async () => {
    const team = newTeam();
    const event = anEvent(team.id, { occurredAt: Date.UTC(2021, 5, 10) });
    await write(team, [event]);
    expect(await idsOf(team, { now: Date.UTC(2021, 5, 20) })).toEqual([event.id]);
    expect(await idsOf(team, { now: Date.UTC(2019, 5, 20) })).toEqual([]);
  });

  it("is read to its end even if another isolate drops a day meanwhile", async () => {
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
