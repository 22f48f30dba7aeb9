// What src/resources/events/retention.ts guarantees.
import { beforeEach, describe, expect, it } from "vitest";
import { dayOf } from "../../../../src/db/partitions.ts";
import { dropExpiredDays, prepareDays } from "../../../../src/resources/events/retention.ts";
import { findMessage, insertHistory, listEvents } from "../../../../src/resources/events/store.ts";
import { positionOf } from "../../../../src/resources/events/window.ts";
import { newEmailId } from "../../../../src/lib/ids.ts";
import { aMessage, anEvent, DAY, env, newTeam } from "./sample.ts";

const NOW = Date.UTC(2026, 4, 15, 9, 30);

async function partitions(): Promise<string[]> {
  const { results } = await env.SHARD_0.prepare("SELECT kind || ' ' || day AS name FROM partitions ORDER BY 1").all<{ name: string }>();
  return results.map(({ name }) => name);
}

beforeEach(async () => {
  await dropExpiredDays(env.SHARD_0, NOW + 1_000 * DAY);
});

describe("prepareDays", () => {
  it("makes today's and tomorrow's tables, once", async () => {
    await prepareDays(env.SHARD_0, NOW);
    await prepareDays(env.SHARD_0, NOW + 3_600_000);
    expect(await partitions()).toEqual(["events 20260515", "events 20260516", "messages 20260515", "messages 20260516"]);
  });

  it("leaves a writer nothing to make", async () => {
    await prepareDays(env.SHARD_0, NOW);
    const { teamId } = newTeam();
    let trips = 0;
    const db = {
      prepare: (sql: string) => env.SHARD_0.prepare(sql),
      batch: (statements: D1PreparedStatement[]) => {
        trips += 1;
        return env.SHARD_0.batch(statements);
      },
    } as unknown as D1Database;
    const emailId = newEmailId(NOW);
    await insertHistory(
      db,
      [aMessage(teamId, { emailId })],
      [anEvent(teamId, { emailId, occurredAt: NOW }), anEvent(teamId, { occurredAt: NOW + DAY })],
    );
    expect(trips).toBe(1);
  });
});

describe("dropExpiredDays", () => {
  it("drops whole days: events after 30 and a day of slack, messages after 35", async () => {
    const scope = newTeam();
    for (const age of [0, 30, 31, 32, 35, 36]) {
      const emailId = newEmailId(NOW - age * DAY);
      await insertHistory(
        scope.db,
        [aMessage(scope.teamId, { emailId })],
        [anEvent(scope.teamId, { emailId, occurredAt: NOW - age * DAY })],
      );
    }
    const days = (ages: number[]) => ages.map((age) => dayOf(NOW - age * DAY));
    expect(await dropExpiredDays(scope.db, NOW)).toEqual({ events: days([36, 35, 32]), messages: days([36]) });
    expect(await dropExpiredDays(scope.db, NOW)).toEqual({ events: [], messages: [] });
    expect(await partitions()).toEqual([
      ...days([31, 30, 0]).map((day) => `events ${day}`),
      ...days([35, 32, 31, 30, 0]).map((day) => `messages ${day}`),
    ]);
  });

  it("keeps every event that the longest plan may still see, to the first millisecond", async () => {
    const scope = newTeam(30);
    const event = anEvent(scope.teamId, { occurredAt: NOW - 30 * DAY });
    await insertHistory(scope.db, [], [event]);
    await dropExpiredDays(scope.db, NOW);
    const { events } = await listEvents(scope, {}, positionOf({ start: 0 }, null, 30, NOW), 10);
    expect(events.map(({ id }) => id)).toEqual([event.id]);
  });

  it("forgets what is in a dropped day, and a late record makes that day anew", async () => {
    const scope = newTeam();
    const emailId = newEmailId(NOW - 40 * DAY);
    const message = aMessage(scope.teamId, { emailId });
    await insertHistory(scope.db, [message], []);
    await dropExpiredDays(scope.db, NOW);
    expect(await findMessage(scope.db, emailId)).toBeUndefined();
    await insertHistory(scope.db, [message], []);
    expect(await findMessage(scope.db, emailId)).toEqual(message);
  });
});
