// Tests fairness between streams (docs/architecture.md §Release): a campaign of ten thousand delays
// a single message of another stream by at most two rounds, at any rate. The campaign's release
// continues meanwhile.
import { evictDurableObject, runDurableObjectAlarm } from "cloudflare:test";
import { describe, expect, it, vi } from "vitest";
import type { Priority } from "../../../../src/rpc/priority.ts";
import { ROUND_MS } from "../../../../src/ledger/release/pacing.ts";
import {
  alarmOf,
  newLedger,
  NOON,
  policy,
  recordQueue,
  sendOf,
  setClock,
  type LedgerStub,
} from "../ledger-harness.ts";

const CAMPAIGN = 10_000;
const SHORT = 1_000;
const BATCH = 100;
const ROUNDS = 2;
const MINUTE_MS = 60_000;

interface Traffic {
  readonly ledger: LedgerStub;
  readonly perMinute: number;
  queue: Awaited<ReturnType<typeof recordQueue>>;
  /** Number of the queue's jobs that the test's consumer has claimed. */
  claimed: number;
  now: number;
}

/** Makes a team that has just submitted its campaign of single messages. */
async function newTraffic(perMinute: number, campaign = CAMPAIGN): Promise<Traffic> {
  const ledger = newLedger();
  setClock(NOON);
  const traffic = { ledger, perMinute, queue: await recordQueue(ledger), claimed: 0, now: NOON };
  for (let sent = 0; sent < campaign; sent += BATCH)
    await admit(
      traffic,
      Array.from({ length: BATCH }, (_, index) => `email_campaign_${sent + index}`),
      "campaign",
    );
  return traffic;
}

/** Makes a team with a campaign, of which the first minute's messages are released and claimed. */
async function runningTraffic(perMinute: number, campaign = CAMPAIGN): Promise<Traffic> {
  const traffic = await newTraffic(perMinute, campaign);
  await claimUntil(traffic, () => traffic.claimed === Math.min(perMinute, campaign));
  return traffic;
}

async function claimUntil(traffic: Traffic, isEnough: () => boolean): Promise<void> {
  await vi.waitFor(
    async () => {
      await claimBatch(traffic);
      expect(isEnough()).toBe(true);
    },
    { interval: 1 },
  );
}

/** Claims the next jobs of the queue, as a consumer does. */
async function claimBatch(traffic: Traffic): Promise<void> {
  const jobs = traffic.queue.jobs.slice(traffic.claimed, traffic.claimed + BATCH);
  await traffic.ledger.claim(jobs, traffic.now);
  traffic.claimed += jobs.length;
}

async function admit(
  { ledger, perMinute, now }: Traffic,
  ids: readonly string[],
  campaign: string | null = null,
  priority: Priority = "normal",
): Promise<void> {
  const caps = policy({ deliveryRatePerMinute: perMinute, daily: 1_000_000, monthly: 1_000_000 });
  const admission = await ledger.admit(
    sendOf(
      ids.map((id) => ({ id, campaign, priority })),
      { policy: caps, now },
    ),
  );
  expect(admission.kind).toBe("answered");
}

async function nextAlarm(traffic: Traffic): Promise<void> {
  traffic.now = (await alarmOf(traffic.ledger)) ?? Number.NaN;
  setClock(traffic.now);
  const before = traffic.queue.jobs.length;
  expect(await runDurableObjectAlarm(traffic.ledger)).toBe(true);
  await vi.waitFor(() => expect(traffic.queue.jobs.length).toBeGreaterThan(before));
  await claimUntil(traffic, () => traffic.claimed === traffic.queue.jobs.length);
}

/** Admits the message, and returns the milliseconds until its release. */
async function delayOf(traffic: Traffic, id: string): Promise<number> {
  const accepted = traffic.now;
  await admit(traffic, [id]);
  while (!traffic.queue.jobs.some(({ emailId }) => emailId === id)) await nextAlarm(traffic);
  return traffic.now - accepted;
}

