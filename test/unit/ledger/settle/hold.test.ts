// Tests TeamLedger.hold(): a job whose courier still works on it is not offered to another
// consumer.
import { runDurableObjectAlarm } from "cloudflare:test";
import { afterEach, describe, expect, it, vi } from "vitest";
import { holdJob, type Job, LEASE_MS } from "../../../../src/ledger/open/job.ts";
import { newLedger, NOON, recordQueue, send, setClock, settle } from "../ledger-harness.ts";

const leased: Job = { state: "leased", attempt: 2, until: 1_000 };

afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
  vi.restoreAllMocks();
});

describe("a lease", () => {
  it("that was held is granted to no other consumer until it expires", async () => {
    const ledger = newLedger();
    setClock(NOON);
    const queue = await recordQueue(ledger);
    await ledger.admit(send());
    await vi.waitFor(() => expect(queue.jobs).toHaveLength(1));
    const { grants } = await ledger.claim(queue.jobs, NOON);
    await ledger.hold(grants, NOON + LEASE_MS - 1);
    setClock(NOON + LEASE_MS);
    await runDurableObjectAlarm(ledger);
    expect((await ledger.claim(queue.jobs, NOON + LEASE_MS)).grants).toEqual([]);
    const expiry = NOON + 2 * LEASE_MS - 1;
    expect((await ledger.claim(queue.jobs, expiry)).grants).toMatchObject([{ attempt: 1 }]);
    // The consumer that held the job may still settle it.
    const [grant] = grants;
    expect((await settle(ledger, grant ? [grant] : [], expiry)).applied).toHaveLength(1);
  });

  it("restarts for the attempt that holds it", () => {
    expect(holdJob(leased, 2, 900, LEASE_MS)).toEqual({ ...leased, until: 900 + LEASE_MS });
  });

  it.each<[string, Job | undefined, number]>([
    ["another attempt", leased, 1],
    ["a job that is done", { state: "done" }, 2],
    ["a job that waits", { state: "waiting", attempt: 2, dueAt: 0 }, 2],
    ["a job that is done", { state: "done" }, 2],
    ["no job", undefined, 1],
  ])("is not restarted for %s", (_name, job, attempt) => {
    expect(holdJob(job, attempt, 900, LEASE_MS)).toBeUndefined();
  });
});
