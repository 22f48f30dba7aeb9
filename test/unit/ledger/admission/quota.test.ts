// Tests src/ledger/admission/quota.ts: the day's and the month's volume, and overage credits.
import { fc } from "../../../support/properties.ts";
import { describe, expect, it } from "vitest";
import {
  debit,
  EMPTY_QUOTA_STATE,
  rollOver,
  type QuotaState,
} from "../../../../src/ledger/admission/quota.ts";
import { NOON } from "../ledger-harness.ts";

const CAPS = { daily: 100, monthly: 150 };

function bookAfter(messages: number, credits = 0, now = NOON): QuotaState {
  const caps = { daily: 1_000, monthly: 1_000 };
  return debit({ ...EMPTY_QUOTA_STATE, overageCredits: credits }, caps, messages, now)[0];
}

const OVER_DAY = { scope: "daily", limit: 100, retryAfterSeconds: 12 * 3_600 };

describe("quota", () => {
  it.each([
    ["accepts messages up to the daily cap", 60, 40, null],
    ["refuses a further message until midnight UTC", 60, 41, OVER_DAY],
    ["judges the daily cap first", 60, 1_000, OVER_DAY],
  ])("%s", (_, used, wanted, quota) => {
    const before = bookAfter(used);
    const [after, refusal] = debit(before, CAPS, wanted, NOON);
    expect(refusal).toEqual(quota);
    expect(after.dailyUsed).toBe(quota ? used : used + wanted);
  });

  it("refuses messages beyond the monthly cap until the first day of the next month", () => {
    const yesterday = bookAfter(100, 0, NOON - 86_400_000);
    const [after, quota] = debit(yesterday, CAPS, 51, NOON);
    const retryAfterSeconds = (Date.UTC(2031, 1, 1) - NOON) / 1_000;
    expect(quota).toEqual({ scope: "monthly", limit: 150, retryAfterSeconds });
    expect(after).toMatchObject({ dailyUsed: 0, monthlyUsed: 100 });
  });

  it("pays messages beyond the monthly cap with overage credits, and counts them only for the day", () => {
    const caps = { daily: 500, monthly: 150 };
    const [first, none] = debit(bookAfter(0, 30), caps, 160, NOON);
    expect(none).toBeNull();
    expect(first).toMatchObject({ dailyUsed: 160, monthlyUsed: 150, overageCredits: 20 });
    const [second, refusal] = debit(first, caps, 21, NOON);
    expect(refusal?.scope).toBe("monthly");
    expect(second.overageCredits).toBe(20);
    const spent = { dailyUsed: 180, monthlyUsed: 150, overageCredits: 0 };
    expect(debit(first, caps, 20, NOON)[0]).toMatchObject(spent);
  });

  it("pays every message with credits if the monthly cap was lowered below the usage", () => {
    const [book, quota] = debit(bookAfter(120, 5), { daily: 1_000, monthly: 100 }, 5, NOON);
    expect(quota).toBeNull();
    expect(book).toMatchObject({ monthlyUsed: 120, overageCredits: 0 });
  });

  it.each([
    ["a new day", NOON, NOON + 12 * 3_600_000, { dailyUsed: 0, monthlyUsed: 7 }],
    ["a day's last millisecond", NOON, NOON + 12 * 3_600_000 - 1, { dailyUsed: 7, monthlyUsed: 7 }],
    ["a new month", NOON, Date.UTC(2031, 1, 1), { dailyUsed: 0, monthlyUsed: 0 }],
    [
      "a new year",
      Date.UTC(2031, 11, 31, 23),
      Date.UTC(2032, 0, 1),
      { dailyUsed: 0, monthlyUsed: 0 },
    ],
    ["a clock that is behind", NOON, NOON - 86_400_000, { dailyUsed: 7, monthlyUsed: 7 }],
  ])("has the right counters at %s", (_, from, to, expected) => {
    expect(rollOver(bookAfter(7, 0, from), to)).toMatchObject(expected);
  });

  it("never asks for a retry in less than a second", () => {
    const midnight = NOON + 12 * 3_600_000;
    expect(debit(bookAfter(100), CAPS, 1, midnight - 1)[1]?.retryAfterSeconds).toBe(1);
  });

  it("agrees with a list of all debits", () => {
    const step = fc.record({ hours: fc.nat(40), messages: fc.integer({ min: 1, max: 60 }) });
    fc.assert(
      fc.property(fc.array(step, { maxLength: 40 }), fc.nat(80), (steps, credits) => {
        let book: QuotaState = { ...EMPTY_QUOTA_STATE, overageCredits: credits };
        let now = NOON;
        let spent = 0;
        const kept: { day: string; monthly: number; messages: number }[] = [];
        for (const { hours, messages } of steps) {
          now += hours * 3_600_000;
          const day = new Date(now).toISOString().slice(0, 10);
          const counted = (from: number, to: number, of: "messages" | "monthly") =>
            kept
              .filter((entry) => entry.day.slice(from, to) === day.slice(from, to))
              .reduce((total, entry) => total + entry[of], 0);
          const [today, month] = [counted(0, 10, "messages"), counted(0, 7, "monthly")];
          const overage = Math.max(0, month + messages - CAPS.monthly);
          const expected =
            today + messages > CAPS.daily ? "daily" : overage > credits - spent ? "monthly" : null;
          const [after, quota] = debit(book, CAPS, messages, now);
          book = after;
          expect(quota?.scope ?? null).toBe(expected);
          if (expected !== null) continue;
          kept.push({ day, monthly: messages - overage, messages });
          spent += overage;
        }
        expect(book.overageCredits).toBe(credits - spent);
      }),
    );
  });
});