describe("a single message behind another stream's ten thousand", () => {
  it.each([6, 6_000])(
    "is released within two rounds each time, at %i a minute",
    async (perMinute) => {
      const traffic = await runningTraffic(perMinute);
      const roundMs = Math.max(ROUND_MS, Math.ceil(MINUTE_MS / perMinute));
      for (let single = 0; single < 4; single += 1) {
        expect(await delayOf(traffic, `email_single_${single}`)).toBeLessThanOrEqual(
          ROUNDS * roundMs,
        );
        // Only the campaign has messages to release between two single messages.
        for (let rounds = 0; rounds < single; rounds += 1) await nextAlarm(traffic);
      }
      const campaign = new Set(
        traffic.queue.jobs
          .map(({ emailId }) => emailId)
          .filter((id) => id.startsWith("email_campaign_")),
      );
      expect(campaign.size).toBeGreaterThan(Math.min(perMinute, CAMPAIGN));
    },
  );

  it("waits behind a few hundred queued jobs at most if it comes right after the campaign", async () => {
    const traffic = await newTraffic(6_000);
    const ahead = traffic.queue.jobs.length;
    await admit(traffic, ["email_single"]);
    await claimUntil(traffic, () =>
      traffic.queue.jobs.some(({ emailId }) => emailId === "email_single"),
    );
    expect(ahead).toBeLessThanOrEqual(500);
    expect(
      traffic.queue.jobs.findIndex(({ emailId }) => emailId === "email_single"),
    ).toBeLessThanOrEqual(ahead + BATCH);
  });

  it("is released within two rounds even if the ledger restarts before", async () => {
    const traffic = await runningTraffic(60);
    await nextAlarm(traffic);
    const accepted = traffic.now;
    await admit(traffic, ["email_single"], "zz_last_in_any_order");
    await evictDurableObject(traffic.ledger);
    traffic.queue = await recordQueue(traffic.ledger);
    traffic.claimed = 0;
    while (!traffic.queue.jobs.some(({ emailId }) => emailId === "email_single"))
      await nextAlarm(traffic);
    expect(traffic.now - accepted).toBeLessThanOrEqual(ROUNDS * ROUND_MS);
  });

  it("shares the rate evenly with any number of waiting streams", async () => {
    const traffic = await runningTraffic(60);
    const streams = ["a", "b", "c"];
    for (const stream of streams)
      await admit(
        traffic,
        Array.from({ length: 5 }, (_, index) => `email_${stream}_${index}`),
        stream,
      );
    const before = traffic.queue.jobs.length;
    for (let round = 0; round < 12; round += 1) await nextAlarm(traffic);
    const counts = Map.groupBy(traffic.queue.jobs.slice(before), ({ emailId }) =>
      emailId.replace(/_\d+$/, ""),
    );
    expect(Object.fromEntries([...counts].map(([stream, jobs]) => [stream, jobs.length]))).toEqual({
      email_a: 3,
      email_b: 3,
      email_c: 3,
      email_campaign: 3,
    });
  });
});

describe("a message of high priority (contract.md §Priority)", () => {
  const isHigh = (id: string) => id.startsWith("email_high_");

  it.each([6, 600])(
    "is released at once behind a campaign that waits for the rate, at %i a minute",
    async (perMinute) => {
      const traffic = await runningTraffic(perMinute, SHORT);
      await nextAlarm(traffic);
      const before = traffic.queue.jobs.length;
      await admit(traffic, ["email_high_0"], null, "high");
      await vi.waitFor(() => expect(traffic.queue.jobs.length).toBeGreaterThan(before));
      expect(traffic.queue.jobs[before]?.emailId).toBe("email_high_0");
    },
  );

  it("is released at once although others' jobs fill the queue", async () => {
    const traffic = await newTraffic(6_000, SHORT);
    const before = traffic.queue.jobs.length;
    await admit(traffic, ["email_high_0"], null, "high");
    await vi.waitFor(() => expect(traffic.queue.jobs.length).toBeGreaterThan(before));
    expect(traffic.queue.jobs[before]?.emailId).toBe("email_high_0");
  });

  it("goes before older mail in a round, also after a restart, and keeps its place when scheduled", async () => {
    const traffic = await runningTraffic(60, SHORT);
    const ids = Array.from({ length: 20 }, (_, index) => `email_high_${index}`);
    await admit(traffic, ids, "zz_last_in_any_order", "high");
    await evictDurableObject(traffic.ledger);
    traffic.queue = await recordQueue(traffic.ledger);
    traffic.claimed = 0;
    await nextAlarm(traffic);
    await nextAlarm(traffic);
    const released = traffic.queue.jobs.map(({ emailId }) => emailId);
    expect(released.filter(isHigh).length).toBeGreaterThanOrEqual(1);
    expect(released.findIndex((id) => !isHigh(id))).not.toBe(0);
  });

  it("leaves a tenth of the rate to other mail, however many urgent messages wait", async () => {
    const traffic = await runningTraffic(600, SHORT);
    const [before, begun] = [traffic.queue.jobs.length, traffic.now];
    for (let round = 0; round < 30; round += 1) {
      await admit(
        traffic,
        Array.from({ length: 20 }, (_, index) => `email_high_${round}_${index}`),
        null,
        "high",
      );
      await nextAlarm(traffic);
      await claimBatch(traffic);
    }
    const released = traffic.queue.jobs.slice(before).map(({ emailId }) => emailId);
    const normal = released.filter((id) => !isHigh(id)).length;
    expect(normal / released.length).toBeGreaterThan(0.09);
    expect(normal / released.length).toBeLessThan(0.12);
    // Messages of high priority may use the rate in advance, up to a tenth of a minute's messages.
    const minutes = (traffic.now - begun) / MINUTE_MS;
    expect(released.length).toBeLessThanOrEqual(600 * minutes + 60 + 1);
  });
});
