// Tests what a ledger reports to the operator: stuck messages once, with their ids, and open
// recipients by what they wait for.
import { evictDurableObject } from "cloudflare:test";
import { beforeEach, describe, expect, it, vi } from "vitest";
import type { JobRef } from "../../../../src/rpc/ledger-calls.ts";
import { LEASE_MS, RELEASE_WAIT_MS } from "../../../../src/ledger/open/job-waits.ts";
import { STUCK_AFTER_MS } from "../../../../src/limits.ts";
import type { Env } from "../../../../src/env.ts";
import type { Gauges } from "../../../../src/rpc/metrics-calls.ts";
import {
  alarmAt,
  dispatched,
  type LedgerStub,
  newLedger,
  NOON,
  pacedSend,
  postpone,
  recordQueue,
  refs,
  send,
  sendOf,
  setClock,
  settle,
} from "../ledger-harness.ts";

const SECOND = 1_000;
const MINUTE = 60 * SECOND;

let warned: Record<string, unknown>[];
/** The gauges that the ledger reported to the Metrics object, in order. */
let reports: (Gauges | null)[];

beforeEach(() => {
  warned = [];
  reports = [];
  vi.spyOn(console, "warn").mockImplementation(
    (line) => void warned.push(JSON.parse(String(line)) as Record<string, unknown>),
  );
});

const stuck = () => warned.filter(({ event }) => event === "stuck");

async function watched(ledger: LedgerStub, settings: Partial<Env> = {}) {
  const report = async (_source: string, gauges: Gauges | null) => void reports.push(gauges);
  const METRICS = { getByName: () => ({ report }) } as never;
  return recordQueue(ledger, { ...settings, METRICS });
}

/** Makes a ledger at noon whose reports are recorded. */
async function watchedLedger() {
  const ledger = newLedger();
  setClock(NOON);
  return { ledger, queue: await watched(ledger) };
}

/** Claims the jobs, and records an outcome for each grant. */
async function attempt(
  ledger: LedgerStub,
  jobs: readonly JobRef[],
  now: number,
  nextAttemptAt: number | null,
): Promise<void> {
  const { grants } = await ledger.claim(jobs, now);
  await settle(ledger, grants, now, nextAttemptAt);
}

describe("a stuck message", () => {
  it("is one that no consumer claimed for 15 minutes, and is logged once with its id", async () => {
    const { ledger } = await watchedLedger();
    await ledger.admit(sendOf([{ id: "email_lost", recipientCount: 3 }]));
    for (let at = RELEASE_WAIT_MS; at < STUCK_AFTER_MS; at += RELEASE_WAIT_MS)
      await alarmAt(ledger, NOON + at);
    expect(stuck()).toEqual([]);
    await alarmAt(ledger, NOON + STUCK_AFTER_MS);
    const since = new Date(NOON).toISOString();
    const expected = { level: "warning", recipients: 3, emails: 1, since };
    expect(stuck()).toMatchObject([{ ...expected, email_ids: ["email_lost"] }]);
    await alarmAt(ledger, NOON + 2 * STUCK_AFTER_MS);
    expect(stuck()).toHaveLength(1);
    expect(reports.at(-1)).toMatchObject({ queued: 3, stuck: 3, oldestAcceptedAt: NOON });
  });

  it("is reported by an alarm at the fifteenth minute, though no job is released then", async () => {
    const { ledger } = await watchedLedger();
    await ledger.admit(send());
    for (const at of [30, 90, 210, 450]) await alarmAt(ledger, NOON + at * SECOND);
    for (let step = 0; step < 20 && stuck().length === 0; step += 1)
      await alarmAt(ledger, NOON + STUCK_AFTER_MS);
    expect(stuck()).toHaveLength(1);
  });

  it("is one whose courier never answers, also across restarts, until its first outcome", async () => {
    const watch = await watchedLedger();
    const { ledger } = watch;
    let { queue } = watch;
    await ledger.admit(sendOf([{ id: "email_slow" }]));
    for (let minute = 0; minute < 15; minute += 3) {
      const jobs = queue.jobs.length > 0 ? queue.jobs : refs("email_slow");
      const { grants } = await ledger.claim(jobs, NOON + minute * MINUTE);
      await postpone(ledger, grants, NOON + minute * MINUTE);
      await alarmAt(ledger, NOON + minute * MINUTE + 59 * SECOND);
      await evictDurableObject(ledger);
      queue = await watched(ledger);
    }
    await alarmAt(ledger, NOON + STUCK_AFTER_MS + MINUTE);
    expect(stuck()).toMatchObject([{ email_ids: ["email_slow"] }]);
    const at = NOON + STUCK_AFTER_MS + 30 * MINUTE;
    await attempt(ledger, refs("email_slow"), at, at + MINUTE);
    await alarmAt(ledger, at + 31 * SECOND);
    await vi.waitFor(() => expect(reports.at(-1)).toMatchObject({ stuck: 0 }));
    await evictDurableObject(ledger);
    await watched(ledger);
    await alarmAt(ledger, at + 40 * MINUTE);
    expect(stuck()).toHaveLength(1);
  });

  it("is never a message that waits for its release, nor a deferred message", async () => {
    const { ledger, queue } = await watchedLedger();
    await ledger.admit(pacedSend([{ recipientCount: 50 }], 1));
    await vi.waitFor(() => expect(queue.jobs).toHaveLength(1));
    for (let minute = 0; minute <= 25; minute += 5) {
      const now = NOON + minute * MINUTE;
      await alarmAt(ledger, now);
      const jobs = queue.jobs.splice(0);
      await attempt(ledger, jobs, now, now + 24 * 60 * MINUTE);
    }
    expect(stuck()).toEqual([]);
    expect(reports.at(-1)).toMatchObject({ stuck: 0, attempting: 0 });
    expect(reports.at(-1)?.["waiting"]).toBeGreaterThan(20);
    expect(reports.at(-1)?.["deferred"]).toBeGreaterThan(3);
  });
});

