// Tests which waits of a ledger each divisor of a test stack divides
// (src/ledger/open/job-waits.ts).
import { expect, it } from "vitest";
import { waitsFor } from "../../../../src/ledger/open/job-waits.ts";

const WAITS = waitsFor({ retrySpeedup: 1, leaseSpeedup: 1 });

it("RETRY_SPEEDUP divides the wait for a courier, and no time in which a consumer or a gateway works", () => {
  expect(waitsFor({ retrySpeedup: 600, leaseSpeedup: 1 })).toEqual({ ...WAITS, postponedMs: 25 });
});

it("LEASE_SPEEDUP of 12 leaves times in which a slow machine can work", () => {
  const { leaseMs, unansweredMs, releaseMs, inheritedMs, postponedMs } = waitsFor({
    retrySpeedup: 1,
    leaseSpeedup: 12,
  });
  expect([leaseMs, unansweredMs, releaseMs]).toEqual([10_000, 5_000, 2_500]);
  expect(inheritedMs).toBeCloseTo(417, 0);
  expect(postponedMs).toBe(WAITS.postponedMs);
});
