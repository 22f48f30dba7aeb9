// Tests how the database tables of a day are found, created and dropped (src/db/partitions.ts,
// src/db/days.ts).
import { env as bindings } from "cloudflare:workers";
import { describe, expect, it } from "vitest";
import { createStatements } from "../../../src/db/day-tables.ts";
import {
  dropPartitionsBefore,
  existingDays,
  isMissingPartition,
  makePartitions,
} from "../../../src/db/partitions.ts";
import { daysBack, dayOf, startOf } from "../../../src/db/days.ts";
import type { Env } from "../../../src/env.ts";

const { SHARD_0: shard } = bindings as unknown as Env;
/**
 * A database object of this file's own: the isolate caches which days have tables, for each
 * database object.
 */
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

const tablesFor = (day: string) => [`page_index_${day}`, `pages_${day}`];

describe("days", () => {
  it("are UTC days, up to their last millisecond", () => {
    expect(dayOf(Date.UTC(2026, 1, 28, 23, 59, 59, 999))).toBe("20260228");
    expect(dayOf(Date.UTC(2026, 2, 1))).toBe("20260301");
    expect(startOf("20260301")).toBe(Date.UTC(2026, 2, 1));
  });

  it("are not found for a moment whose year has five digits", () => {
    expect(() => dayOf(Date.UTC(10_000, 0))).toThrow(RangeError);
    expect(() => dayOf(Number.NaN)).toThrow(RangeError);
  });

  it("are the only text that may become a table's name", () => {
    expect(() => createStatements("20260101; DROP TABLE partitions")).toThrow("not a day");
    expect(() => createStatements("2026010")).toThrow("not a day");
  });
});

describe("partitions", () => {
  it("can be created by several writers at once", async () => {
    await Promise.all([1, 2, 3].map(() => makePartitions(db, ["20250101"])));
    expect(await tablesOf("20250101")).toEqual(expect.arrayContaining(tablesFor("20250101")));
    expect(await existingDays(db, ["20250101"])).toEqual(["20250101"]);
  });

  it("are found if they were created after the first look-up", async () => {
    const days = ["20250112", "20250111", "20250110"];
    expect(await existingDays(db, days)).toEqual([]);
    await makePartitions(db, ["20250111"]);
    expect(await existingDays(db, days)).toEqual(["20250111"]);
    await makePartitions(db, ["20250112"]);
    expect(await existingDays(db, days)).toEqual(["20250112", "20250111"]);
  });

  it("are looked up in the database only until their day is known", async () => {
    await makePartitions(db, ["20250201", "20250202"]);
    expect(await existingDays(db, ["20250202", "20250201"])).toHaveLength(2);
    const reads = { prepare: () => expect.fail("the database was asked") };
    const known = ["20250201", "20250202"];
    expect(await existingDays(db, known, reads)).toEqual(known);
    await expect(existingDays(db, ["20250203"], reads)).rejects.toThrow("was asked");
  });

  it("are listed over the ends of months and years", () => {
    expect(daysBack("20240301", "20240228")).toEqual(["20240301", "20240229", "20240228"]);
    expect(daysBack("20240101", "20231230")).toEqual(["20240101", "20231231", "20231230"]);
    expect(daysBack("20231230", "20240301")).toEqual([]);
  });

  it("before a day are dropped, and only those, with their rows in the list", async () => {
    const days = ["20220103", "20220102", "20220101"];
    await makePartitions(db, days);
    expect(await existingDays(db, days)).toHaveLength(3);
    expect(await dropPartitionsBefore(db, "20220103")).toEqual(["20220101", "20220102"]);
    expect(await tablesOf("20220101")).toEqual([]);
    expect(await tablesOf("20220103")).toEqual(expect.arrayContaining(tablesFor("20220103")));
    expect(await existingDays(db, days)).toEqual(["20220103"]);
    expect(await dropPartitionsBefore(db, "20220103")).toEqual([]);
  });

  it("that are missing cause a fault that differs from other faults", async () => {
    const faultOf = (table: string) =>
      db
        .prepare(`SELECT 1 FROM ${table}`)
        .run()
        .catch((error: unknown) => error);
    expect(isMissingPartition(await faultOf("pages_19990101"))).toBe(true);
    expect(isMissingPartition(await faultOf("nowhere"))).toBe(false);
    expect(isMissingPartition("no such table: pages_19990101")).toBe(false);
  });
});
