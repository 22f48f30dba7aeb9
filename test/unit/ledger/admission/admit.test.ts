// Tests TeamLedger.admit() (src/ledger/admission/send-admission.ts): answers, rate, quotas and the
// rows it writes.
import { evictDurableObject, runInDurableObject } from "cloudflare:test";
import { describe, expect, it, vi } from "vitest";
import type { TeamLedger } from "../../../../src/ledger/team-ledger.ts";
import {
  candidate,
  itemsOf,
  type LedgerStub,
  newLedger,
  NOON,
  policy,
  refs,
  queuedLedger,
  restart,
  send,
  sendOf,
  settle,
} from "../ledger-harness.ts";

const DAY = 86_400_000;

describe("admission of a send", () => {
  it("answers with the id and time of acceptance, stores the message and sends its jobs to the queue", async () => {
    const { ledger, queue } = await queuedLedger();
    const message = candidate({ recipientCount: 3 });
    const admission = await ledger.admit(sendOf([message]));
    expect(admission).toEqual({
      kind: "answered",
      rate: { limit: 1_000, remaining: 1_000, resetSeconds: 1 },
      replayed: false,
      answer: { kind: "accepted", createdAt: NOON, items: [{ kind: "queued", id: message.id }] },
    });
    await vi.waitFor(() => expect(queue.jobs).toEqual(refs(message.id, 0, 1, 2)));
    expect(await ledger.usage(NOON)).toEqual({
      dailyUsed: 3,
      monthlyUsed: 3,
      overageCredits: 0,
      dailyResetsAt: NOON + DAY / 2,
      monthlyResetsAt: NOON + 16.5 * DAY,
      labels: { tagsPerHour: 0, topicPerHour: 0, campaignPerHour: 0, campaignPer72Hours: 0 },
      messages: 1,
      jobs: 3,
      delivery: expect.objectContaining({ queued: 3, oldestAcceptedAt: NOON }) as object,
      unpaged: 0,
      undelivered: 0,
    });
  });

  it("uses one request of the rate for a batch of any size, and checks nothing else once the rate is exceeded", async () => {
    const { ledger } = await queuedLedger();
    const slow = policy({ requestsPerSecond: 1 });
    const batch = Array.from({ length: 100 }, () => ({}));
    expect((await ledger.admit(sendOf(batch, { policy: slow }))).rate.remaining).toBe(1);
    await ledger.takeRequest(slow, NOON);
    expect(await ledger.admit(sendOf(batch, { policy: slow }))).toEqual({
      kind: "rate_limited",
      rate: { limit: 1, remaining: 0, resetSeconds: 2, level: 0 },
    });
    expect(await ledger.takeRequest(slow, NOON + 1_000)).toMatchObject({ allowed: true });
    expect((await ledger.usage(NOON)).messages).toBe(100);
  });

  it("debits and stores nothing for a refused validation, a fault or failed items", async () => {
    const ledger = newLedger();
    const failed = { kind: "failed", error: '{"type":"validation_error"}' } as const;
    await ledger.admit(send({ verdict: { kind: "refused", status: 400, body: "{}" } }));
    await ledger.admit(send({ verdict: { kind: "unavailable" } }));
    const admission = await ledger.admit(send({ verdict: { kind: "items", items: [failed] } }));
    expect(admission).toMatchObject({ answer: { kind: "accepted", items: [failed] } });
    expect(await ledger.usage(NOON)).toMatchObject({ dailyUsed: 0, messages: 0 });
  });

  it("never lets concurrent sends past the cap, and counts a recipient as one message", async () => {
    const { ledger } = await queuedLedger();
    const two = sendOf([{ recipientCount: 2 }], { policy: policy({ daily: 50 }) });
    const admissions = await Promise.all(Array.from({ length: 30 }, () => ledger.admit(two)));
    expect(admissions.filter((admission) => admission.kind === "answered")).toHaveLength(25);
    expect(admissions.find((admission) => admission.kind === "over_quota")).toMatchObject({
      quota: { scope: "daily", limit: 50, retryAfterSeconds: 12 * 3_600 },
      items: [],
    });
    expect(await ledger.usage(NOON)).toMatchObject({ dailyUsed: 50, jobs: 50 });
  });

  it("keeps counters across a restart, and resets them when their day or month ends", async () => {
    const { ledger } = await queuedLedger();
    await ledger.setOverageCredits(10);
    await ledger.admit(sendOf([{ recipientCount: 12 }], { policy: policy({ monthly: 5 }) }));
    await evictDurableObject(ledger);
    const used = { dailyUsed: 12, monthlyUsed: 5, overageCredits: 3 };
    expect(await ledger.usage(NOON)).toMatchObject(used);
    expect(await ledger.usage(NOON + DAY)).toMatchObject({ dailyUsed: 0, monthlyUsed: 5 });
    const anew = { dailyUsed: 0, monthlyUsed: 0, overageCredits: 3 };
    expect(await ledger.usage(NOON + 17 * DAY)).toMatchObject(anew);
  });

  it("keeps label windows across a restart", async () => {
    const { ledger } = await queuedLedger();
    const caps = policy({ campaignPer72Hours: 1, tagsPerHour: 2 });
    await ledger.admit(sendOf([{ campaign: "a", tags: ["x", "y"] }], { policy: caps }));
    await restart(ledger);
    const soon = { policy: caps, now: NOON + 1_000 };
    const tagged = await ledger.admit(sendOf([{ tags: ["z"] }], soon));
    expect(tagged).toMatchObject({
      kind: "over_quota",
      quota: { scope: "tag_cardinality", limit: 2, retryAfterSeconds: 3_599 },
    });
    const later = { policy: caps, now: NOON + 2 * 3_600_000 };
    const known = await ledger.admit(sendOf([{ tags: ["z"], campaign: "a" }], later));
    expect(known.kind).toBe("answered");
    expect(await ledger.admit(sendOf([{ campaign: "b" }], later))).toMatchObject({
      quota: { scope: "campaign_cardinality", retryAfterSeconds: 72 * 3_600 },
    });
  });

  it("rejects every caller of a group that can't be written, stores nothing of the group, and accepts the next group", async () => {
    const { ledger } = await queuedLedger();
    const broken = { ...candidate(), id: null as unknown as string };
    const outcomes = await runInDurableObject(ledger, async (instance: TeamLedger) => {
      const first = await instance.admit(send());
      const group = [
        sendOf([{ topic: "lost" }]),
        send({ verdict: { kind: "items", items: itemsOf({}, broken) } }),
        send(),
      ];
      const settled = await Promise.allSettled(group.map((request) => instance.admit(request)));
      return [first.kind, ...settled.map(({ status }) => status)];
    });
    expect(outcomes).toEqual(["answered", "rejected", "rejected", "rejected"]);
    expect(await ledger.usage(NOON)).toMatchObject({ dailyUsed: 1, messages: 1 });
    const next = sendOf([{ topic: "t" }], { policy: policy({ topicPerHour: 1 }) });
    expect((await ledger.admit(next)).kind).toBe("answered");
  });

  it("writes two rows for each message until its end if its courier remembers attempts, and one row of counters per commit", async () => {
    const { ledger } = await queuedLedger();
    await ledger.admit(send());
    const written = await runInDurableObject(ledger, async (instance: TeamLedger, { storage }) => {
      const rows: number[] = [];
      const exec = storage.sql.exec.bind(storage.sql);
      storage.sql.exec = ((query: string, ...values: unknown[]) => {
        const cursor = exec(query, ...values);
        if (!query.startsWith("SELECT")) rows.push(cursor.rowsWritten);
        return cursor;
      }) as typeof storage.sql.exec;
      const sends = Array.from({ length: 101 }, (_, at) =>
        sendOf([{ id: `email_${at}`, tags: ["a"] }]),
      );
      await Promise.all(sends.map((request) => instance.admit(request)));
      const jobs = sends.flatMap((_, at) => refs(`email_${at}`));
      const { grants } = await instance.claim(jobs, NOON, true);
      await settle(instance as unknown as LedgerStub, grants, NOON);
      return rows.reduce((sum, count) => sum + count, 0);
    });
    // The sends write two rows for each message, one row of counters, and one row for the new
    // label. An event replaces the row of its message.
    expect(written).toBe(101 * 2 + 1 + 1);
    expect(await ledger.usage(NOON)).toMatchObject({ messages: 1, jobs: 1 });
  });
});
