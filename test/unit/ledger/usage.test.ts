// Tests src/ledger/usage.ts: what a ledger reports about its quotas, labels and open jobs
// (contract.md §Usage).
import { beforeEach, describe, expect, it } from "vitest";
import {
  claimAll,
  type LedgerStub,
  messageOf,
  noonLedger,
  NOON,
  pacedSend,
  refs,
  sendOf,
  settle,
} from "./ledger-harness.ts";

const HOUR = 3_600_000;
const IDLE = { waiting: 0, queued: 0, attempting: 0, deferred: 0, awaiting: 0 };
const NOTHING_OPEN = { ...IDLE, oldestAcceptedAt: null };

let ledger: LedgerStub;

beforeEach(async () => {
  ({ ledger } = await noonLedger());
});

describe("the labels of a ledger's usage", () => {
  const labelsAt = async (now: number) => (await ledger.usage(now)).labels;

  it("are counted once each, in the window of every cap, until they leave it", async () => {
    const first = { tags: ["a", "b"], topic: "news", campaign: "spring" };
    await ledger.admit(sendOf([first, first, { tags: ["b", "c"], campaign: "autumn" }]));
    await ledger.admit(sendOf([{ tags: ["c"], topic: "bills" }], { now: NOON + HOUR / 2 }));
    const all = { tagsPerHour: 3, topicPerHour: 2, campaignPerHour: 2, campaignPer72Hours: 2 };
    expect(await labelsAt(NOON + HOUR / 2)).toEqual(all);
    const left = { tagsPerHour: 1, topicPerHour: 1, campaignPerHour: 0, campaignPer72Hours: 2 };
    expect(await labelsAt(NOON + HOUR)).toEqual(left);
    expect((await labelsAt(NOON + 72 * HOUR)).campaignPer72Hours).toBe(0);
  });
});

describe("the figures of a ledger's deliveries", () => {
  it("count each open recipient in one state, and have the time at which the oldest message was accepted", async () => {
    expect((await ledger.usage(NOON)).delivery).toEqual(NOTHING_OPEN);
    const id = "email_1";
    await ledger.admit(pacedSend([{ id, recipientCount: 8 }], 6));
    const [delivered, deferred, handed] = await claimAll(ledger, refs(id, 0, 1, 2, 3), NOON);
    await settle(ledger, [delivered!], NOON);
    await settle(ledger, [deferred!], NOON, NOON + HOUR);
    const awaits = { until: NOON + HOUR, lastReply: null };
    const awaiting = { ...handed!, events: [], nextAttemptAt: null, awaits };
    await ledger.settle([awaiting], { [id]: messageOf(id) }, NOON);
    const { delivery, messages, jobs: open } = await ledger.usage(NOON);
    const counts = { waiting: 2, queued: 2, attempting: 1, deferred: 1, awaiting: 1 };
    expect(delivery).toEqual({ ...counts, oldestAcceptedAt: NOON });
    expect([messages, open]).toEqual([1, 7]);
  });
});
