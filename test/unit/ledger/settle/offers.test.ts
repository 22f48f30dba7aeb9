// Tests which jobs a ledger puts into the queue again (src/ledger/settle/claims.ts), and when the
// ledger's alarm goes off (src/ledger/ledger-alarm.ts).
import { runInDurableObject } from "cloudflare:test";
import { describe, expect, it, vi } from "vitest";
import type { Grant } from "../../../../src/rpc/ledger-calls.ts";
import { LEASE_MS, RELEASE_WAIT_MS } from "../../../../src/ledger/open/job-waits.ts";
import {
  alarmAt,
  alarmOf,
  claimAll,
  dispatched,
  emailIds,
  messageOf,
  newLedger,
  NOON,
  noonLedger,
  policy,
  postpone,
  recordQueue,
  refs,
  send,
  sendOf,
  setClock,
  settle,
} from "../ledger-harness.ts";

const SECOND = 1_000;

describe("the alarm of a ledger", () => {
  it("releases jobs again that the queue refused or lost, less and less often, until they are claimed", async () => {
    const { ledger, queue } = await noonLedger();
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

  it("releases the other jobs of a message after the first wait again once one job was claimed", async () => {
    const { ledger, queue } = await noonLedger();
    await ledger.admit(sendOf([{ recipientCount: 2 }]));
    await vi.waitFor(() => expect(queue.jobs).toHaveLength(2));
    await alarmAt(ledger, NOON + RELEASE_WAIT_MS);
    await vi.waitFor(() => expect(queue.jobs).toHaveLength(4));
    const [first] = queue.jobs.splice(0);
    expect(await claimAll(ledger, [first!], NOON + RELEASE_WAIT_MS)).toHaveLength(1);
    await alarmAt(ledger, NOON + 2 * RELEASE_WAIT_MS);
    await vi.waitFor(() => expect(queue.jobs).toMatchObject([{ recipientIndex: 1 }]));
  });

  it("releases a postponed job again at its time, as the same attempt", async () => {
    const { ledger, queue } = await noonLedger();
    await ledger.admit(send());
    await vi.waitFor(() => expect(queue.jobs).toHaveLength(1));
    const [grant] = await claimAll(ledger, queue.jobs, NOON);
    await postpone(ledger, [grant as Grant], NOON);
    expect(await claimAll(ledger, queue.jobs, NOON + 14 * SECOND)).toEqual([]);
    await alarmAt(ledger, NOON + 15 * SECOND);
    expect(await claimAll(ledger, queue.jobs, NOON + 15 * SECOND)).toMatchObject([{ attempt: 1 }]);
  });

  it("releases a job again when its lease expired, but not once the job is settled", async () => {
    const { ledger, queue } = await noonLedger();
    await ledger.admit(send());
    await vi.waitFor(() => expect(queue.jobs).toHaveLength(1));
    setClock(NOON);
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
    await dispatched(ledger);
    await alarmAt(ledger, expiry + LEASE_MS);
    expect(queue.jobs).toHaveLength(1);
    expect(await alarmOf(ledger)).toBeNull();
  });

  it("releases a due retry beside the paced jobs, and grants it to a consumer whose clock is behind", async () => {
    const { ledger, queue } = await noonLedger();
    await ledger.admit(send({ policy: policy({ deliveryRatePerMinute: 1 }) }));
    await vi.waitFor(() => expect(queue.jobs).toHaveLength(1));
    const grants = await claimAll(ledger, queue.jobs, NOON);
    await settle(ledger, grants, NOON, NOON + 5 * SECOND);
    expect(await alarmOf(ledger)).toBe(NOON + 5 * SECOND);
    await alarmAt(ledger, NOON + 5 * SECOND);
    await vi.waitFor(() => expect(queue.jobs).toHaveLength(2));
    expect(await claimAll(ledger, queue.jobs, NOON + 4 * SECOND)).toMatchObject([{ attempt: 2 }]);
  });

  it("deletes labels that no window counts, and is not set after that", async () => {
    const { ledger } = await noonLedger();
    const caps = policy({ daily: 100 });
    await ledger.admit(sendOf([{ recipientCount: 101, tags: ["never"] }], { policy: caps }));
    expect(await alarmOf(ledger)).toBeNull();
    await ledger.admit(sendOf([{ id: "email_t", tags: ["a"], campaign: "c" }], { policy: caps }));
    const grants = await claimAll(ledger, refs("email_t"), NOON);
    const settled = grants.map((grant) => ({ ...grant, events: [], nextAttemptAt: null }));
    await ledger.settle(settled, { email_t: messageOf("email_t") }, NOON);
    await alarmAt(ledger, NOON + RELEASE_WAIT_MS);
    expect(await alarmOf(ledger)).toBe(NOON + 2 * 3_600 * SECOND);
    await alarmAt(ledger, NOON + 2 * 3_600 * SECOND);
    expect(await alarmOf(ledger)).toBe(NOON + 73 * 3_600 * SECOND);
    await alarmAt(ledger, NOON + 73 * 3_600 * SECOND);
    expect(await alarmOf(ledger)).toBeNull();
  });

  it("sets the next alarm even if a round fails", async () => {
    const { ledger } = await noonLedger();
    await ledger.admit(send());
    const log = vi.spyOn(console, "error").mockImplementation(() => {});
    await runInDurableObject(
      ledger,
      (_, { storage }) => storage.sql.exec("DROP TABLE ledger") && null,
    );
    await alarmAt(ledger, NOON + RELEASE_WAIT_MS);
    expect(log).toHaveBeenCalledOnce();
    expect(await alarmOf(ledger)).toBe(NOON + RELEASE_WAIT_MS + 10 * SECOND);
  });

  it("reaches its crash points after the commit and before the answer, and after the queue took the jobs", async () => {
    const ledger = newLedger();
    setClock(NOON);
    const queue = await recordQueue(ledger, { CRASH_POINT_URL: "http://harness.test" });
    const passed: string[] = [];
    vi.stubGlobal("fetch", async (url: string) => {
      passed.push(`${url.slice(url.lastIndexOf("/") + 1)} with ${queue.jobs.length} in the queue`);
      return new Response();
    });
    await ledger.admit(send());
    const both = ["after_admit with 0 in the queue", "after_release with 1 in the queue"];
    await vi.waitFor(() => expect(passed).toEqual(both));
  });
});
