// What src/db/partitions.ts guarantees.
import { env as bindings } from "cloudflare:workers";
import { describe, expect, it } from "vitest";
import { createStatements } from "../../../src/db/day-tables.ts";
import { dayOf, dropPartitionsBefore, eventDays, isMissingPartition, makePartitions, startOf } from "../../../src/db/partitions.ts";
import type { Env } from "../../../src/env.ts";

const { SHARD_0: shard } = bindings as unknown as Env;
/** An object of its own, since the isolate remembers by object which days it has seen. */
const db = {
  prepare: (sql: string) => shard.prepare(sql),
  batch: (statements: D1PreparedStatement[]) => shard.batch(statements),
} as unknown as D1Database;

async function tablesOf(day: string): Promise<string[]> {
  const { results } = await db
    .prepare("SELECT name FROM sqlite_master WHERE name GLOB ?1 ORDER BY name")
    .bind(`*_${day}`)
    .all<{ name: string }>();
  return results.map(({ name }) => name);
}

describe("days", () => {
  it("are UTC days, up to their last millisecond", () => {
    expect(dayOf(Date.UTC(2026, 1, 28, 23, 59, 59, 999))).toBe("20260228");
    expect(dayOf(Date.UTC(2026, 2, 1))).toBe("20260301");
    expect(startOf("20260301")).toBe(Date.UTC(2026, 2, 1));
  });

  it("refuses a moment whose year has five digits", () => {
    expect(() => dayOf(Date.UTC(10_000, 0))).toThrow(RangeError);
    expect(() => dayOf(Number.NaN)).toThrow(RangeError);
  });

  it("lets nothing but a day into SQL", () => {
    expect(() => createStatements("events", "20260101; DROP TABLE partitions")).toThrow("not a day");
    expect(() => createStatements("messages", "2026010")).toThrow("not a day");
  });
});

describe("partitions", () => {
  it("can be made by several writers at once", async () => {
    const partition = { kind: "events", day: "20250101" } as const;
    await Promise.all([makePartitions(db, [partition]), makePartitions(db, [partition]), makePartitions(db, [partition])]);
    expect(await tablesOf("20250101")).toEqual(["event_index_20250101", "events_20250101"]);
    expect(await eventDays(db, "20250101", "20250101")).toEqual(["20250101"]);
  });

  it("makes messages and events apart, so that they can go apart", async () => {
    await makePartitions(db, [{ kind: "messages", day: "20250105" }]);
    expect(await tablesOf("20250105")).toEqual(["messages_20250105"]);
    expect(await eventDays(db, "20250105", "20250105")).toEqual([]);
  });

  it("shows a day that was made after the first look", async () => {
    expect(await eventDays(db, "20250112", "20250110")).toEqual([]);
    await makePartitions(db, [{ kind: "events", day: "20250111" }]);
    expect(await eventDays(db, "20250112", "20250110")).toEqual(["20250111"]);
    await makePartitions(db, [{ kind: "events", day: "20250112" }]);
    expect(await eventDays(db, "20250112", "20250110")).toEqual(["20250112", "20250111"]);
  });

  it("walks over the ends of months and years", async () => {
    await makePartitions(
      db,
      ["20231231", "20240101", "20240228", "20240229", "20240301"].map((day) => ({ kind: "events", day })),
    );
    expect(await eventDays(db, "20240301", "20231230")).toEqual(["20240301", "20240229", "20240228", "20240101", "20231231"]);
    expect(await eventDays(db, "20231230", "20240301")).toEqual([]);
  });

  it("drops what is before a day, with its row in the list, and nothing else", async () => {
    await makePartitions(
      db,
      ["20220101", "20220102", "20220103"].flatMap((day) => [
        { kind: "events", day },
        { kind: "messages", day },
      ]),
    );
    expect(await eventDays(db, "20220103", "20220101")).toHaveLength(3);
    expect(await dropPartitionsBefore(db, "events", "20220103")).toEqual(["20220101", "20220102"]);
    expect(await tablesOf("20220101")).toEqual(["messages_20220101"]);
    expect(await tablesOf("20220103")).toEqual(["event_index_20220103", "events_20220103", "messages_20220103"]);
    expect(await eventDays(db, "20220103", "20220101")).toEqual(["20220103"]);
    expect(await dropPartitionsBefore(db, "events", "20220103")).toEqual([]);
  });

  it("knows a missing day's table from other faults", async () => {
    const missing = await db
      .prepare("SELECT 1 FROM events_19990101")
      .run()
      .catch((error: unknown) => error);
    const other = await db
      .prepare("SELECT 1 FROM nowhere")
      .run()
      .catch((error: unknown) => error);
    expect([isMissingPartition(missing), isMissingPartition(other), isMissingPartition("no such table: events_19990101")]).toEqual([
      true,
      false,
      false,
    ]);
  });
});
