// Tests how long and how many outcomes the gateway keeps in memory
// (smtp-gateway/src/journal/recent-outcomes.ts).
import { describe, expect, it } from "vitest";
import { type EndedAttempt, failure } from "../../../smtp-gateway/src/outcome.ts";
import { RecentOutcomes } from "../../../smtp-gateway/src/journal/recent-outcomes.ts";

const MINUTE_MS = 60_000;
const OUTCOME: EndedAttempt = {
  outcome: failure("connect", "connecting: ECONNREFUSED"),
  takenAt: 1,
  repliedAt: 2,
};
const failedWith = (detail: string): EndedAttempt => ({
  ...OUTCOME,
  outcome: failure("other", detail),
});

describe("an outcome in memory", () => {
  it("is found for twenty minutes", () => {
    const clock = { now: 0 };
    const recent = new RecentOutcomes(() => clock.now);
    recent.keep("a", OUTCOME);
    clock.now = 20 * MINUTE_MS - 1;
    recent.keep("b", OUTCOME);
    expect([recent.find("a"), recent.find("c"), recent.size]).toEqual([OUTCOME, undefined, 2]);
    clock.now = 20 * MINUTE_MS;
    expect([recent.find("a"), recent.find("b"), recent.size]).toEqual([undefined, OUTCOME, 1]);
  });

  it("is dropped early when there is no room, the oldest first", () => {
    const recent = new RecentOutcomes(() => 0, 10_000);
    for (let at = 0; at < 1_000; at += 1) recent.keep(`k${at}`, failedWith("x".repeat(1_000)));
    expect(recent.size).toBe(4);
    expect([recent.find("k995"), recent.find("k996")]).toEqual([
      undefined,
      failedWith("x".repeat(1_000)),
    ]);
    for (let at = 0; at < 1_000; at += 1) recent.keep(`k${at}`, OUTCOME);
    expect(recent.size).toBeGreaterThan(25);
  });

  it("takes room once, however often it is kept", () => {
    const recent = new RecentOutcomes(() => 0, 10_000);
    recent.keep("other", OUTCOME);
    for (let at = 0; at < 1_000; at += 1) recent.keep("k", OUTCOME);
    expect([recent.size, recent.find("other")]).toEqual([2, OUTCOME]);
  });
});
