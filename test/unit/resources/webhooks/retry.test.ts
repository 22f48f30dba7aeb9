// Tests when a failed batch is tried again (src/resources/webhooks/outbox/retry.ts, contract.md
// §Deliveries and retries).
import { describe, expect, it } from "vitest";
import {
  HOUR_MS as HOUR,
  MINUTE_MS as MINUTE,
  SECOND_MS as SECOND,
} from "../../../../src/limits.ts";
import { nextAttempt, retriesEnd } from "../../../../src/resources/webhooks/outbox/retry.ts";

const NOON = Date.UTC(2031, 0, 15, 12);
const NEVER = Number.MAX_SAFE_INTEGER;

const wait = (attempt: number, random: number, speedup = 1): number =>
  (nextAttempt(attempt, NEVER, NOON, random, speedup) ?? 0) - NOON;

/** Returns the times of all attempts at a batch that always fails. The first attempt is at 0. */
function attempts(random: () => number, speedup = 1): number[] {
  const end = retriesEnd(NOON, speedup);
  const times = [NOON];
  for (let next: number | null = NOON; next !== null;) {
    next = nextAttempt(times.length, end, times.at(-1) ?? 0, random(), speedup);
    if (next !== null) times.push(next);
  }
  return times.map((at) => at - NOON);
}

describe("the wait for the next attempt", () => {
  it("doubles from 30 seconds to 1 hour", () => {
    expect([1, 2, 3, 4, 5, 6, 7, 8, 30, 2_000].map((attempt) => wait(attempt, 0) / SECOND)).toEqual(
      [30, 60, 120, 240, 480, 960, 1_800, 1_800, 1_800, 1_800],
    );
    expect(wait(7, 0.999_999)).toBeLessThanOrEqual(HOUR);
    expect(wait(2_000, 0.999_999)).toBeGreaterThan(0.99 * HOUR);
  });

  it("is extended by a random part, evenly distributed up to the same length again", () => {
    expect(wait(1, 0.5)).toBe(45 * SECOND);
    expect(wait(4, 0.25)).toBe(300 * SECOND);
  });

  it("is divided by RETRY_SPEEDUP, and is never zero", () => {
    expect(wait(1, 0, 60)).toBe(500);
    expect(wait(1, 0, 1_000_000)).toBeGreaterThanOrEqual(1);
  });
});

describe("a batch that always fails", () => {
  it.each([0, 0.5, 0.999])(
    "is tried for the last time at the end of 12 hours, with 30 seconds to 1 hour between attempts (jitter %d)",
    (random) => {
      const times = attempts(() => random);
      expect(times.at(-1)).toBe(12 * HOUR);
      const gaps = times.slice(1).map((at, index) => at - (times[index] ?? 0));
      expect(Math.min(...gaps)).toBeGreaterThanOrEqual(30 * SECOND);
      expect(Math.max(...gaps)).toBeLessThanOrEqual(HOUR);
      expect(times.length).toBeGreaterThan(12);
    },
  );

  it("is not tried again when less than 30 seconds of its time are left", () => {
    const end = retriesEnd(NOON, 1);
    expect(nextAttempt(20, end, end - 30 * SECOND, 0, 1)).toBe(end);
    expect(nextAttempt(20, end, end - 30 * SECOND + 1, 0, 1)).toBeNull();
    expect(nextAttempt(20, end, end + HOUR, 0, 1)).toBeNull();
  });

  it("ends in 12 minutes with RETRY_SPEEDUP 60, after the same number of attempts", () => {
    const fast = attempts(() => 0.5, 60);
    expect(fast.at(-1)).toBe(12 * MINUTE);
    expect(fast.length).toBe(attempts(() => 0.5).length);
  });
});
