// Tests when a recipient is tried again (docs/architecture.md §Again).
import { fc } from "../../../support/properties.ts";
import { describe, expect, it } from "vitest";
import { DAY_MS, HOUR_MS } from "../../../../src/limits.ts";
import { nextAttempt } from "../../../../src/mail/deliver/retry-schedule.ts";

const MINUTE_MS = HOUR_MS / 60;
const ACCEPTED_AT = 1_760_000_000_000;

/**
 * Returns the times of all attempts at a message, counted from its acceptance. Each attempt fails
 * after `takes` milliseconds.
 */
function attempts(jitter: (attempt: number) => number, speedup = 1, takes = 0): number[] {
  const times: number[] = [];
  let at: number | null = ACCEPTED_AT;
  while (at !== null && times.length < 1_000) {
    times.push(at - ACCEPTED_AT);
    at = nextAttempt(ACCEPTED_AT, times.length, at + takes, jitter(times.length), speedup);
  }
  return times;
}

const waits = (times: readonly number[]): number[] =>
  times.slice(1).map((time, index) => time - (times[index] ?? 0));

describe("the attempts", () => {
  it("come after 1, 5, 15, 30 minutes, 1 and 2 hours, every 4 hours, and at 72 hours", () => {
    const times = attempts(() => 0.5);
    expect(waits(times).slice(0, 8)).toEqual(
      [1, 5, 15, 30, 60, 120, 240, 240].map((minutes) => minutes * MINUTE_MS),
    );
    expect(times).toHaveLength(25);
    expect(times.at(-1)).toBe(3 * DAY_MS);
  });

  it("vary by the jitter only when they are 4 hours apart", () => {
    const early = attempts(() => 0);
    const late = attempts(() => 0.999_999);
    expect(early.slice(0, 7)).toEqual(late.slice(0, 7));
    expect(waits(early)[6]).toBe(3.6 * HOUR_MS);
    expect(waits(late)[6]).toBeGreaterThan(4.39 * HOUR_MS);
    expect(waits(late)[6]).toBeLessThanOrEqual(4.4 * HOUR_MS);
  });

  it("end with the first if the message is released after its 72 hours", () => {
    expect(nextAttempt(ACCEPTED_AT, 1, ACCEPTED_AT + 3 * DAY_MS, 0.5, 1)).toBeNull();
    expect(nextAttempt(ACCEPTED_AT, 1, ACCEPTED_AT + 30 * DAY_MS, 0.5, 1)).toBeNull();
  });

  it("go on until the 72 hours are over, even if little time is left", () => {
    const end = ACCEPTED_AT + 3 * DAY_MS;
    expect(nextAttempt(ACCEPTED_AT, 20, end - MINUTE_MS, 0.5, 1)).toBe(end);
    expect(nextAttempt(ACCEPTED_AT, 20, end - 1, 0.5, 1)).toBe(end);
    expect(nextAttempt(ACCEPTED_AT, 20, end, 0.5, 1)).toBeNull();
  });

  it("come at the end of the 72 hours instead of within the minute before", () => {
    const end = ACCEPTED_AT + 3 * DAY_MS;
    expect(nextAttempt(ACCEPTED_AT, 1, end - 2 * MINUTE_MS, 0.5, 1)).toBe(end - MINUTE_MS);
    expect(nextAttempt(ACCEPTED_AT, 1, end - 2 * MINUTE_MS + 1, 0.5, 1)).toBe(end);
  });

  it("are as many with a speed-up, and closer together", () => {
    const times = attempts(() => 0.5, 600);
    expect(times).toHaveLength(25);
    expect(waits(times)[0]).toBe(100);
    expect(times.at(-1)).toBe((3 * DAY_MS) / 600);
  });
});

describe("for any jitter, speed-up and duration of an attempt", () => {
  const jitter = fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true });
  const scene = fc.record({
    jitters: fc.array(jitter, { minLength: 100, maxLength: 100 }),
    speedup: fc.double({ min: 1, max: 1e6, noNaN: true }),
    takes: fc.integer({ min: 0, max: 600_000 }),
  });

  it("the attempts rise, stay within 72 hours, fall on whole milliseconds, and end", () => {
    fc.assert(
      fc.property(scene, ({ jitters, speedup, takes }) => {
        const times = attempts((attempt) => jitters[attempt] ?? 0, speedup, takes);
        expect(times.every(Number.isInteger)).toBe(true);
        expect(waits(times).every((wait) => wait > 0)).toBe(true);
        expect(times.at(-1)).toBeLessThanOrEqual((3 * DAY_MS) / speedup);
        expect(times.length).toBeLessThanOrEqual(27);
      }),
    );
  });

  it("there are 23 to 27 attempts if they take no time, the last at 72 hours", () => {
    fc.assert(
      fc.property(scene, ({ jitters }) => {
        const times = attempts((attempt) => jitters[attempt] ?? 0);
        expect(times.length).toBeGreaterThanOrEqual(23);
        expect(times.length).toBeLessThanOrEqual(27);
        expect(times.at(-1)).toBe(3 * DAY_MS);
        expect(waits(times).at(-1)).toBeGreaterThanOrEqual(MINUTE_MS);
      }),
    );
  });
});
