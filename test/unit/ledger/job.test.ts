// Tests src/ledger/job.ts: the states of a job, in any order of claims, settlements and time.
import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  claimJob,
  endAttempts,
  isAbandoned,
  offerAt,
  settleJob,
  type Job,
} from "../../../src/ledger/job.ts";

const LEASE = 100;
const WAITS = { leaseMs: LEASE, releaseMs: 30, postponedMs: 15, inheritedMs: 5 };

describe("a job", () => {
  it("goes from its first claim over a retry to its end", () => {
    const first = claimJob(undefined, 1_000, LEASE);
    expect(first).toEqual({ state: "leased", attempt: 1, until: 1_100 });
    const waiting = settleJob(first, { attempt: 1, nextAttemptAt: 5_000 });
    expect(waiting).toEqual({ state: "waiting", attempt: 1, dueAt: 5_000 });
    expect(claimJob(waiting, 4_999, LEASE)).toBeUndefined();
    const second = claimJob(waiting, 5_000, LEASE);
    expect(second).toMatchObject({ attempt: 2 });
    expect(settleJob(second, { attempt: 2, nextAttemptAt: null })).toEqual({ state: "done" });
    expect(claimJob({ state: "done" }, 9_999_999, LEASE)).toBeUndefined();
  });

  it("is granted as the same attempt after its lease expired, and not before", () => {
    const leased: Job = { state: "leased", attempt: 3, until: 1_100 };
    expect(claimJob(leased, 1_099, LEASE)).toBeUndefined();
    expect(claimJob(leased, 1_100, LEASE)).toMatchObject({ attempt: 3 });
  });

  it.each<[string, Job | undefined]>([
    ["a job that was never claimed", undefined],
    ["another attempt", { state: "leased", attempt: 1, until: 0 }],
    ["a waiting job", { state: "waiting", attempt: 2, dueAt: 0 }],
    ["an ended job", { state: "done" }],
  ])("can't be settled by %s", (_, job) => {
    expect(settleJob(job, { attempt: 2, nextAttemptAt: null })).toBeUndefined();
  });

  it.each<[string, Job | undefined, Job | undefined]>([
    [
      "that waits for its next attempt is done",
      { state: "waiting", attempt: 1, dueAt: 9 },
      { state: "done" },
    ],
    [
      "whose attempt is under way is done when that is settled, also where it would be tried again",
      { state: "leased", attempt: 2, until: 1_100 },
      { state: "leased", attempt: 2, until: 1_100, isReported: true },
    ],
    [
      "of whose lease nothing is known may still be settled for a lease's time",
      undefined,
      { state: "leased", attempt: 1, until: 1_000 + LEASE, isReported: true },
    ],
    ["that is done stays so", { state: "done" }, undefined],
  ])("of a reported recipient, %s", (_, job, expected) => {
    const ended = endAttempts(job, 1_000, LEASE);
    expect(ended).toEqual(expected);
    if (ended?.state !== "leased") return;
    expect(settleJob(ended, { attempt: ended.attempt, nextAttemptAt: 5_000 })).toEqual({
      state: "done",
    });
    expect(claimJob(ended, 1_000_000, LEASE)).toBeUndefined();
    expect([isAbandoned(ended, ended.until - 1), isAbandoned(ended, ended.until)]).toEqual([
      false,
      true,
    ]);
  });

  it.each<[string, Job | undefined, number, number, number | null]>([
    ["a lost release after the wait", undefined, 1_000, 0, 1_030],
    ["one that stays unclaimed less and less often", undefined, 1_000, 3, 1_240],
    ["one that stays unclaimed at least that often", undefined, 1_000, 50, 1_960],
    ["a lease when it ran out", { state: "leased", attempt: 1, until: 1_500 }, 1_000, 0, 1_500],
    ["a retry when it is due", { state: "waiting", attempt: 1, dueAt: 7_000 }, 1_000, 0, 7_000],
    [
      "a retry whose release was lost",
      { state: "waiting", attempt: 1, dueAt: 7_000 },
      7_001,
      1,
      7_061,
    ],
    ["nothing that ended", { state: "done" }, 1_000, 0, null],
  ])("is offered again: %s", (_, job, releasedAt, unclaimed, expected) => {
    expect(offerAt(job, releasedAt, unclaimed, WAITS)).toBe(expected);
  });

  it("never skips or repeats a settled attempt, in any order of calls", () => {
    const step = fc.record({
      act: fc.constantFrom("claim", "settle"),
      attempt: fc.integer({ min: 1, max: 4 }),
      terminal: fc.boolean(),
      wait: fc.nat(150),
    });
    fc.assert(
      fc.property(fc.array(step, { maxLength: 80 }), (steps) => {
        let job: Job | undefined;
        let now = 0;
        let ended = false;
        const settled: number[] = [];
        for (const { act, attempt, terminal, wait } of steps) {
          now += wait;
          if (act === "claim") {
            const leased = claimJob(job, now, LEASE);
            if (!leased) continue;
            expect(ended).toBe(false);
            expect(leased.attempt).toBe(settled.length + 1);
            job = leased;
          } else {
            const after = settleJob(job, { attempt, nextAttemptAt: terminal ? null : now + 50 });
            if (!after) continue;
            settled.push(attempt);
            ended = terminal;
            job = after;
          }
        }
        expect(settled).toEqual(settled.map((_, index) => index + 1));
      }),
    );
  });
});
