// Tests src/ledger/log/chunk-writer.ts: at any moment every event is among the recent events or in
// a chunk, and the history shows it once, whatever the database does.
import { evictDurableObject } from "cloudflare:test";
import { beforeEach, describe, expect, it, vi } from "vitest";
import { bindings, call } from "../../../support/api.ts";
import { dayOf } from "../../../../src/db/days.ts";
import { readCounts } from "../../../../src/resources/stats/store.ts";
import { Handing, HOUR, MINUTE } from "./handing.ts";
import { NOON, send, sendOf } from "../ledger-harness.ts";
import { everyCore } from "../../../support/every-core.ts";

const DAY = 24 * HOUR;
/** Number of events at which the ledger writes a chunk. */
const PAGE = 64;

let handing: Handing;

beforeEach(async () => {
  vi.spyOn(console, "error").mockImplementation(() => undefined);
  handing = await Handing.make();
});

const people = (count: number, from = 0) =>
  Array.from({ length: count }, (_, index) => `reader-${from + index}@example.com`);
const isPaged = (unpaged = 0) =>
  vi.waitFor(async () => expect(await handing.usage()).toMatchObject({ unpaged, undelivered: 0 }));

/** Reads the team's history page by page. Returns the events' ids, oldest first. */
async function history(start: number, end: number): Promise<string[]> {
  const ids: string[] = [];
  let after: string | null = null;
  do {
    const [first, last] = [start, end].map((at) => new Date(at).toISOString());
    const query = new URLSearchParams({ limit: "50", start: first!, end: last! });
    if (after !== null) query.set("after", after);
    const response = await call("GET", `/v1/events?${query.toString()}`, { key: handing.team.key });
    expect(response.status).toBe(200);
    const page = await response.json<{ data: { id: string }[]; next_cursor: string | null }>();
    ids.push(...page.data.map(({ id }) => id));
    after = page.next_cursor;
  } while (after !== null);
  return ids.toReversed();
}

const rowsIn = () =>
  handing.inside((_, sql) => {
    const count = "SELECT count(*) AS rows FROM ledger WHERE day IS NOT NULL";
    return sql.exec<{ rows: number }>(count).one().rows;
  });

const append = async (count: number, at: number): Promise<string[]> =>
  (await handing.append(people(count), at)).toSorted();

describe("the log's events", () => {
  it("are shown at once and only once: fewer than 64 stay recent events, more go into a chunk", async () => {
    const few = await append(PAGE - 1, NOON);
    expect(await history(NOON, NOON + MINUTE)).toEqual(few);
    expect(await handing.usage()).toMatchObject({ unpaged: PAGE - 1 });
    const more = await append(3, NOON + PAGE);
    await vi.waitFor(async () => expect((await handing.usage()).unpaged).toBeLessThan(PAGE));
    expect(await history(NOON, NOON + MINUTE)).toEqual([...few, ...more]);
  });

  it("stop being recent events once a chunk has them, and get new numbers after a restart", async () => {
    const first = await handing.append(people(PAGE), NOON);
    await isPaged();
    expect(await rowsIn()).toBe(0);
    await evictDurableObject(handing.ledger);
    await handing.connect();
    const second = await handing.append(people(PAGE, PAGE), NOON);
    await isPaged();
    expect(await history(NOON, NOON + MINUTE)).toEqual([...first, ...second].toSorted());
  });

  it("of a quiet team stay recent until their day ends, and then go into a chunk", async () => {
    const ids = await append(3, NOON);
    await handing.alarmAt(NOON + HOUR);
    expect((await handing.usage()).unpaged).toBe(3);
    vi.setSystemTime(NOON + DAY);
    await handing.ledger.restoreAlarm();
    await handing.alarmAt(NOON + DAY + MINUTE);
    await isPaged();
    expect(await history(NOON, NOON + DAY)).toEqual(ids);
  });
});

describe("a database that wrote a chunk and whose answer was lost", () => {
  it("gets the chunk again with the events that came meanwhile, and no event is lost or shown twice", async () => {
    let isLost = false;
    handing.shard = async (run) => {
      const result = await run();
      if (isLost || !Array.isArray(result)) return result;
      isLost = true;
      throw new Error("the answer got lost");
    };
    const first = await handing.append(people(PAGE), NOON);
    await vi.waitFor(() => expect(isLost).toBe(true));
    const second = await handing.append(people(20, PAGE), NOON + 1);
    const all = [...first.toSorted(), ...second.toSorted()];
    expect(await history(NOON, NOON + MINUTE)).toEqual(all);
    await vi.waitFor(() => handing.alarmAt(NOON + MINUTE));
    await isPaged(20);
    expect(await history(NOON, NOON + MINUTE)).toEqual(all);
  });

  it("gets the chunk again after a restart", async () => {
    let isLost = false;
    handing.shard = async (run) => {
      const result = await run();
      if (Array.isArray(result)) isLost = true;
      if (isLost) throw new Error("the answer got lost");
      return result;
    };
    const ids = await handing.append(people(PAGE), NOON);
    await vi.waitFor(() => expect(isLost).toBe(true));
    await evictDurableObject(handing.ledger);
    await handing.connect();
    handing.shard = (run) => run();
    await handing.alarmAt(NOON + 2 * MINUTE);
    await isPaged();
    expect(await history(NOON, NOON + MINUTE)).toEqual(ids.toSorted());
  });
});

