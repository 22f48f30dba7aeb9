// What src/ledger guarantees: release.
import { evictDurableObject, runDurableObjectAlarm, runInDurableObject } from "cloudflare:test";
import { afterEach, describe, expect, it, vi } from "vitest";
import type { Grant, JobRef } from "../../../src/ledger/ledger-contract.ts";
import { INHERITED_MS, LEASE_MS, RELEASE_WAIT_MS } from "../../../src/ledger/job.ts";
import {
  alarmOf,
  messageOf,
  newLedger,
  NOON,
  policy,
  recordQueue,
  send,
  sendOf,
  setClock,
  settle,
  type Ledger,
} from "./ledger-harness.ts";

const SECOND = 1_000;

/** Lets the object's alarm go off at `now`. */
async function alarmAt(ledger: Ledger, now: number): Promise<void> {
  setClock(now);
  expect(await runDurableObjectAlarm(ledger)).toBe(true);
}

function emailIds(jobs: readonly JobRef[]): string[] {
  return jobs.map((job) => job.emailId);
}

async function claimAll(
  ledger: Ledger,
  jobs: readonly JobRef[],
  now: number,
): Promise<readonly Grant[]> {
  return (await ledger.claim(jobs, now)).grants;
}

describe("release to the queue", () => {
  afterEach(() => {
    vi.useRealTimers();
    vi.unstubAllGlobals();
    vi.restoreAllMocks();
  });

  it("hands over at once, in batches of 100 at most", async () => {
    const ledger = newLedger();
    setClock(NOON);
    const queue = await recordQueue(ledger);
    await ledger.admit(sendOf(Array.from({ length: 5 }, () => ({ recipientCount: 50 }))));
    await vi.waitFor(() => expect(queue.jobs).toHaveLength(250));
    expect(queue.batches).toEqual([100, 100, 50]);
  });

  const large = "x".repeat(20_000);

  it.each([
    ["of one message", [{ recipientCount: 12, content: large }], [5, 5, 2]],
    ["of small ones", Array.from({ length: 7 }, () => ({})), [5, 2]],
    ["of a batch that shares a row", Array.from({ length: 17 }, () => ({})), [5, 5, 5, 2]],
    [
      "of each large one by itself",
      [{}, { content: large }, { content: large }, { content: null, contentKey: "a" }, {}],
      [1, 1, 1, 1, 1],
    ],
  ])(
    "has the jobs %s share messages of the queue, a few in each",
    async (_, candidates, messages) => {
      const ledger = newLedger();
      setClock(NOON);
      const queue = await recordQueue(ledger);
      await ledger.admit(sendOf(candidates));
      await vi.waitFor(() => expect(queue.messages).toEqual(messages));
      expect(new Set(emailIds(queue.jobs)).size).toBe(candidates.length);
    },
  );

  it("has them share it also when they had to wait, and across a restart", async () => {
    const ledger = newLedger();
    setClock(NOON);
    await recordQueue(ledger);
    const pace = policy({ deliveryRatePerMinute: 360 });
    await ledger.admit(sendOf([{ recipientCount: 360 }], { policy: pace }));
    const waiting = Array.from({ length: 24 }, (_, index) => ({
      id: `email_${index}`,
      content: `${index}`,
    }));
    await ledger.admit(sendOf(waiting.slice(0, 20), { policy: pace }));
    await ledger.admit(sendOf(waiting.slice(20), { policy: pace }));
    await evictDurableObject(ledger);
    const queue = await recordQueue(ledger);
    for (let second = 1; second <= 4; second += 1) await alarmAt(ledger, NOON + second * SECOND);
    await vi.waitFor(() => expect(queue.jobs).toHaveLength(24));
    expect(emailIds(queue.jobs)).toEqual(waiting.map(({ id }) => id));
    expect(queue.messages).toEqual([5, 1, 5, 1, 5, 1, 2, 1, 1, 1, 1]);
  });

  it("releases a minute's worth and then the rate, in the order of acceptance, across a restart", async () => {
    const ledger = newLedger();
    setClock(NOON);
    let queue = await recordQueue(ledger);
    const pace = policy({ deliveryRatePerMinute: 120 });
    const ids = Array.from({ length: 130 }, (_, index) => ({ id: `email_${String(999 - index)}` }));
    await ledger.admit(sendOf(ids.slice(0, 70), { policy: pace }));
    await ledger.admit(sendOf(ids.slice(70), { policy: pace }));
    await vi.waitFor(() => expect(queue.jobs).toHaveLength(120));
    const seen = emailIds(queue.jobs);
    for (let second = 1; second <= 5; second += 1) {
      if (second === 3) {
        await evictDurableObject(ledger);
        queue = await recordQueue(ledger);
      }
      const before = queue.jobs.length;
      await alarmAt(ledger, NOON + second * SECOND);
      await vi.waitFor(() => expect(queue.jobs).toHaveLength(before + 2));
      seen.push(...emailIds(queue.jobs.slice(before)));
    }
    expect(seen).toEqual(ids.map(({ id }) => id));
    expect(await ledger.usage(NOON)).toMatchObject({ messages: 130, jobs: 130 });
  });

  it("follows a changed rate while messages wait", async () => {
    const ledger = newLedger();
    setClock(NOON);
    const queue = await recordQueue(ledger);
    await ledger.admit(
      sendOf([{ recipientCount: 50 }, { recipientCount: 50 }], {
        policy: policy({ deliveryRatePerMinute: 60 }),
      }),
    );
    await ledger.admit(sendOf([{}], { policy: policy({ deliveryRatePerMinute: 600 }) }));
    await vi.waitFor(() => expect(queue.jobs).toHaveLength(60));
    await alarmAt(ledger, NOON + SECOND);
    await vi.waitFor(() => expect(queue.jobs).toHaveLength(70));
  });

  it("lets a single message of another stream out within two rounds of a campaign of 10,000", async () => {
    const ledger = newLedger();
    setClock(NOON);
    const queue = await recordQueue(ledger);
    const pace = policy({ deliveryRatePerMinute: 60, daily: 100_000, monthly: 100_000 });
    for (let batch = 0; batch < 2; batch += 1) {
      const campaign = Array.from({ length: 100 }, () => ({ stream: "big", recipientCount: 50 }));
      await ledger.admit(sendOf(campaign, { policy: pace }));
    }
    await ledger.admit(sendOf([{ id: "email_single", stream: "" }], { policy: pace }));
    await vi.waitFor(() => expect(queue.jobs).toHaveLength(60));
    await alarmAt(ledger, NOON + SECOND);
    await alarmAt(ledger, NOON + 2 * SECOND);
    await vi.waitFor(() => expect(queue.jobs).toHaveLength(62));
    expect(emailIds(queue.jobs)).toContain("email_single");
    expect(await alarmOf(ledger)).toBe(NOON + 3 * SECOND);
  });

  it("splits a message between rounds without losing or repeating a recipient", async () => {
    const ledger = newLedger();
    setClock(NOON);
    let queue = await recordQueue(ledger);
    const pace = policy({ deliveryRatePerMinute: 60 });
    await ledger.admit(
      sendOf(
        [
          { id: "email_a", recipientCount: 50 },
          { id: "email_b", recipientCount: 50 },
        ],
        { policy: pace },
      ),
    );
    await vi.waitFor(() => expect(queue.jobs).toHaveLength(60));
    const seen = [...queue.jobs];
    await evictDurableObject(ledger);
    queue = await recordQueue(ledger);
    await alarmAt(ledger, NOON + 15 * SECOND);
    // What was released whole before the restart is offered again beside the round's own fifteen.
    await vi.waitFor(() => expect(queue.jobs).toHaveLength(65));
    await alarmAt(ledger, NOON + 40 * SECOND);
    await vi.waitFor(() =>
      expect(
        new Set([...seen, ...queue.jobs].map((job) => `${job.emailId}/${job.recipientIndex}`)).size,
      ).toBe(100),
    );
    expect(
      (
        await ledger.claim(
          Array.from({ length: 50 }, (_, recipientIndex) => ({
            emailId: "email_b",
            recipientIndex,
          })),
          NOON,
        )
      ).grants,
    ).toHaveLength(50);
  });

  it("still releases the rest after a restart when what was released last is delivered and gone", async () => {
    const ledger = newLedger();
    setClock(NOON);
    let queue = await recordQueue(ledger);
    const ids = Array.from({ length: 62 }, (_, index) => ({ id: `email_${index}` }));
    await ledger.admit(sendOf(ids, { policy: policy({ deliveryRatePerMinute: 60 }) }));
    await alarmAt(ledger, NOON + SECOND);
    await vi.waitFor(() => expect(queue.jobs).toHaveLength(61));
    const grants = await claimAll(
      ledger,
      [{ emailId: "email_60", recipientIndex: 0 }],
      NOON + SECOND,
    );
    await settle(ledger, grants.slice(0, 1), NOON + SECOND);
    await evictDurableObject(ledger);
    queue = await recordQueue(ledger);
    await alarmAt(ledger, NOON + 2 * SECOND);
    await vi.waitFor(() => expect(emailIds(queue.jobs)).toEqual(["email_61"]));
  });

  it("offers again what the queue did not take or lost, less and less often, until it is claimed", async () => {
    const ledger = newLedger();
    setClock(NOON);
    const queue = await recordQueue(ledger);
    queue.refuses = true;
    vi.spyOn(console, "error").mockImplementation(() => {});
    await ledger.admit(sendOf([{ id: "email_lost" }]));
    queue.refuses = false;
    expect(await alarmOf(ledger)).toBe(NOON + RELEASE_WAIT_MS);
    await alarmAt(ledger, NOON + RELEASE_WAIT_MS);
    await vi.waitFor(() => expect(emailIds(queue.jobs)).toEqual(["email_lost"]));
    expect(await alarmOf(ledger)).toBe(NOON + 3 * RELEASE_WAIT_MS);
    await alarmAt(ledger, NOON + 3 * RELEASE_WAIT_MS);
    await vi.waitFor(() => expect(queue.jobs).toHaveLength(2));
    expect(await claimAll(ledger, queue.jobs, NOON + 3 * RELEASE_WAIT_MS)).toHaveLength(1);
  });

  it("offers a job again soon after a restart, without waiting for a lease that may have died with it", async () => {
    const ledger = newLedger();
    setClock(NOON);
    let queue = await recordQueue(ledger);
    await ledger.admit(send());
    await ledger.admit(send());
    await vi.waitFor(() => expect(queue.jobs).toHaveLength(2));
    await claimAll(ledger, queue.jobs.slice(0, 1), NOON);
    await evictDurableObject(ledger);
    queue = await recordQueue(ledger);
    // The clock goes on while the object restarts.
    const again = (await alarmOf(ledger)) ?? 0;
    expect(again - NOON).toBeGreaterThanOrEqual(INHERITED_MS);
    expect(again - NOON).toBeLessThan(2 * INHERITED_MS);
    await alarmAt(ledger, again);
    await vi.waitFor(() => expect(queue.jobs).toHaveLength(2));
    expect(await claimAll(ledger, queue.jobs, again)).toMatchObject([
      { attempt: 1 },
      { attempt: 1 },
    ]);
  });

  it("offers a postponed job again at its time, as the same attempt", async () => {
    const ledger = newLedger();
    setClock(NOON);
    const queue = await recordQueue(ledger);
    await ledger.admit(send());
    await vi.waitFor(() => expect(queue.jobs).toHaveLength(1));
    const [grant] = await claimAll(ledger, queue.jobs, NOON);
    await ledger.postpone([grant as Grant], NOON);
    expect(await claimAll(ledger, queue.jobs, NOON + 14 * SECOND)).toEqual([]);
    await alarmAt(ledger, NOON + 15 * SECOND);
    expect(await claimAll(ledger, queue.jobs, NOON + 15 * SECOND)).toMatchObject([{ attempt: 1 }]);
  });

  it("offers a job again when its lease ran out, and no more when it is settled", async () => {
    const ledger = newLedger();
    setClock(NOON);
    const queue = await recordQueue(ledger);
    await ledger.admit(send());
    await vi.waitFor(() => expect(queue.jobs).toHaveLength(1));
    await claimAll(ledger, queue.jobs, NOON);
    await alarmAt(ledger, NOON + RELEASE_WAIT_MS);
    const expiry = NOON + LEASE_MS;
    queue.jobs.length = 0;
    expect(await alarmOf(ledger)).toBe(expiry);
    await alarmAt(ledger, expiry);
    await vi.waitFor(() => expect(queue.jobs).toHaveLength(1));
    const grants = await claimAll(ledger, queue.jobs, expiry);
    expect(grants).toMatchObject([{ attempt: 1 }]);
    await settle(ledger, grants, expiry);
    await alarmAt(ledger, expiry + LEASE_MS);
    expect(queue.jobs).toHaveLength(1);
    expect(await alarmOf(ledger)).toBeNull();
  });

  it("releases a retry when it is due, beside the pace, and grants it to a consumer whose clock is behind", async () => {
    const ledger = newLedger();
    setClock(NOON);
    const queue = await recordQueue(ledger);
    await ledger.admit(send({ policy: policy({ deliveryRatePerMinute: 1 }) }));
    await vi.waitFor(() => expect(queue.jobs).toHaveLength(1));
    const grants = await claimAll(ledger, queue.jobs, NOON);
    await settle(ledger, grants, NOON, NOON + 5 * SECOND);
    expect(await alarmOf(ledger)).toBe(NOON + 5 * SECOND);
    await alarmAt(ledger, NOON + 5 * SECOND);
    await vi.waitFor(() => expect(queue.jobs).toHaveLength(2));
    expect(await claimAll(ledger, queue.jobs, NOON + 4 * SECOND)).toMatchObject([{ attempt: 2 }]);
  });

  it("sets no alarm when there is nothing left to do", async () => {
    const ledger = newLedger();
    setClock(NOON);
    const queue = await recordQueue(ledger);
    expect(await alarmOf(ledger)).toBeNull();
    await ledger.admit(send());
    await vi.waitFor(() => expect(queue.jobs).toHaveLength(1));
    const grants = await claimAll(ledger, queue.jobs, NOON);
    await settle(ledger, grants, NOON);
    await alarmAt(ledger, NOON + RELEASE_WAIT_MS);
    expect(await alarmOf(ledger)).toBeNull();
  });

  it("throws labels away that no window counts, and then sleeps", async () => {
    const ledger = newLedger();
    setClock(NOON);
    await recordQueue(ledger);
    const caps = policy({ daily: 100 });
    await ledger.admit(sendOf([{ recipientCount: 101, tags: ["never"] }], { policy: caps }));
    expect(await alarmOf(ledger)).toBeNull();
    const admission = await ledger.admit(
      sendOf([{ id: "email_t", tags: ["a"], campaign: "c" }], { policy: caps }),
    );
    expect(admission.kind).toBe("answered");
    const grants = await claimAll(ledger, [{ emailId: "email_t", recipientIndex: 0 }], NOON);
    const settled = grants.map((grant) => ({ ...grant, events: [], nextAttemptAt: null }));
    await ledger.settle(settled, { email_t: messageOf("email_t") }, NOON);
    await alarmAt(ledger, NOON + RELEASE_WAIT_MS);
    expect(await alarmOf(ledger)).toBe(NOON + 2 * 3_600 * SECOND);
    await alarmAt(ledger, NOON + 2 * 3_600 * SECOND);
    expect(await alarmOf(ledger)).toBe(NOON + 73 * 3_600 * SECOND);
    await alarmAt(ledger, NOON + 73 * 3_600 * SECOND);
    expect(await alarmOf(ledger)).toBeNull();
  });

  it("sets its next alarm even when a round fails", async () => {
    const ledger = newLedger();
    setClock(NOON);
    await recordQueue(ledger);
    await ledger.admit(send());
    const log = vi.spyOn(console, "error").mockImplementation(() => {});
    await runInDurableObject(
      ledger,
      (_, { storage }) => void storage.sql.exec("DROP TABLE ledger"),
    );
    await alarmAt(ledger, NOON + RELEASE_WAIT_MS);
    expect(log).toHaveBeenCalledOnce();
    expect(await alarmOf(ledger)).toBe(NOON + RELEASE_WAIT_MS + 10 * SECOND);
  });

  it("passes its crash points in order: on disk, then answered; in the queue, then on", async () => {
    const ledger = newLedger();
    setClock(NOON);
    const queue = await recordQueue(ledger, { CRASH_POINT_URL: "http://harness.test" });
    const passed: string[] = [];
    vi.stubGlobal("fetch", async (url: string) => {
      passed.push(`${url.slice(url.lastIndexOf("/") + 1)} with ${queue.jobs.length} in the queue`);
      return new Response();
    });
    await ledger.admit(send());
    await vi.waitFor(() =>
      expect(passed).toEqual([
        "after_admit with 0 in the queue",
        "after_release with 1 in the queue",
      ]),
    );
  });
});
