// Tests fairness between streams (docs/architecture.md §Release): a campaign of ten thousand delays
// a single message of another stream by at most two rounds, at any rate, and the campaign goes on
// meanwhile.
import { evictDurableObject, runDurableObjectAlarm } from "cloudflare:test";
import { afterEach, describe, expect, it, vi } from "vitest";
import { ROUND_MS } from "../../../src/ledger/pacing.ts";
import {
  alarmOf,
  newLedger,
  NOON,
  policy,
  recordQueue,
  sendOf,
  setClock,
  type Ledger,
} from "./ledger-harness.ts";

const CAMPAIGN = 10_000;
const BATCH = 100;
const ROUNDS = 2;
const MINUTE_MS = 60_000;

interface Stand {
  readonly ledger: Ledger;
  readonly perMinute: number;
  queue: Awaited<ReturnType<typeof recordQueue>>;
  /** Number of the queue's jobs that a consumer has claimed. */
  claimed: number;
  now: number;
}

/** Makes a team that has just submitted its campaign of single messages. */
async function freshStandOf(perMinute: number): Promise<Stand> {
  const ledger = newLedger();
  setClock(NOON);
  const stand = { ledger, perMinute, queue: await recordQueue(ledger), claimed: 0, now: NOON };
  for (let sent = 0; sent < CAMPAIGN; sent += BATCH)
    await admit(
      stand,
      Array.from({ length: BATCH }, (_, index) => `email_campaign_${sent + index}`),
      "campaign",
    );
  return stand;
}

/** Makes such a team whose first minute's worth is released while the rest waits. */
async function standOf(perMinute: number): Promise<Stand> {
  const stand = await freshStandOf(perMinute);
  await claimUntil(stand, () => stand.claimed === Math.min(perMinute, CAMPAIGN));
  return stand;
}

async function claimUntil(stand: Stand, isEnough: () => boolean): Promise<void> {
  await vi.waitFor(
    async () => {
      await claimBatch(stand);
      expect(isEnough()).toBe(true);
    },
    { timeout: 10_000, interval: 1 },
  );
}

/** Claims the next jobs of the queue as a consumer does. */
async function claimBatch(stand: Stand): Promise<void> {
  const jobs = stand.queue.jobs.slice(stand.claimed, stand.claimed + BATCH);
  await stand.ledger.claim(jobs, stand.now);
  stand.claimed += jobs.length;
}

async function admit(
  { ledger, perMinute, now }: Stand,
  ids: readonly string[],
  stream: string,
): Promise<void> {
  const caps = policy({ deliveryRatePerMinute: perMinute, daily: 1_000_000, monthly: 1_000_000 });
  const admission = await ledger.admit(
    sendOf(
      ids.map((id) => ({ id, stream })),
      { policy: caps, now },
    ),
  );
  expect(admission.kind).toBe("answered");
}

async function nextAlarm(stand: Stand): Promise<void> {
  stand.now = (await alarmOf(stand.ledger)) ?? Number.NaN;
  setClock(stand.now);
  const before = stand.queue.jobs.length;
  expect(await runDurableObjectAlarm(stand.ledger)).toBe(true);
  await vi.waitFor(() => expect(stand.queue.jobs.length).toBeGreaterThan(before));
  await claimUntil(stand, () => stand.claimed === stand.queue.jobs.length);
}

/** Returns the milliseconds from acceptance to release. */
async function delayOf(stand: Stand, id: string): Promise<number> {
  const accepted = stand.now;
  await admit(stand, [id], "");
  while (!stand.queue.jobs.some(({ emailId }) => emailId === id)) await nextAlarm(stand);
  return stand.now - accepted;
}

describe("a single message behind another stream's ten thousand", () => {
  afterEach(() => {
    vi.useRealTimers();
  });

  it.each([6, 60, 600, 6_000])(
    "is released within two rounds each time, at %i a minute",
    async (perMinute) => {
      const stand = await standOf(perMinute);
      const roundMs = Math.max(ROUND_MS, Math.ceil(MINUTE_MS / perMinute));
      for (let single = 0; single < 4; single += 1) {
        expect(await delayOf(stand, `email_single_${single}`)).toBeLessThanOrEqual(
          ROUNDS * roundMs,
        );
        // Only the campaign has anything to release for a while.
        for (let rounds = 0; rounds < single; rounds += 1) await nextAlarm(stand);
      }
      const campaign = new Set(
        stand.queue.jobs
          .map(({ emailId }) => emailId)
          .filter((id) => id.startsWith("email_campaign_")),
      );
      expect(campaign.size).toBeGreaterThan(Math.min(perMinute, CAMPAIGN));
    },
  );

  it("waits behind a few hundred queued jobs at most if it comes right after the campaign", async () => {
    const stand = await freshStandOf(6_000);
    const ahead = stand.queue.jobs.length;
    await admit(stand, ["email_single"], "");
    await claimUntil(stand, () =>
      stand.queue.jobs.some(({ emailId }) => emailId === "email_single"),
    );
    expect(ahead).toBeLessThanOrEqual(500);
    expect(
      stand.queue.jobs.findIndex(({ emailId }) => emailId === "email_single"),
    ).toBeLessThanOrEqual(ahead + BATCH);
  });

  it("is released within two rounds even if the ledger restarts before", async () => {
    const stand = await standOf(60);
    await nextAlarm(stand);
    const accepted = stand.now;
    await admit(stand, ["email_single"], "zz_last_in_any_order");
    await evictDurableObject(stand.ledger);
    stand.queue = await recordQueue(stand.ledger);
    stand.claimed = 0;
    while (!stand.queue.jobs.some(({ emailId }) => emailId === "email_single"))
      await nextAlarm(stand);
    expect(stand.now - accepted).toBeLessThanOrEqual(ROUNDS * ROUND_MS);
  });

  it("shares the rate evenly with any number of waiting streams", async () => {
    const stand = await standOf(60);
    const streams = ["a", "b", "c"];
    for (const stream of streams)
      await admit(
        stand,
        Array.from({ length: 5 }, (_, index) => `email_${stream}_${index}`),
        stream,
      );
    const before = stand.queue.jobs.length;
    for (let round = 0; round < 12; round += 1) await nextAlarm(stand);
    const counts = Map.groupBy(stand.queue.jobs.slice(before), ({ emailId }) =>
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
