// Tests which shard holds a team's day (src/db/shards.ts, docs/scaling.md §A team on several
// shards).
import { fc } from "../../support/properties.ts";
import { describe, expect, it } from "vitest";
import { homeShard, shardOn, spanOn } from "../../../src/db/shards.ts";
import type { Day, ShardSpan } from "../../../src/rpc/shard-types.ts";
import { dayOf } from "../../../src/db/days.ts";
import { DAY_MS } from "../../../src/limits.ts";

const SPANS: readonly ShardSpan[] = [
  { from: "20261101", shards: [3] },
  { from: "20261122", shards: [3, 5] },
  { from: "20261201", shards: [5, 6, 7] },
];

const byNumber = (left: number, right: number) => left - right;

describe("a team's shards", () => {
  it.each([
    ["20251231", 3],
    ["20261101", 3],
    ["20261121", 3],
    // The number of days since 1970 is odd, so the day is on the second of two shards.
    ["20261122", 5],
    ["20261123", 3],
    ["20261130", 5],
    ["20261201", 5 + (20_788 % 3)],
    ["20261202", 5 + (20_789 % 3)],
    ["20991231", 5 + (47_481 % 3)],
  ])("have day %s on shard %i", (day, shard) => {
    expect(shardOn(SPANS, day)).toBe(shard);
  });

  it("take turns, each with the same number of days", () => {
    const days = fc.integer({ min: 0, max: 50_000 }).map((number) => number * DAY_MS);
    const shards = fc.uniqueArray(fc.integer({ min: 0, max: 255 }), { minLength: 1, maxLength: 8 });
    fc.assert(
      fc.property(days, shards, (begun, named) => {
        const spans = [{ from: dayOf(begun), shards: named }];
        const next: Day[] = named.map((_, index) => dayOf(begun + index * DAY_MS));
        expect(next.map((day) => shardOn(spans, day)).toSorted(byNumber)).toEqual(
          named.toSorted(byNumber),
        );
      }),
    );
  });

  it("keep the suppressions on the first shard", () => {
    expect(homeShard(SPANS)).toBe(3);
    expect(homeShard(SPANS.slice(2))).toBe(5);
  });

  it("throw when no span covers the day", () => {
    for (const none of [[], [{ from: "20261101", shards: [] }]]) {
      expect(() => homeShard(none)).toThrow("no shard");
      expect(() => spanOn(none, "20261122")).toThrow("no shard");
    }
  });
});
