// Tests src/ledger/open/job.ts: the states of a job, in any order of claims, settlements and time.
import { fc } from "../../../support/properties.ts";
import { describe, expect, it } from "vitest";
import {
  claimJob,
  endAttempts,
  renewLease,
  isAbandoned,
  leaseOf,
  nextAttemptOf,
  releaseAgainAt,
  postponeJob,
  recallLease,
  settleJob,
  type Job,
} from "../../../../src/ledger/open/job.ts";

const LEASE = 100;
const WAITS = {
  leaseMs: LEASE,
  releaseMs: 30,
  postponedMs: 15,
  inheritedMs: 5,
  firstAskMs: 2,
  unansweredMs: 60,
};

describe("a job", () => {
  it("goes from its first claim through a retry to its end", () => {
    const first = claimJob(undefined, 1_000, LEASE);
    expect(first).toEqual({ state: "leased", attempt: 1, until: 1_100, claimedAt: 1_000 });
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
    ["was never claimed", undefined],
    ["is at another attempt", { state: "leased", attempt: 1, until: 0 }],
    ["waits for its next attempt", { state: "waiting", attempt: 2, dueAt: 0 }],
    ["is done", { state: "done" }],
  ])("can't be settled if it %s", (_, job) => {
    expect(settleJob(job, { attempt: 2, nextAttemptAt: null })).toBeUndefined();
  });

  it.each<[string, Job | undefined, Job | undefined]>([
    [
      "is done if it waits for its next attempt",
      { state: "waiting", attempt: 1, dueAt: 9 },
      { state: "done" },
    ],
    [
      "is done after its running attempt, even if that attempt is deferred",
      { state: "leased", attempt: 2, until: 1_100 },
      { state: "leased", attempt: 2, until: 1_100, isReported: true },
    ],
    [
      "is asked for after a lease's time if it may have a lease that is not on disk",
      undefined,
      { state: "leased", attempt: 1, until: 1_000 + LEASE, isReported: true, asks: 0 },
    ],
    ["stays done", { state: "done" }, undefined],
  ])("of a recipient whose bounce was reported, %s", (_, job, expected) => {
    const ended = endAttempts(job, 1_000, LEASE);
    expect(ended).toEqual(expected);
    if (ended?.state !== "leased") return;
    expect(settleJob(ended, { attempt: ended.attempt, nextAttemptAt: 5_000 })).toEqual({
      state: "done",
    });
    expect(claimJob(ended, 1_000_000, LEASE)).toBeUndefined();
    const isAsked = ended.asks !== undefined;
    expect([isAbandoned(ended, ended.until - 1), isAbandoned(ended, ended.until)]).toEqual([
      false,
      !isAsked,
    ]);
  });

  it.each<[string, Job | undefined, number, number, number | null]>([
    ["after a wait if no consumer claimed it", undefined, 1_000, 0, 1_030],
    ["after eight waits if it stays unclaimed", undefined, 1_000, 3, 1_240],
    ["after 32 waits at most", undefined, 1_000, 50, 1_960],
    ["when its lease expires", { state: "leased", attempt: 1, until: 1_500 }, 1_000, 0, 1_500],
    ["when its retry is due", { state: "waiting", attempt: 1, dueAt: 7_000 }, 1_000, 0, 7_000],
    [
      "after two waits if no consumer claimed its retry",
      { state: "waiting", attempt: 1, dueAt: 7_000 },
      7_001,
      1,
      7_061,
    ],
    ["never if it is done", { state: "done" }, 1_000, 0, null],
  ])("is released again: %s", (_, job, releasedAt, unclaimed, expected) => {
    expect(releaseAgainAt(job, releasedAt, unclaimed, WAITS)).toBe(expected);
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

const REPLY = { code: 451, enhanced: "4.2.0", text: "Later" };
const COPY = { providerId: null, sender: "a@example.com", recipient: "b@example.com", at: 0 };
const TAKEN = { nextAttemptAt: null, awaits: { until: 9_000, lastReply: null } };
const DEFERRED = {
  nextAttemptAt: null,
  awaits: { until: 9_000, lastReply: REPLY },
  verdict: { eventId: "event_1" },
};
const FINAL = { nextAttemptAt: null, verdict: { eventId: "event_2" } };
const FAILED = { nextAttemptAt: 5_000, verdict: { eventId: "event_3" } };

describe("a job whose copy a provider took", () => {
  const leased: Job = { state: "leased", attempt: 2, until: 1_100 };
  const awaiting: Job = { state: "awaiting", attempt: 2, dueAt: 9_000 };

  it("is awaiting, and is neither claimed nor released again until its time is over", () => {
    expect(settleJob(leased, { attempt: 2, ...TAKEN })).toEqual(awaiting);
    expect(claimJob(awaiting, 8_999, LEASE)).toBeUndefined();
    expect(releaseAgainAt(awaiting, 1_000, 3, WAITS)).toBe(9_000);
    expect(nextAttemptOf(awaiting)).toBeNull();
  });

  it("is granted as the same attempt with the last reply when no event came, and again after a lease", () => {
    const deferred = settleJob(awaiting, { attempt: 2, ...DEFERRED });
    expect(deferred).toEqual({ ...awaiting, lastReply: REPLY });
    const first = claimJob(deferred, 9_000, LEASE);
    const unheard = { lastReply: REPLY };
    expect(first).toEqual({
      state: "leased",
      attempt: 2,
      until: 9_100,
      claimedAt: 9_000,
      unheard,
    });
    expect(claimJob(first, 9_100, LEASE)).toMatchObject({ attempt: 2, until: 9_200, unheard });
    expect(claimJob(awaiting, 9_000, LEASE)).toMatchObject({ unheard: { lastReply: null } });
    const { awaits } = TAKEN;
    const isSilent = { ...TAKEN, awaits: { ...awaits, isSilent: true as const } };
    const silent = settleJob(leased, { attempt: 2, ...isSilent });
    expect(claimJob(silent, 9_000, LEASE)?.unheard).toEqual({ lastReply: null, isSilent: true });
    expect(settleJob(silent, { attempt: 2, ...DEFERRED })).toEqual(deferred);
    expect(settleJob(first, { attempt: 2, ...FINAL })).toEqual({ state: "done" });
  });

  it("changes only by a verdict on its own attempt, to done or to waiting", () => {
    expect(settleJob(awaiting, { attempt: 2, ...FINAL })).toEqual({ state: "done" });
    expect(settleJob(awaiting, { attempt: 2, ...FAILED })).toEqual({
      state: "waiting",
      attempt: 2,
      dueAt: 5_000,
    });
    for (const attempt of [1, 3])
      expect(settleJob(awaiting, { attempt, ...FINAL })).toBeUndefined();
  });

  it("stays as it is when a second copy of the attempt is taken, delayed or refused", () => {
    expect(settleJob(awaiting, { attempt: 2, ...TAKEN })).toBe(awaiting);
    expect(settleJob(awaiting, { attempt: 2, nextAttemptAt: 5_000 })).toBeUndefined();
    expect(settleJob(awaiting, { attempt: 2, nextAttemptAt: null })).toBeUndefined();
  });

  it("has no lease, and a restart restores none", () => {
    expect(leaseOf(awaiting, 2)).toBeUndefined();
    for (const attempt of [2, 3]) expect(recallLease(awaiting, attempt)).toBe(awaiting);
  });

  it("is done when the recipient's bounce is reported", () => {
    expect(endAttempts(awaiting, 1_000, LEASE)).toEqual({ state: "done" });
  });
});

describe("a job whose copy a provider may have taken", () => {
  const leased: Job = { state: "leased", attempt: 1, until: 1_100 };
  const unknown = settleJob(leased, { attempt: 1, nextAttemptAt: 5_000, copyTaken: COPY });

  it("waits for its next attempt, unless an event shows that the provider has the copy", () => {
    expect(unknown).toMatchObject({ state: "waiting", attempt: 1, dueAt: 5_000 });
    expect(settleJob(unknown, { attempt: 1, ...FINAL })).toEqual({ state: "done" });
    expect(settleJob(unknown, { attempt: 1, ...DEFERRED })).toEqual({
      state: "awaiting",
      attempt: 1,
      dueAt: 9_000,
      lastReply: REPLY,
    });
    expect(claimJob(unknown, 5_000, LEASE)).toMatchObject({ attempt: 2 });
  });

  it("keeps its next attempt when the provider failed, or another copy was taken", () => {
    expect(settleJob(unknown, { attempt: 1, ...FAILED })).toBeUndefined();
    expect(settleJob(unknown, { attempt: 1, ...TAKEN })).toBeUndefined();
  });

  it("keeps its next attempt if the provider failed and reports a delay later", () => {
    const failed = settleJob(leased, { attempt: 1, copyTaken: COPY, ...FAILED });
    expect(failed).toEqual({ state: "waiting", attempt: 1, dueAt: 5_000 });
    expect(settleJob(failed, { attempt: 1, ...DEFERRED })).toBeUndefined();
  });
});

describe("a lease", () => {
  it("keeps the time of its first claim until its job is postponed", () => {
    const first = claimJob(undefined, 1_000, LEASE);
    const held = renewLease(first!, 1_050, LEASE);
    const again = claimJob(held, 1_150, LEASE);
    expect([held, again]).toMatchObject([{ claimedAt: 1_000 }, { claimedAt: 1_000 }]);
    const postponed = postponeJob(again!, 1_200, WAITS.postponedMs, 7_000);
    expect(postponed).toEqual({ state: "leased", attempt: 1, until: 7_000, postponed: 1 });
    expect(claimJob(postponed, 7_000, LEASE)).toMatchObject({ attempt: 1, claimedAt: 7_000 });
  });

  it("doubles its wait each time that no courier takes its copy, up to 32 times, and starts anew in the next attempt", () => {
    let job = claimJob(undefined, 0, LEASE);
    let now = 0;
    for (const factor of [1, 2, 4, 8, 16, 32, 32]) {
      const postponed = postponeJob(job!, now, WAITS.postponedMs);
      now += factor * WAITS.postponedMs;
      expect(claimJob(postponed, now - 1, LEASE)).toBeUndefined();
      job = claimJob(postponed, now, LEASE);
      expect(job).toMatchObject({ attempt: 1 });
    }
    const second = claimJob(settleJob(job, { attempt: 1, nextAttemptAt: now }), now, LEASE);
    const once = postponeJob(second!, now, WAITS.postponedMs);
    expect(once.until).toBe(now + WAITS.postponedMs);
  });

  it("can be renewed for its own attempt", () => {
    const leased: Job = { state: "leased", attempt: 2, until: 1_000 };
    expect(renewLease(leaseOf(leased, 2)!, 900, LEASE)).toEqual({ ...leased, until: 900 + LEASE });
  });

  it.each<[string, Job | undefined, number]>([
    ["another attempt", { state: "leased", attempt: 2, until: 1_000 }, 1],
    ["a job that waits", { state: "waiting", attempt: 2, dueAt: 0 }, 2],
    ["a job that is done", { state: "done" }, 2],
    ["no job", undefined, 1],
  ])("is not found for %s", (_name, job, attempt) => {
    expect(leaseOf(job, attempt)).toBeUndefined();
  });
});

it("a job whose copies go to a provider is never sent twice for one attempt, and stays done", () => {
  const attempt = fc.integer({ min: 1, max: 3 });
  const outcome = fc.constantFrom(
    TAKEN,
    DEFERRED,
    FINAL,
    FAILED,
    { nextAttemptAt: null },
    { nextAttemptAt: 5_000 },
    { nextAttemptAt: 5_000, copyTaken: COPY },
  );
  const step = fc.oneof(
    fc.record({ act: fc.constant("claim" as const) }),
    fc.record({ act: fc.constant("settle" as const), attempt, outcome }),
    fc.record({ act: fc.constant("postpone" as const), attempt }),
    fc.record({ act: fc.constant("end" as const) }),
  );
  fc.assert(
    fc.property(fc.array(fc.tuple(step, fc.nat(3_000)), { maxLength: 60 }), (steps) => {
      let job: Job | undefined;
      let now = 0;
      for (const [one, wait] of steps) {
        now += wait;
        const before: Job | undefined = job;
        if (one.act === "claim") {
          const grant = claimJob(before, now, LEASE);
          if (!grant) continue;
          const last = before && before.state !== "done" ? before.attempt : 0;
          const isNew = before === undefined || before.state === "waiting";
          expect(grant.attempt).toBe(isNew ? last + 1 : last);
          const wasTaken =
            before?.state === "awaiting" || (before?.state === "leased" && !!before.unheard);
          expect(grant.unheard !== undefined).toBe(wasTaken);
          job = grant;
        } else if (one.act === "settle")
          job = settleJob(before, { attempt: one.attempt, ...one.outcome }) ?? before;
        else if (one.act === "postpone") {
          const lease = leaseOf(before, one.attempt);
          job = lease ? postponeJob(lease, now, WAITS.postponedMs) : before;
        } else job = endAttempts(before, now, LEASE) ?? before;
        if (before?.state === "done") expect(job).toBe(before);
        if (before && before.state !== "done" && job && job.state !== "done")
          expect(job.attempt).toBeGreaterThanOrEqual(before.attempt);
      }
    }),
  );
});
