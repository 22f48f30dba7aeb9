// Tests fairness between streams (docs/architecture.md §Release): a campaign delays a single message
// of another stream by at most two rounds, at any rate. The campaign's release continues meanwhile.
import { runDurableObjectAlarm, runInDurableObject } from "cloudflare:test";
import { describe, expect, it, vi } from "vitest";
import type { Priority } from "../../../../src/rpc/priority.ts";
import { ROUND_MS } from "../../../../src/ledger/release/pacing.ts";
import {
  alarmAt,
  alarmOf,
  emailIds,
  newLedger,
  NOON,
  noonLedger,
  pacedSend,
  policy,
  recordQueue,
  restart,
  sendOf,
  setClock,
  type LedgerStub,
} from "../ledger-harness.ts";

const CAMPAIGN = 1_000;
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

const idsOf = (name: string, count: number): string[] =>
  Array.from({ length: count }, (_, index) => `email_${name}_${index}`);
const releasedBy = ({ queue }: Traffic): string[] => emailIds(queue.jobs);

/** Makes a team that has just submitted its campaign of single messages. */
async function newTraffic(perMinute: number): Promise<Traffic> {
  const ledger = newLedger();
  setClock(NOON);
  const traffic = { ledger, perMinute, queue: await recordQueue(ledger), claimed: 0, now: NOON };
  for (let sent = 0; sent < CAMPAIGN; sent += BATCH)
    await admit(traffic, idsOf(`campaign_${sent}`, BATCH), "campaign");
  return traffic;
}

/** Makes a team with a campaign, of which the first minute's messages are released and claimed. */
async function runningTraffic(perMinute: number): Promise<Traffic> {
  const traffic = await newTraffic(perMinute);
  await claimUntil(traffic, () => traffic.claimed === perMinute);
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
  const messages = ids.map((id) => ({ id, campaign, priority }));
  const admission = await ledger.admit(sendOf(messages, { policy: caps, now }));
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
  while (!releasedBy(traffic).includes(id)) await nextAlarm(traffic);
  return traffic.now - accepted;
}

async function restartOf(traffic: Traffic): Promise<void> {
  traffic.queue = await restart(traffic.ledger);
  traffic.claimed = 0;
}

describe("a single message behind another stream's campaign", () => {
  it.each([6, 600])(
    "is released within two rounds each time, at %i a minute",
    async (perMinute) => {
      const traffic = await runningTraffic(perMinute);
      const roundMs = Math.max(ROUND_MS, Math.ceil(MINUTE_MS / perMinute));
      for (let single = 0; single < 4; single += 1) {
        const delay = await delayOf(traffic, `email_single_${single}`);
        expect(delay).toBeLessThanOrEqual(ROUNDS * roundMs);
        // Only the campaign has messages to release between two single messages.
        for (let rounds = 0; rounds < single; rounds += 1) await nextAlarm(traffic);
      }
      const campaign = releasedBy(traffic).filter((id) => id.startsWith("email_campaign_"));
      expect(new Set(campaign).size).toBeGreaterThan(perMinute);
    },
  );

  it("waits behind a few hundred queued jobs at most if it comes right after the campaign", async () => {
    const traffic = await newTraffic(6_000);
    const ahead = traffic.queue.jobs.length;
    await admit(traffic, ["email_single"]);
    await claimUntil(traffic, () => releasedBy(traffic).includes("email_single"));
    expect(ahead).toBeLessThanOrEqual(500);
    expect(releasedBy(traffic).indexOf("email_single")).toBeLessThanOrEqual(ahead + BATCH);
  });

  it("is released within two rounds even if the ledger restarts before", async () => {
    const traffic = await runningTraffic(60);
    await nextAlarm(traffic);
    const accepted = traffic.now;
    await admit(traffic, ["email_single"], "zz_last_in_any_order");
    await restartOf(traffic);
    while (!releasedBy(traffic).includes("email_single")) await nextAlarm(traffic);
    expect(traffic.now - accepted).toBeLessThanOrEqual(ROUNDS * ROUND_MS);
  });

  it("shares the rate evenly with any number of waiting streams", async () => {
    const traffic = await runningTraffic(60);
    for (const stream of ["a", "b", "c"]) await admit(traffic, idsOf(stream, 5), stream);
    const before = traffic.queue.jobs.length;
    for (let round = 0; round < 12; round += 1) await nextAlarm(traffic);
    const streams = Map.groupBy(releasedBy(traffic).slice(before), (id) => id.split("_")[1]);
    const counts = Object.fromEntries([...streams].map(([stream, ids]) => [stream, ids.length]));
    expect(counts).toEqual({ a: 3, b: 3, c: 3, campaign: 3 });
  });
});