describe("a database that is far away", () => {
  /** Number of events in a full chunk. */
  const FULL = 128;
  let batches: number;

  beforeEach(() => {
    batches = 0;
  });

  /** Appends `count` events while all queries of the shard wait. Then some answers are lost. */
  async function appendWhileAway(count: number, isLost: (batch: number) => boolean) {
    const away = Promise.withResolvers<void>();
    handing.shard = async (run) => {
      await away.promise;
      const result = await run();
      if (Array.isArray(result) && isLost(batches++)) throw new Error("the answer got lost");
      return result;
    };
    const ids: string[] = [];
    for (let from = 0; from < count; from += 64)
      ids.push(...(await append(Math.min(64, count - from), NOON + from)));
    away.resolve();
    return ids;
  }

  /** Returns the number of opens in the counts of the team's chunks. */
  async function countedOpens(): Promise<number> {
    const team = await everyCore
      .prepare("SELECT number FROM teams WHERE id = ?")
      .bind(handing.team.id)
      .first<{ number: number }>();
    const { hours } = await readCounts(bindings.SHARD_0, team!, [dayOf(NOON)]);
    return hours.reduce((sum, [, { all }]) => sum + (all.types.get("opened") ?? 0), 0);
  }

  it("gets up to eight chunks in a batch", async () => {
    const ids = await appendWhileAway(9 * FULL + 10, () => false);
    await isPaged();
    // The first batch was planned when the log had 64 events, so the third batch has the last 74.
    expect(batches).toBe(3);
    expect(await countedOpens()).toBe(ids.length);
  });

  it("shows each event once if it wrote batches whose answers were lost", async () => {
    const ids = await appendWhileAway(4 * FULL, (batch) => batch === 0 || batch === 2);
    let minute = 0;
    await vi.waitFor(async () => {
      minute += 1;
      if (minute <= 3) ids.push(...(await append(40, NOON + minute * MINUTE)));
      await handing.alarmAt(NOON + minute * MINUTE);
      expect((await handing.usage()).unpaged).toBeLessThan(PAGE);
    });
    expect(batches).toBeGreaterThan(3);
    expect(await history(NOON, NOON + HOUR)).toEqual(ids);
    expect(await countedOpens()).toBe(ids.length - (await handing.usage()).unpaged);
  });
});

describe("a database that hangs", () => {
  it("delays neither sends nor releases nor outcomes, and gets all events when it is back", async () => {
    const hanging = Promise.withResolvers<void>();
    handing.shard = async (run) => {
      await hanging.promise;
      return run();
    };
    const ids = await handing.append(people(PAGE), NOON);
    for (let minute = 1; minute <= 3; minute += 1) {
      const now = NOON + minute * MINUTE;
      vi.setSystemTime(now);
      const admission = await handing.ledger.admit(sendOf([{}], { now }));
      expect(admission.kind).toBe("answered");
      await handing.alarmAt(now);
      ids.push(...(await handing.append(people(20, minute * 100), now)));
    }
    expect(await handing.usage()).toMatchObject({ messages: 3, unpaged: PAGE + 60 });
    hanging.resolve();
    await vi.waitFor(async () => expect((await handing.usage()).unpaged).toBeLessThan(PAGE));
    expect((await history(NOON, NOON + HOUR)).toSorted()).toEqual(ids.toSorted());
  });
});

describe("a team on two shards", () => {
  it("writes each day to its shard and reads both together, also after a kill between their chunks", async () => {
    await everyCore
      .prepare("UPDATE teams SET shards = ? WHERE id = ?")
      .bind(JSON.stringify([{ from: "20310101", shards: [0, 1] }]), handing.team.id)
      .run();
    handing.shard = (run) => run().then(() => Promise.reject(new Error("the answer got lost")));
    const first = await handing.append(people(PAGE), NOON);
    vi.setSystemTime(NOON + DAY);
    const second = await handing.append(people(PAGE, PAGE), NOON + DAY);
    const all = [...first.toSorted(), ...second.toSorted()];
    await evictDurableObject(handing.ledger);
    handing.shard = (run) => run();
    await handing.connect();
    expect(await history(NOON, NOON + 2 * DAY)).toEqual(all);
    await handing.alarmAt(NOON + DAY + 2 * MINUTE);
    await isPaged();
    const pages = async (shard: D1Database) => {
      const { results } = await shard
        .prepare("SELECT day FROM partitions WHERE day >= '20310115' AND day <= '20310116'")
        .all();
      return results.length;
    };
    const { SHARD_1 } = bindings as unknown as { SHARD_1: D1Database };
    expect([await pages(bindings.SHARD_0), await pages(SHARD_1)]).toEqual([1, 1]);
    expect(await history(NOON, NOON + 2 * DAY)).toEqual(all);
  });
});

describe("a ledger whose disk is full", () => {
  it("refuses sends as unavailable", async () => {
    const admission = await handing.inside((instance) => {
      const { ctx } = instance as unknown as { ctx: { storage: { sql: SqlStorage } } };
      vi.spyOn(ctx.storage.sql, "databaseSize", "get").mockReturnValue(8_000_000_000);
      return instance.admit(send({ now: NOON }));
    });
    expect(admission).toMatchObject({ kind: "unavailable", isFull: true });
  });
});
