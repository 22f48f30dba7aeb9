// Tests the release of mail while the team's courier takes no copies, and after it is up again
// (src/ledger/open/courier-outage.ts), and that retries and new mail share one limit
// (src/ledger/release/pacing.ts).
import { describe, expect, it, vi } from "vitest";
import { CourierOutage } from "../../../../src/ledger/open/courier-outage.ts";
import type { Grant, JobRef } from "../../../../src/rpc/ledger-calls.ts";
import {
  alarmAt,
  type LedgerStub,
  NOON,
  noonLedger,
  policy,
  type Queued,
  sendOf,
  setClock,
  settle,
} from "../ledger-harness.ts";

const SECOND = 1_000;
const HOST = "https://egress.example.net";
/** The rate of the tests' teams, which lets a few thousand jobs into the queue at once. */
const FAST = policy({ deliveryRatePerMinute: 60_000, daily: 1_000_000, monthly: 1_000_000 });
const SLOW = policy({ deliveryRatePerMinute: 600, daily: 1_000_000, monthly: 1_000_000 });

interface Scene {
  readonly ledger: LedgerStub;
  readonly queue: Queued;
  now: number;
}

async function scene(): Promise<Scene> {
  return { ...(await noonLedger()), now: NOON };
}

async function send(
  { ledger, now }: Scene,
  messages: number,
  over: Parameters<typeof sendOf>[0][number] = {},
  pace = SLOW,
): Promise<void> {
  const candidates = Array.from({ length: messages }, () => over);
  await ledger.admit(sendOf(candidates, { policy: pace, now }));
}

/** Claims all jobs in the queue, and reports that the courier took none of them. */
async function failAll(one: Scene, courierIsDown = true): Promise<number> {
  const grants = await claimAll(one);
  const postponed = grants.map((grant) => ({ ...grant, notBefore: 0 }));
  const left = { handedOver: [], postponed, courierRemembers: true, courierIsDown };
  await one.ledger.leave(left, one.now);
  return grants.length;
}

async function claimAll({ ledger, queue, now }: Scene): Promise<readonly Grant[]> {
  const jobs: JobRef[] = queue.jobs.splice(0);
  return (await ledger.claim(jobs, now, true)).grants;
}

async function handOver({ ledger, now }: Scene, grants: readonly Grant[]): Promise<void> {
  const handedOver = grants.map((grant) => ({ ...grant, host: HOST }));
  await ledger.leave({ handedOver, postponed: [], courierRemembers: true }, now);
}

async function alarmAfter(one: Scene, seconds: number): Promise<void> {
  one.now += seconds * SECOND;
  await alarmAt(one.ledger, one.now);
  await new Promise((resolve) => setTimeout(resolve, 0));
}

/** Makes a team whose courier is down: two consumers found that, one after the other. */
async function held(): Promise<Scene> {
  const one = await scene();
  for (let consumer = 0; consumer < 2; consumer += 1) {
    await send(one, 1);
    await vi.waitFor(() => expect(one.queue.jobs).toHaveLength(1));
    await failAll(one);
  }
  return one;
}