describe("the streams of a team", () => {
  it("are the campaigns of each sending domain, and take turns, also after a restart", async () => {
    const { ledger } = await noonLedger();
    const messages = ["a", "b"].flatMap((domain) =>
      idsOf(domain, 30).map((id) => ({ id, campaign: "news", domain: `${domain}.example` })),
    );
    await ledger.admit(pacedSend(messages, 10));
    const queue = await restart(ledger);
    for (let round = 1; round <= 10; round += 1) await alarmAt(ledger, NOON + round * 6_000);
    const released = emailIds(queue.jobs);
    const [first, second] = ["a", "b"].map(
      (domain) => released.filter((id) => id.startsWith(`email_${domain}_`)).length,
    ) as [number, number];
    expect(second).toBeGreaterThan(3);
    expect(Math.abs(first - second)).toBeLessThanOrEqual(1);
  });

  it("are at most 5,000: further campaigns share the stream of the messages without a campaign", async () => {
    const { ledger } = await noonLedger();
    const campaigns = Array.from({ length: 5_010 }, (_, index) => ({
      id: `email_${index}`,
      campaign: `c${index}`,
      domain: "shop.example",
    }));
    const many = { campaignPerHour: 10_000, campaignPer72Hours: 10_000 };
    await ledger.admit(
      sendOf(campaigns, { policy: policy({ deliveryRatePerMinute: 1, ...many }) }),
    );
    const streams = await runInDurableObject(ledger, (_, { storage }) =>
      storage.sql.exec<{ stream: string }>("SELECT stream FROM streams").toArray(),
    );
    expect(streams).toHaveLength(5_001);
    expect(streams.map(({ stream }) => stream)).toContain("@shop.example");
    expect(await ledger.usage(NOON)).toMatchObject({ delivery: { waiting: 5_009 } });
  });
});

describe("a message of high priority (contract.md §Priority)", () => {
  const isHigh = (id: string) => id.startsWith("email_high_");

  it.each([6, 600])(
    "is released at once behind a campaign that waits for the rate, at %i a minute",
    async (perMinute) => {
      const traffic = await runningTraffic(perMinute);
      await nextAlarm(traffic);
      const before = traffic.queue.jobs.length;
      await admit(traffic, ["email_high_0"], null, "high");
      await vi.waitFor(() => expect(traffic.queue.jobs.length).toBeGreaterThan(before));
      expect(traffic.queue.jobs[before]?.emailId).toBe("email_high_0");
    },
  );

  it("is released at once although others' jobs fill the queue", async () => {
    const traffic = await newTraffic(6_000);
    const before = traffic.queue.jobs.length;
    await admit(traffic, ["email_high_0"], null, "high");
    await vi.waitFor(() => expect(traffic.queue.jobs.length).toBeGreaterThan(before));
    expect(traffic.queue.jobs[before]?.emailId).toBe("email_high_0");
  });

  it("goes before older mail in a round, also after a restart", async () => {
    const traffic = await runningTraffic(60);
    await admit(traffic, idsOf("high", 20), "zz_last_in_any_order", "high");
    await restartOf(traffic);
    await nextAlarm(traffic);
    await nextAlarm(traffic);
    const released = releasedBy(traffic);
    expect(released.filter(isHigh).length).toBeGreaterThanOrEqual(1);
    expect(released.findIndex((id) => !isHigh(id))).not.toBe(0);
  });

  it("leaves a tenth of the rate to other mail, however many urgent messages wait", async () => {
    const traffic = await runningTraffic(600);
    const [before, begun] = [traffic.queue.jobs.length, traffic.now];
    for (let round = 0; round < 16; round += 1) {
      await admit(traffic, idsOf(`high_${round}`, 20), null, "high");
      await nextAlarm(traffic);
      await claimBatch(traffic);
    }
    const released = releasedBy(traffic).slice(before);
    const normal = released.filter((id) => !isHigh(id)).length;
    expect(normal / released.length).toBeGreaterThan(0.09);
    expect(normal / released.length).toBeLessThan(0.12);
    // Messages of high priority may use the rate in advance, up to a tenth of a minute's messages.
    const minutes = (traffic.now - begun) / MINUTE_MS;
    expect(released.length).toBeLessThanOrEqual(600 * minutes + 60 + 1);
  });
});
