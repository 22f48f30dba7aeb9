// Tests src/ledger/admission/rate.ts: the token bucket of requests.
import { fc } from "../../../support/properties.ts";
import { describe, expect, it } from "vitest";
import { peekRequests, takeRequest } from "../../../../src/ledger/admission/rate.ts";
import { type Bucket, refill } from "../../../../src/ledger/token-bucket.ts";

function takeMany(
  count: number,
  perSecond: number,
  now: number,
  bucket?: Bucket,
): { bucket: Bucket | undefined; allowed: number } {
  let allowed = 0;
  for (let index = 0; index < count; index += 1) {
    const [after, taken] = takeRequest(bucket, perSecond, now);
    bucket = after;
    if (taken.allowed) allowed += 1;
  }
  return { bucket, allowed };
}

describe("request rate", () => {
  it("allows a burst of twice the rate, then the rate", () => {
    const burst = takeMany(50, 10, 1_000);
    expect(burst.allowed).toBe(20);
    const later = takeMany(50, 10, 2_000, burst.bucket);
    expect(later.allowed).toBe(10);
    expect(takeMany(1, 10, 2_099, later.bucket).allowed).toBe(0);
    expect(takeMany(2, 10, 2_100, later.bucket).allowed).toBe(1);
  });

  it("returns the limit, the remaining requests and the seconds until the bucket is full", () => {
    const [bucket, first] = takeRequest(undefined, 10, 0);
    expect(first).toEqual({ allowed: true, rate: { limit: 10, remaining: 10, resetSeconds: 1 } });
    const emptied = takeMany(30, 10, 0, bucket).bucket;
    expect(takeRequest(emptied, 10, 0)[1]).toEqual({
      allowed: false,
      rate: { limit: 10, remaining: 0, resetSeconds: 2, level: 0 },
    });
    expect(peekRequests(emptied, 10, 0).remaining).toBe(0);
    expect(peekRequests(emptied, 10, 500)).toEqual({ limit: 10, remaining: 5, resetSeconds: 2 });
  });

  it("follows a changed rate at once", () => {
    const [bucket] = takeRequest(undefined, 100, 0);
    expect(takeMany(50, 1, 0, bucket).allowed).toBe(2);
  });

  it("is not filled by clocks that disagree, and recovers from a clock that was far ahead", () => {
    const flow = { perWindow: 10, windowMs: 1_000, capacity: 20 };
    let bucket: Bucket = { level: 0, at: 1_000 };
    for (let turn = 0; turn < 100; turn += 1)
      bucket = refill(bucket, flow, turn % 2 === 0 ? 990 : 1_000);
    expect(bucket.level).toBe(0);
    const ahead = refill(bucket, flow, 10_000_000);
    expect(refill({ level: 0, at: ahead.at }, flow, 2_000).at).toBe(2_000);
  });

  it("agrees with a list of all requests", () => {
    const step = fc.record({ wait: fc.nat(400), requests: fc.integer({ min: 1, max: 8 }) });
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 20 }),
        fc.array(step, { maxLength: 60 }),
        (perSecond, steps) => {
          let now = 5_000;
          let bucket: Bucket | undefined;
          let level = perSecond * 2 * 1_000;
          for (const { wait, requests } of steps) {
            now += wait;
            level = Math.min(perSecond * 2 * 1_000, level + wait * perSecond);
            const expected = Math.min(requests, Math.floor(level / 1_000));
            level -= expected * 1_000;
            const taken = takeMany(requests, perSecond, now, bucket);
            bucket = taken.bucket;
            expect(taken.allowed).toBe(expected);
          }
        },
      ),
    );
  });
});