describe("the report of open recipients", () => {
  it("counts them by what they wait for, also after a restart", async () => {
    const { ledger, queue } = await watchedLedger();
    const both = [
      { id: "email_a", recipientCount: 4 },
      { id: "email_b", recipientCount: 2 },
    ];
    await ledger.admit(pacedSend(both, 4));
    await vi.waitFor(() => expect(queue.jobs).toHaveLength(4));
    const [first, second, third] = queue.jobs as [JobRef, JobRef, JobRef, JobRef];
    const { grants } = await ledger.claim([first, second, third], NOON);
    await settle(ledger, grants.slice(0, 1), NOON);
    await settle(ledger, grants.slice(1, 2), NOON, NOON + 60 * MINUTE);
    await alarmAt(ledger, NOON + SECOND);
    const expected = {
      waiting: 2,
      queued: 1,
      attempting: 1,
      deferred: 1,
      stuck: 0,
      oldestAcceptedAt: NOON,
      unpaged: 2,
      full: 0,
    };
    expect(reports).toMatchObject([expected]);
    await evictDurableObject(ledger);
    await watched(ledger);
    await alarmAt(ledger, NOON + 2 * SECOND);
    expect(reports.at(-1)).toMatchObject(expected);
  });

  it("is not sent if all messages are done when the alarm goes off", async () => {
    const { ledger, queue } = await watchedLedger();
    await ledger.admit(send());
    await vi.waitFor(() => expect(queue.jobs).toHaveLength(1));
    await attempt(ledger, queue.jobs, NOON, null);
    await dispatched(ledger);
    await alarmAt(ledger, NOON + RELEASE_WAIT_MS);
    expect(reports).toEqual([]);
  });

  it("ends with an empty report if all messages are done or the team is deleted", async () => {
    for (const end of ["done", "deleted"]) {
      const { ledger, queue } = await watchedLedger();
      await ledger.admit(send());
      await vi.waitFor(() => expect(queue.jobs).toHaveLength(1));
      await alarmAt(ledger, NOON + RELEASE_WAIT_MS);
      expect(reports.at(-1)).toMatchObject({ queued: 1 });
      if (end === "deleted") await ledger.destroy();
      else {
        await attempt(ledger, queue.jobs, NOON + RELEASE_WAIT_MS, null);
        await dispatched(ledger);
        await alarmAt(ledger, NOON + 2 * RELEASE_WAIT_MS);
      }
      expect(reports.at(-1)).toBeNull();
    }
  });
});

describe("a gateway that leaves", () => {
  const [LEAVING, STAYING] = ["https://leaving.example.net", "https://staying.example.net"];

  /** Claims a new message's job at `at`, and leaves its copy with the gateway `host`, if any. */
  async function handOver(ledger: LedgerStub, id: string, at: number, host?: string) {
    setClock(at);
    await ledger.admit(sendOf([{ id }], { now: at }));
    const { grants } = await ledger.claim(refs(id), at, true);
    const handedOver = host === undefined ? [] : grants.map((grant) => ({ ...grant, host }));
    await ledger.leave({ handedOver, postponed: [], courierRemembers: true }, at);
  }

  async function leavingAt(ledger: LedgerStub, at: number) {
    await alarmAt(ledger, at);
    return reports.at(-1)?.["leaving"];
  }

  it("has no copy of a consumer that began more than a lease after it left", async () => {
    const ledger = newLedger();
    setClock(NOON);
    await watched(ledger, { EGRESS_LEAVING: LEAVING });
    await handOver(ledger, "email_early", NOON + LEASE_MS);
    await handOver(ledger, "email_late", NOON + LEASE_MS + 1);
    expect(await leavingAt(ledger, NOON + 5 * MINUTE)).toBe(1);
    await handOver(ledger, "email_there", NOON + 6 * MINUTE, LEAVING);
    await handOver(ledger, "email_elsewhere", NOON + 6 * MINUTE, STAYING);
    expect(await leavingAt(ledger, NOON + 10 * MINUTE)).toBe(2);
  });

  it("may have a copy of any consumer that began before the ledger's restart", async () => {
    const { ledger } = await watchedLedger();
    await handOver(ledger, "email_1", NOON);
    await evictDurableObject(ledger);
    setClock(NOON + MINUTE);
    await watched(ledger, { EGRESS_LEAVING: LEAVING });
    await handOver(ledger, "email_2", NOON + 10 * MINUTE);
    expect(await leavingAt(ledger, NOON + 20 * MINUTE)).toBe(1);
  });
});
