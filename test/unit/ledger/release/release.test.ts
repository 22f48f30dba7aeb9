// Tests the release of jobs to the queue (src/ledger/release/releases.ts, job-sender.ts): batches,
// pace and order.
import { describe, expect, it, vi } from "vitest";
import {
  alarmAt,
  claimAll,
  emailIds,
  NOON,
  noonLedger,
  pacedSend,
  policy,
  refs,
  restart,
  sendOf,
  settle,
} from "../ledger-harness.ts";

const SECOND = 1_000;

describe("release to the queue", () => {
  it("sends jobs at once, in batches of 100 at most", async () => {
    const { ledger, queue } = await noonLedger();
    await ledger.admit(sendOf(Array.from({ length: 5 }, () => ({ recipientCount: 50 }))));
    await vi.waitFor(() => expect(queue.jobs).toHaveLength(250));
    expect(queue.batches).toEqual([100, 100, 50]);
  });

  const LARGE = { content: "x".repeat(20_000) };

  it.each([
    ["of one message", [{ recipientCount: 12, ...LARGE }], [5, 5, 2]],
    ["of small messages", Array.from({ length: 7 }, () => ({})), [5, 2]],
    ["of a batch that shares a row", Array.from({ length: 17 }, () => ({})), [5, 5, 5, 2]],
    [
      "of each large message alone",
      [{}, LARGE, LARGE, { content: null, contentKey: "a" }, {}],
      [1, 1, 1, 1, 1],
    ],
  ])(
    "puts the jobs %s into shared queue messages, a few in each",
    async (_, candidates, messages) => {
      const { ledger, queue } = await noonLedger();
      await ledger.admit(sendOf(candidates));
      await vi.waitFor(() => expect(queue.messages).toEqual(messages));
      expect(new Set(emailIds(queue.jobs)).size).toBe(candidates.length);
    },
  );

  it("shares queue messages also for jobs that had to wait, and across a restart", async () => {
    const { ledger } = await noonLedger();
    const pace = policy({ deliveryRatePerMinute: 360 });
    await ledger.admit(sendOf([{ recipientCount: 360 }], { policy: pace }));
    const waiting = [...Array(24).keys()].map((at) => ({ id: `email_${at}`, content: `${at}` }));
    await ledger.admit(sendOf(waiting.slice(0, 20), { policy: pace }));
    await ledger.admit(sendOf(waiting.slice(20), { policy: pace }));
    const queue = await restart(ledger);
    for (let second = 1; second <= 4; second += 1) await alarmAt(ledger, NOON + second * SECOND);
    await vi.waitFor(() => expect(queue.jobs).toHaveLength(24));
    expect(emailIds(queue.jobs)).toEqual(waiting.map(({ id }) => id));
    expect(queue.messages).toEqual([5, 1, 5, 1, 5, 1, 2, 1, 1, 1, 1]);
  });

  it("releases the jobs of one minute at once and further jobs at the rate, in the order of acceptance, across a restart", async () => {
    const noon = await noonLedger();
    const { ledger } = noon;
    let { queue } = noon;
    const pace = policy({ deliveryRatePerMinute: 120 });
    const ids = Array.from({ length: 130 }, (_, index) => ({ id: `email_${String(999 - index)}` }));
    await ledger.admit(sendOf(ids.slice(0, 70), { policy: pace }));
    await ledger.admit(sendOf(ids.slice(70), { policy: pace }));
    await vi.waitFor(() => expect(queue.jobs).toHaveLength(120));
    const seen = emailIds(queue.jobs);
    for (let second = 1; second <= 5; second += 1) {
      if (second === 3) {
        queue = await restart(ledger);
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
    const { ledger, queue } = await noonLedger();
    await ledger.admit(pacedSend([{ recipientCount: 50 }, { recipientCount: 50 }], 60));
    await ledger.admit(pacedSend([{}], 600));
    await vi.waitFor(() => expect(queue.jobs).toHaveLength(60));
    await alarmAt(ledger, NOON + SECOND);
    await vi.waitFor(() => expect(queue.jobs).toHaveLength(70));
  });

  it("splits a message between rounds without losing or repeating a recipient", async () => {
    const noon = await noonLedger();
    const { ledger } = noon;
    let { queue } = noon;
    const both = ["email_a", "email_b"].map((id) => ({ id, recipientCount: 50 }));
    await ledger.admit(pacedSend(both, 60));
    await vi.waitFor(() => expect(queue.jobs).toHaveLength(60));
    const seen = [...queue.jobs];
    queue = await restart(ledger);
    await alarmAt(ledger, NOON + 15 * SECOND);
    // After the restart, the ledger releases fifteen further jobs at its usual rate. It also asks
    // what became of the fifty jobs of the message that was released in full before.
    await vi.waitFor(() => expect(queue.jobs).toHaveLength(15));
    expect(queue.asks.flatMap(({ keys }) => keys)).toHaveLength(50);
    await alarmAt(ledger, NOON + 40 * SECOND);
    const keys = () =>
      [...seen, ...queue.jobs].map((job) => `${job.emailId}/${job.recipientIndex}`);
    await vi.waitFor(() => expect(new Set(keys()).size).toBe(100));
    const { grants } = await ledger.claim(refs("email_b", ...Array(50).keys()), NOON);
    expect(grants).toHaveLength(50);
  });

  it("releases the rest after a restart even if the last released message is delivered and deleted", async () => {
    const noon = await noonLedger();
    const { ledger } = noon;
    let { queue } = noon;
    const ids = Array.from({ length: 62 }, (_, index) => ({ id: `email_${index}` }));
    await ledger.admit(sendOf(ids, { policy: policy({ deliveryRatePerMinute: 60 }) }));
    await alarmAt(ledger, NOON + SECOND);
    await vi.waitFor(() => expect(queue.jobs).toHaveLength(61));
    const grants = await claimAll(ledger, refs("email_60"), NOON + SECOND);
    await settle(ledger, grants.slice(0, 1), NOON + SECOND);
    queue = await restart(ledger);
    await alarmAt(ledger, NOON + 2 * SECOND);
    await vi.waitFor(() => expect(emailIds(queue.jobs)).toEqual(["email_61"]));
  });
});
