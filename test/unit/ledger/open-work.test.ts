// Tests that a ledger lists its open work, with the time at which the ledger itself does that work
// next (src/ledger/open-work.ts).
import { expect, it, vi } from "vitest";
import type { OpenWork } from "../../../src/ledger/open-work.ts";
import { LEASE_MS, RELEASE_WAIT_MS } from "../../../src/ledger/open/job-waits.ts";
import {
  type LedgerStub,
  NOON,
  noonLedger,
  postpone,
  recordQueue,
  send,
  sendOf,
  setClock,
  settle,
} from "./ledger-harness.ts";

const SECOND = 1_000;
const HOST = "https://egress.example.net";

/** Reads the open work, which only a test build shows. */
async function openWork(ledger: LedgerStub, now: number): Promise<OpenWork[]> {
  await recordQueue(ledger, { CRASH_POINT_URL: "http://crash-points.test" });
  const work = await ledger.openWork(now);
  await recordQueue(ledger);
  return work;
}

it("each open recipient has a reason and a due time, from its release to its last attempt", async () => {
  const { ledger, queue } = await noonLedger();
  await ledger.admit(sendOf([{ recipientCount: 5 }]));
  await vi.waitFor(() => expect(queue.jobs).toHaveLength(5));
  setClock(NOON);
  const { grants } = await ledger.claim(queue.jobs.slice(1), NOON, true);
  const [left, deferred, postponed, held] = grants as [
    (typeof grants)[0],
    (typeof grants)[0],
    (typeof grants)[0],
    (typeof grants)[0],
  ];
  const handedOver = [{ ...left, host: HOST }];
  await ledger.leave({ handedOver, postponed: [], courierRemembers: true }, NOON);
  await settle(ledger, [deferred], NOON, NOON + 60 * SECOND);
  await postpone(ledger, [postponed], NOON);
  const id = held.emailId;
  expect(await openWork(ledger, NOON)).toEqual([
    { what: `${id}/0: queue`, dueAt: NOON + RELEASE_WAIT_MS },
    { what: `${id}/1: attempt`, dueAt: NOON + 2 * SECOND },
    { what: `${id}/2: retry`, dueAt: NOON + 60 * SECOND },
    { what: `${id}/3: courier`, dueAt: NOON + 15 * SECOND },
    { what: `${id}/4: attempt`, dueAt: NOON + LEASE_MS },
  ]);
});

it("a message that waits for its scheduled time is listed with that time", async () => {
  const { ledger } = await noonLedger();
  const scheduledAt = NOON + 3_600 * SECOND;
  await ledger.admit(sendOf([{ scheduledAt }]));
  expect(await openWork(ledger, NOON)).toEqual([
    { what: "the next scheduled message", dueAt: scheduledAt },
  ]);
});

it("a deployment without CRASH_POINT_URL does not list its work", async () => {
  const { ledger } = await noonLedger();
  await ledger.admit(send());
  await expect(async () => ledger.openWork(NOON)).rejects.toThrow("CRASH_POINT_URL");
});
