// Tests src/resources/events/day-retention.ts: which days have tables.
import { beforeEach, describe, expect, it, vi } from "vitest";
import { dropExpiredDays, prepareDays } from "../../../../src/resources/events/day-retention.ts";
import { findChunkedMessage } from "../../../../src/resources/events/chunked-message.ts";
import { writeChunks } from "../../../../src/resources/events/write-chunk.ts";
import { newEmailId } from "../../../../src/lib/ids.ts";
import { idsOf } from "./scan-harness.ts";
import { dayOf } from "../../../../src/db/days.ts";
import {
  aMessage,
  anEvent,
  byMessage,
  DAY,
  env,
  newTeam,
  ofMessage,
  write,
} from "./sample-events.ts";

const NOW = Date.UTC(2026, 4, 15, 9, 30);

async function partitions(): Promise<string[]> {
  const { results } = await env.SHARD_0.prepare(
    "SELECT day AS name FROM partitions ORDER BY 1",
  ).all<{ name: string }>();
  return results.map(({ name }) => name);
}

beforeEach(async () => {
  await dropExpiredDays(env.SHARD_0, NOW + 1_000 * DAY);
});

describe("preparing days", () => {
  it("creates today's and tomorrow's tables once", async () => {
    await prepareDays(env.SHARD_0, NOW);
    await prepareDays(env.SHARD_0, NOW + 3_600_000);
    expect(await partitions()).toEqual(["20260515", "20260516"]);
  });

  it("creates every table that a writer needs", async () => {
    await prepareDays(env.SHARD_0, NOW);
    const team = newTeam();
    const trips = vi.spyOn(env.SHARD_0, "batch");
    for (const at of [NOW, NOW + DAY]) {
      const messages = byMessage([anEvent(team.id, { occurredAt: at })]);
      const chunk = { team, day: dayOf(at), at, lastSeq: 1, messages, isStray: false };
      await writeChunks(env.SHARD_0, [chunk], []);
    }
    expect(trips).toHaveBeenCalledTimes(2);
  });
});

describe("dropping expired days", () => {
  it("drops whole days, 35 days after they ended", async () => {
    const team = newTeam();
    for (const age of [0, 30, 34, 35, 36, 40])
      await write(team, [anEvent(team.id, { occurredAt: NOW - age * DAY })]);
    const days = (ages: number[]) => ages.map((age) => dayOf(NOW - age * DAY));
    expect(await dropExpiredDays(env.SHARD_0, NOW)).toEqual(days([40, 36]));
    expect(await dropExpiredDays(env.SHARD_0, NOW)).toEqual([]);
    expect(await partitions()).toEqual(days([35, 34, 30, 0]));
  });

  it("keeps every event that the longest plan may still see, to the first millisecond", async () => {
    const team = newTeam(30);
    const event = anEvent(team.id, { occurredAt: NOW - 30 * DAY });
    await write(team, [event]);
    await dropExpiredDays(env.SHARD_0, NOW);
    expect(await idsOf(team, { now: NOW })).toEqual([event.id]);
  });

  it("removes all events of a dropped day, and a late chunk creates the day again", async () => {
    const team = newTeam();
    const message = aMessage(team.id, { emailId: newEmailId(NOW - 40 * DAY) });
    const event = ofMessage(message, { occurredAt: NOW - 40 * DAY });
    const find = () => findChunkedMessage(env, team, message.emailId, NOW - 10 * DAY);
    await write(team, [event], { messages: [message] });
    expect(await find()).toEqual(message);
    await dropExpiredDays(env.SHARD_0, NOW);
    expect(await find()).toBeUndefined();
    await write(team, [event], { messages: [message] });
    expect(await find()).toEqual(message);
  });
});
