// What src/ledger/job.ts guarantees.
import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { claimJob, forgetJob, offerAt, settleJob, type Job } from "../../../src/ledger/job.ts";

const LEASE = 100;
const WAITS = { leaseMs: LEASE, releaseMs: 30, unrecordedMs: 60, postponedMs: 15, inheritedMs: 5 };

describe("a job", () => {
  it("walks from its first claim through a retry to its end", () => {
    const first = claimJob(undefined, 1_000, LEASE);
    if (first.kind !== "granted") throw new Error(first.kind);
    expect(first.attempt).toBe(1);
    const delayed = settleJob(first.job, { attempt: 1, facts: "f1", nextAttemptAt: 5_000 }, 1_010);
    expect(claimJob(delayed, 1_020, LEASE)).toEqual({ kind: "unrecorded", attempt: 1, facts: "f1" });
    const waiting = forgetJob(delayed, 1);
    expect(waiting).toEqual({ state: "waiting", attempt: 1, dueAt: 5_000 });
    expect(claimJob(waiting, 4_999, LEASE).kind).toBe("refused");
    const second = claimJob(waiting, 5_000, LEASE);
    if (second.kind !== "granted") throw new Error(second.kind);
    expect(second.attempt).toBe(2);
    const ended = settleJob(second.job, { attempt: 2, facts: "f2", nextAttemptAt: null }, 5_010);
    expect(forgetJob(ended, 2)).toEqual({ state: "done" });
    expect(claimJob({ state: "done" }, 9_999_999, LEASE).kind).toBe("refused");
  });

  it("is the same attempt again when a lease ran out, and not before", () => {
    const leased: Job = { state: "leased", attempt: 3, until: 1_100 };
    expect(claimJob(leased, 1_099, LEASE).kind).toBe("refused");
    expect(claimJob(leased, 1_100, LEASE)).toMatchObject({ kind: "granted", attempt: 3 });
  });

  it.each<[string, Job | undefined]>([
    ["a job that was never claimed", undefined],
    ["another attempt", { state: "leased", attempt: 1, until: 0 }],
    ["a settled attempt", { state: "settled", attempt: 2, at: 0, facts: "f", nextAttemptAt: null }],
    ["a waiting job", { state: "waiting", attempt: 2, dueAt: 0 }],
    ["an ended job", { state: "done" }],
  ])("does not let anyone settle %s", (_, job) => {
    expect(settleJob(job, { attempt: 2, facts: "new", nextAttemptAt: null }, 10)).toBeUndefined();
  });

  it("forgets only the attempt that was recorded", () => {
    const settled: Job = { state: "settled", attempt: 2, at: 0, facts: "f", nextAttemptAt: null };
    expect(forgetJob(settled, 1)).toBeUndefined();
    expect(forgetJob({ state: "leased", attempt: 2, until: 9 }, 2)).toBeUndefined();
    expect(forgetJob(settled, 2)).toEqual({ state: "done" });
  });

  it.each<[string, Job | undefined, number, number, number | null]>([
    ["a lost release after the wait", undefined, 1_000, 0, 1_030],
    ["one that stays unclaimed less and less often", undefined, 1_000, 3, 1_240],
    ["one that stays unclaimed at least that often", undefined, 1_000, 50, 1_960],
    ["a lease when it ran out", { state: "leased", attempt: 1, until: 1_500 }, 1_000, 0, 1_500],
    [
      "an unrecorded settlement after a while",
      { state: "settled", attempt: 1, at: 1_200, facts: "", nextAttemptAt: null },
      1_000,
      0,
      1_260,
    ],
    ["a retry when it is due", { state: "waiting", attempt: 1, dueAt: 7_000 }, 1_000, 0, 7_000],
    ["a retry whose release was lost", { state: "waiting", attempt: 1, dueAt: 7_000 }, 7_001, 1, 7_061],
    ["nothing that ended", { state: "done" }, 1_000, 0, null],
  ])("is offered again: %s", (_, job, releasedAt, unclaimed, expected) => {
    expect(offerAt(job, releasedAt, unclaimed, WAITS)).toBe(expected);
  });

  it("never skips or repeats a settled attempt, whatever order things arrive in", () => {
    const step = fc.record({
      act: fc.constantFrom("claim", "settle", "forget"),
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
            const claiming = claimJob(job, now, LEASE);
            if (claiming.kind !== "granted") continue;
            expect(ended).toBe(false);
            expect(claiming.attempt).toBe(settled.length + 1);
            job = claiming.job;
          } else if (act === "settle") {
            const after = settleJob(job, { attempt, facts: "", nextAttemptAt: terminal ? null : now + 50 }, now);
            if (!after) continue;
            settled.push(attempt);
            ended = terminal;
            job = after;
          } else job = forgetJob(job, attempt) ?? job;
        }
        expect(settled).toEqual(settled.map((_, index) => index + 1));
      }),
    );
  });
});
