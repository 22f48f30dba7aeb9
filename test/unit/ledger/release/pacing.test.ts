// Tests src/ledger/release/pacing.ts: the rate at which messages are released, and how streams
// (such as campaigns) take turns.
import { fc } from "../../../support/properties.ts";
import { describe, expect, it } from "vitest";
import { dealOut, nextRound, takeReleases } from "../../../../src/ledger/release/pacing.ts";
import type { Bucket } from "../../../../src/ledger/token-bucket.ts";

describe("pacing", () => {
  it("releases the jobs of one minute at once, and further jobs at the rate, in any rounds", () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 100_000 }),
        fc.array(fc.nat(5_000), { maxLength: 50 }),
        (perMinute, waits) => {
          let bucket: Bucket | undefined;
          let now = 1_000_000;
          let released = 0;
          let elapsed = 0;
          for (const wait of [0, ...waits]) {
            now += wait;
            elapsed += wait;
            const [after, taken] = takeReleases(bucket, perMinute, Number.MAX_SAFE_INTEGER, now);
            bucket = after;
            released += taken;
            expect(released).toBe(perMinute + Math.floor((elapsed * perMinute) / 60_000));
          }
        },
      ),
    );
  });

  it("releases no more than is requested", () => {
    const [bucket, taken] = takeReleases(undefined, 600, 5, 0);
    expect(taken).toBe(5);
    expect(takeReleases(bucket, 600, 1_000, 0)[1]).toBe(595);
  });

  it("serves streams in turn, so that no message waits behind another stream's ten thousand jobs", () => {
    const turns = [
      { stream: "big", waiting: 10_000 },
      { stream: "one", waiting: 1 },
      { stream: "two", waiting: 2 },
    ];
    const { counts, order } = dealOut(turns, 6);
    expect(Object.fromEntries(counts)).toEqual({ big: 3, one: 1, two: 2 });
    expect(order).toEqual(["big"]);
  });

  it("begins the next round with the streams that this round left out", () => {
    const first = dealOut(
      ["a", "b", "c"].map((stream) => ({ stream, waiting: 9 })),
      2,
    );
    expect([...first.counts.keys()]).toEqual(["a", "b"]);
    expect(first.order).toEqual(["c", "a", "b"]);
  });

  it("releases as many as possible, and the shares of waiting streams differ by at most one", () => {
    fc.assert(
      fc.property(fc.array(fc.nat(20), { maxLength: 12 }), fc.nat(120), (waiting, releases) => {
        const { counts, order } = dealOut(
          waiting.map((jobs, index) => ({ stream: String(index), waiting: jobs })),
          releases,
        );
        const given = waiting.map((_, index) => counts.get(String(index)) ?? 0);
        const total = given.reduce((sum, count) => sum + count, 0);
        expect(total).toBe(
          Math.min(
            releases,
            waiting.reduce((sum, count) => sum + count, 0),
          ),
        );
        for (const [index, count] of given.entries())
          expect(count).toBeLessThanOrEqual(waiting[index] ?? 0);
        const still = order.map((stream) => given[Number(stream)] ?? 0);
        expect(
          Math.max(0, ...still) - Math.min(...still, Number.POSITIVE_INFINITY),
        ).toBeLessThanOrEqual(1);
        expect(order.length).toBe(
          waiting.filter((jobs, index) => jobs > (given[index] ?? 0)).length,
        );
      }),
    );
  });

  it("has a round every second, or less often at a slow rate", () => {
    expect(nextRound({ level: 0, at: 0 }, 600, 5_000)).toBe(6_000);
    expect(nextRound({ level: 0, at: 0 }, 6, 5_000)).toBe(15_000);
    expect(nextRound({ level: 30_000, at: 0 }, 6, 5_000)).toBe(10_000);
  });
});
