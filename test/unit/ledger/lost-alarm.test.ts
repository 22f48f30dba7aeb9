// Tests a ledger whose alarm is lost (src/lib/lost-alarm.ts): the platform drops an alarm after six
// failures, including failed starts of the object.
import { runDurableObjectAlarm, runInDurableObject } from "cloudflare:test";
import { describe, expect, it, vi } from "vitest";
import {
  alarmOf,
  type LedgerStub,
  newLedger,
  NOON,
  noonLedger,
  pacedSend,
  recordQueue,
  restart,
  send,
  setClock,
  settle,
} from "./ledger-harness.ts";

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;

async function loseAlarm(ledger: LedgerStub): Promise<void> {
  await runInDurableObject(ledger, (_, { storage }) => storage.deleteAlarm());
}

describe("a ledger whose alarm was lost", () => {
  it("sets the alarm to the current time when the sweep calls it, and releases the same jobs as the lost alarm would", async () => {
    const { ledger, queue } = await noonLedger();
    await ledger.admit(send());
    await vi.waitFor(() => expect(queue.jobs).toHaveLength(1));
    await loseAlarm(ledger);
    setClock(NOON + HOUR);
    await ledger.restoreAlarm();
    expect(await alarmOf(ledger)).toBe(NOON + HOUR);
    await runDurableObjectAlarm(ledger);
    await vi.waitFor(() => expect(queue.jobs).toHaveLength(2));
  });

  it("sets the alarm again with the next write of any kind", async () => {
    const { ledger } = await noonLedger();
    await ledger.admit(send());
    await loseAlarm(ledger);
    setClock(NOON + HOUR);
    await ledger.admit(send());
    expect(await alarmOf(ledger)).toBe(NOON + HOUR);
  });

  it("sets the alarm again when it starts, even if only messages in the backlog need the alarm", async () => {
    const ledger = newLedger();
    setClock(NOON);
    let queue = await recordQueue(ledger);
    const both = [{ id: "email_first" }, { id: "email_second" }];
    await ledger.admit(pacedSend(both, 1));
    await vi.waitFor(() => expect(queue.jobs).toHaveLength(1));
    const { grants } = await ledger.claim(queue.jobs, NOON);
    await settle(ledger, grants, NOON);
    await loseAlarm(ledger);
    setClock(NOON + HOUR);
    queue = await restart(ledger);
    expect(await alarmOf(ledger)).not.toBeNull();
    await runDurableObjectAlarm(ledger);
    await vi.waitFor(() =>
      expect(queue.jobs.map(({ emailId }) => emailId)).toEqual(["email_second"]),
    );
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
