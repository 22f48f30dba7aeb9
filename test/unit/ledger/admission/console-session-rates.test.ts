// Tests src/ledger/admission/console-session-rates.ts: one token bucket for each console session,
// and a limit on the number of busy sessions.
import { describe, expect, it } from "vitest";
import { CONSOLE_SESSIONS_AT_ONCE } from "../../../../src/limits.ts";
import { ConsoleSessionRates } from "../../../../src/ledger/admission/console-session-rates.ts";

const NOW = 1_900_000_000_000;

describe("the rates of console sessions", () => {
  it("are 10 requests a second each, without a burst", () => {
    const rates = new ConsoleSessionRates();
    const taken = Array.from({ length: 11 }, () => rates.take("one", NOW));
    expect(taken.map(({ allowed }) => allowed)).toEqual([
      ...Array.from({ length: 10 }, () => true),
      false,
    ]);
    expect(taken[0]?.rate).toEqual({ limit: 10, remaining: 9, resetSeconds: 1 });
    expect(rates.take("one", NOW + 100).allowed).toBe(true);
    expect(rates.take("one", NOW + 100).allowed).toBe(false);
    expect(rates.peek("one", NOW + 10_000)).toEqual({ limit: 10, remaining: 10, resetSeconds: 0 });
  });

  it("refuse a new session while the maximum number of sessions is busy, but no busy session", () => {
    const rates = new ConsoleSessionRates();
    for (let session = 0; session < CONSOLE_SESSIONS_AT_ONCE; session += 1)
      expect(rates.take(`session ${session}`, NOW).allowed).toBe(true);
    expect(rates.take("one more", NOW)).toEqual({
      allowed: false,
      rate: { limit: 10, remaining: 0, resetSeconds: 1 },
    });
    expect(rates.take("session 0", NOW).allowed).toBe(true);
    expect(rates.take("one more", NOW + 100).allowed).toBe(true);
  });

  it("give a forgotten session no extra requests", () => {
    const rates = new ConsoleSessionRates();
    for (let request = 0; request < 10; request += 1) rates.take("one", NOW);
    for (let session = 0; session < 10 * CONSOLE_SESSIONS_AT_ONCE; session += 1)
      rates.take(`session ${session}`, NOW + 50);
    expect(rates.take("one", NOW + 50).allowed).toBe(false);
  });
});