describe("a courier that takes no copies", () => {
  it("gets a few copies every 15 seconds, and all other mail waits in the backlog", async () => {
    const one = await held();
    await send(one, 100);
    expect(one.queue.jobs).toEqual([]);
    expect(await one.ledger.usage(one.now)).toMatchObject({ delivery: { waiting: 100 } });
    let offered = 0;
    for (let second = 0; second < 60; second += 5) {
      await alarmAfter(one, 5);
      offered += await failAll(one);
    }
    expect(offered).toBeGreaterThanOrEqual(12);
    expect(offered).toBeLessThanOrEqual(50);
  });

  it("is named as the reason why mail of the backlog waits", async () => {
    const one = await held();
    await send(one, 1, { id: "email_waits" });
    expect((await one.ledger.find("email_waits")).open?.holds).toEqual(["courier"]);
  });

  it.each([
    ["takes a copy", handOver],
    [
      "delivers a copy",
      ({ ledger, now }: Scene, grants: readonly Grant[]) => settle(ledger, grants, now),
    ],
  ] as const)("gets all mail again, at the team's rate, once it %s", async (_, succeed) => {
    const one = await held();
    await send(one, 100);
    await alarmAfter(one, 20);
    await succeed(one, (await claimAll(one)).slice(0, 1));
    await alarmAfter(one, 1);
    // The postponed jobs come at once, and the jobs of the backlog at the team's rate.
    const grants = await claimAll(one);
    expect(grants.length).toBeGreaterThan(90);
  });

  it("gets jobs of the backlog again that the queue refused after the outage", async () => {
    vi.spyOn(console, "error").mockImplementation(() => undefined);
    const one = await held();
    await send(one, 100);
    await alarmAfter(one, 20);
    one.queue.refuses = true;
    await handOver(one, (await claimAll(one)).slice(0, 1));
    await alarmAfter(one, 1);
    one.queue.refuses = false;
    let granted = 0;
    for (let second = 0; second < 62; second += 2) {
      await alarmAfter(one, 2);
      const grants = await claimAll(one);
      granted += grants.length;
      await handOver(one, grants);
    }
    expect(granted).toBeGreaterThan(90);
  });

  it("delays no further mail if it took no copies but no consumer reports that it is down", async () => {
    const one = await scene();
    for (let consumer = 0; consumer < 3; consumer += 1) {
      await send(one, 2);
      await vi.waitFor(() => expect(one.queue.jobs).toHaveLength(2));
      await failAll(one, false);
    }
    await send(one, 1);
    await vi.waitFor(() => expect(one.queue.jobs).toHaveLength(1));
  });
});

it("an outage allows no job between two probes, and a single later failure begins no new outage", () => {
  const outage = new CourierOutage({ postponedMs: 15_000 });
  outage.noteDown(0);
  outage.noteDown(0);
  const allowed = [14_999, 15_000, 15_001].map((now) => outage.allowance(now));
  expect([allowed, outage.probeAt]).toEqual([[0, 5, 0], 30_000]);
  expect([outage.noteUp(), outage.isOn, outage.probeAt]).toEqual([true, false, 0]);
  outage.noteDown(0);
  expect(outage.isOn).toBe(false);
});

describe("copies that no courier has", () => {
  it("stop the releases at some thousand, but deferred copies and copies at a gateway do not", async () => {
    const one = await scene();
    const postponed: Grant[] = [];
    for (let round = 0; round < 24; round += 1) {
      await send(one, 10, { recipientCount: 50 }, FAST);
      await alarmAfter(one, 1);
      postponed.push(...(await claimAll(one)));
    }
    const most = 10 * 1_000;
    expect(postponed.length).toBeGreaterThan(most - 500);
    expect(postponed.length).toBeLessThanOrEqual(most);
    await handOver(one, postponed.slice(0, most / 2));
    await settle(one.ledger, postponed.slice(most / 2), one.now, one.now + 3_600 * SECOND);
    let further = 0;
    for (let round = 0; round < 12; round += 1) {
      await alarmAfter(one, 1);
      further += (await claimAll(one)).length;
    }
    expect(further).toBe(12_000 - postponed.length);
  });

  it("let only some of the due retries into memory, beside new mail", async () => {
    const one = await scene();
    const due = one.now + 60 * SECOND;
    for (let round = 0; round < 4; round += 1) {
      await send(one, 60, { recipientCount: 50 }, FAST);
      await vi.waitFor(() => expect(one.queue.jobs.length).toBeGreaterThan(0));
      await alarmAfter(one, 1);
      await settle(one.ledger, await claimAll(one), one.now, due);
    }
    setClock(due);
    one.now = due;
    await send(one, 20, { recipientCount: 50 }, FAST);
    await alarmAfter(one, 0);
    const grants = await claimAll(one);
    expect(grants.some(({ attempt }) => attempt === 1)).toBe(true);
    expect(grants.some(({ attempt }) => attempt === 2)).toBe(true);
  });
});
