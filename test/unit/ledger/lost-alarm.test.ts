// Tests a ledger whose alarm is lost (src/lib/lost-alarm.ts): the platform drops an alarm after six
// failures, failed starts of the object included.
import { evictDurableObject, runDurableObjectAlarm, runInDurableObject } from "cloudflare:test";
import { afterEach, describe, expect, it, vi } from "vitest";
import type { Grant } from "../../../src/contracts/ledger-contract.ts";
import { POSTPONED_MS, RELEASE_WAIT_MS } from "../../../src/ledger/open/job.ts";
import {
  alarmOf,
  newLedger,
  NOON,
  policy,
  recordQueue,
  send,
  sendOf,
  setClock,
  settle,
  type LedgerStub,
} from "./ledger-harness.ts";

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;

async function loseAlarm(ledger: LedgerStub): Promise<void> {
  await runInDurableObject(ledger, (_, { storage }) => storage.deleteAlarm());
}

describe("a ledger whose alarm was lost", () => {
  afterEach(() => void vi.useRealTimers());

  it("sets it again for now when the sweep calls it, and offers what the lost alarm would have offered", async () => {
    const ledger = newLedger();
    setClock(NOON);
    const queue = await recordQueue(ledger);
    await ledger.admit(send());
    await vi.waitFor(() => expect(queue.jobs).toHaveLength(1));
    await loseAlarm(ledger);
    setClock(NOON + HOUR);
    await ledger.restoreAlarm();
    expect(await alarmOf(ledger)).toBe(NOON + HOUR);
    await runDurableObjectAlarm(ledger);
    await vi.waitFor(() => expect(queue.jobs).toHaveLength(2));
  });

  it("sets it again with the next write of any kind", async () => {
    const ledger = newLedger();
    setClock(NOON);
    await recordQueue(ledger);
    await ledger.admit(send());
    await loseAlarm(ledger);
    setClock(NOON + HOUR);
    await ledger.admit(send());
    expect(await alarmOf(ledger)).toBe(NOON + HOUR);
  });

  it("sets it again when it starts, even if only messages in the backlog need it", async () => {
    const ledger = newLedger();
    setClock(NOON);
    let queue = await recordQueue(ledger);
    const both = [{ id: "email_first" }, { id: "email_second" }];
    await ledger.admit(sendOf(both, { policy: policy({ deliveryRatePerMinute: 1 }) }));
    await vi.waitFor(() => expect(queue.jobs).toHaveLength(1));
    const { grants } = await ledger.claim(queue.jobs, NOON);
    await settle(ledger, grants, NOON);
    await loseAlarm(ledger);
    setClock(NOON + HOUR);
    await evictDurableObject(ledger);
    queue = await recordQueue(ledger);
    expect(await alarmOf(ledger)).not.toBeNull();
    await runDurableObjectAlarm(ledger);
    await vi.waitFor(() =>
      expect(queue.jobs.map(({ emailId }) => emailId)).toEqual(["email_second"]),
    );
  });

  it("keeps an alarm that is only a little late", async () => {
    const ledger = newLedger();
    setClock(NOON);
    await recordQueue(ledger);
    await ledger.admit(send());
    const due = NOON + RELEASE_WAIT_MS;
    expect(await alarmOf(ledger)).toBe(due);
    setClock(due + MINUTE - 1);
    await ledger.restoreAlarm();
    expect(await alarmOf(ledger)).toBe(due);
  });

  it("sets no alarm if it is empty or its team was deleted", async () => {
    const [idle, deleted] = [newLedger(), newLedger()];
    setClock(NOON);
    await recordQueue(deleted);
    await deleted.admit(send());
    await deleted.destroy();
    const tombstone = await alarmOf(deleted);
    await idle.restoreAlarm();
    await deleted.restoreAlarm();
    expect(await alarmOf(idle)).toBeNull();
    expect(await alarmOf(deleted)).toBe(tombstone);
  });
});

describe("a job that no courier takes", () => {
  afterEach(() => void vi.useRealTimers());

  it("is offered less and less often as the same attempt, and its next attempt starts over with the shortest wait", async () => {
    const ledger = newLedger();
    setClock(NOON);
    const queue = await recordQueue(ledger);
    await ledger.admit(send());
    await vi.waitFor(() => expect(queue.jobs).toHaveLength(1));
    const [job] = queue.jobs;
    if (!job) throw new Error("nothing was released");
    let now = NOON;
    const grant = async (): Promise<Grant | undefined> =>
      (await ledger.claim([job], now)).grants[0];
    for (const factor of [1, 2, 4, 8, 16, 32, 32]) {
      const granted = await grant();
      expect(granted).toMatchObject({ attempt: 1 });
      await ledger.postpone([granted as Grant], now);
      now += factor * POSTPONED_MS - 1;
      expect(await grant()).toBeUndefined();
      now += 1;
    }
    await settle(ledger, [(await grant()) as Grant], now, now + MINUTE);
    now += MINUTE;
    await ledger.postpone([(await grant()) as Grant], now);
    now += POSTPONED_MS;
    expect(await grant()).toMatchObject({ attempt: 2 });
  });
});
