// Tests cancelling and moving scheduled messages (src/ledger/release). Either change takes effect
// before the release or fails. A cancellation gives the quota back, and keeps the message's facts.
import { evictDurableObject } from "cloudflare:test";
import { describe, expect, it, vi } from "vitest";
import type { NotedChange } from "../../../../src/audit.ts";
import type { Candidate } from "../../../../src/rpc/ledger-calls.ts";
import {
  alarmAt,
  alarmOf,
  type LedgerStub,
  NOON,
  policy,
  queuedLedger,
  refs,
  restart,
  sendOf,
  setClock,
} from "../ledger-harness.ts";

const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
const AT = NOON + 10 * DAY;
const ID = "email_a";

async function schedule(
  ledger: LedgerStub,
  over: Partial<Candidate> = {},
  caps = policy(),
  now = NOON,
) {
  setClock(now);
  return ledger.admit(sendOf([{ id: ID, scheduledAt: AT, ...over }], { policy: caps, now }));
}

const notedMove = (id: string): NotedChange => ({
  entry: {
    id,
    at: NOON,
    actor: { kind: "key", id: "key_1", name: "A key" },
    via: "api",
    operation: "email.move",
    target: ID,
    changed: ["scheduled_at"],
    requestId: null,
  },
  keptSince: 0,
});

describe("cancelling a scheduled message", () => {
  it("prevents its release, and gets the same answer when repeated", async () => {
    const { ledger, queue } = await queuedLedger();
    await schedule(ledger);
    const canceled = { kind: "canceled", canceledAt: NOON + HOUR };
    expect(await ledger.cancel(ID, NOON + HOUR)).toEqual(canceled);
    expect(await ledger.cancel(ID, NOON + 2 * HOUR)).toEqual(canceled);
    await evictDurableObject(ledger);
    setClock(AT + HOUR);
    expect(await ledger.cancel(ID, AT + HOUR)).toEqual(canceled);
    const listed = await ledger.listScheduled({ order: "newest", before: null }, 10);
    expect(listed).toEqual({ messages: [], isMore: false });
    expect(await ledger.usage(AT + HOUR)).toMatchObject({ messages: 0 });
    expect(queue.jobs).toEqual([]);
  });

  it("finds nothing to cancel for a released message and for an unknown id", async () => {
    const { ledger } = await queuedLedger();
    await schedule(ledger);
    await alarmAt(ledger, AT);
    expect(await ledger.cancel(ID, AT)).toEqual({ kind: "gone" });
    expect(await ledger.cancel("email_b", AT)).toEqual({ kind: "gone" });
    expect(await ledger.move(ID, AT + HOUR, AT)).toBe(false);
    expect(await ledger.move(ID, AT - HOUR, AT)).toBe(false);
  });

  it("keeps the message's facts for as long as events are shown", async () => {
    const { ledger } = await queuedLedger();
    await schedule(ledger, { meta: '{"subject":"Hi"}' });
    const scheduled = { scheduledAt: AT, canceledAt: null, meta: '{"subject":"Hi"}' };
    expect(await ledger.find(ID)).toMatchObject({ open: null, scheduled });
    await ledger.cancel(ID, NOON + HOUR);
    const found = { ...scheduled, canceledAt: NOON + HOUR };
    expect(await ledger.find(ID)).toMatchObject({ open: null, scheduled: found });
    const lastDay = NOON + 30 * DAY;
    await restart(ledger);
    setClock(lastDay);
    expect(await ledger.find(ID)).toMatchObject({ scheduled: found });
    expect(await alarmOf(ledger)).toBeLessThanOrEqual(NOON + 31 * DAY);
    await alarmAt(ledger, NOON + 31 * DAY);
    expect(await ledger.find(ID)).toEqual({ open: null, logged: null });
  });

  it("gives the quotas back the message's recipients within the same day and month", async () => {
    const { ledger } = await queuedLedger();
    const used = async (now: number) => {
      const { dailyUsed, monthlyUsed } = await ledger.usage(now);
      return `${dailyUsed} ${monthlyUsed}`;
    };
    await schedule(ledger, { recipientCount: 5 });
    expect(await used(NOON)).toBe("5 5");
    await ledger.cancel(ID, NOON + HOUR);
    expect(await used(NOON + HOUR)).toBe("0 0");
    await schedule(ledger, { id: "email_b", recipientCount: 4 });
    await ledger.cancel("email_b", NOON + DAY);
    expect(await used(NOON + DAY)).toBe("0 0");
    await schedule(ledger, { id: "email_c", recipientCount: 3 }, policy(), NOON + 16 * DAY);
    await ledger.cancel("email_c", NOON + 17 * DAY);
    expect(await used(NOON + 17 * DAY)).toBe("0 0");
  });

  it("gives back the overage credits that paid for the message", async () => {
    const { ledger } = await queuedLedger();
    await ledger.setOverageCredits(10);
    await schedule(ledger, { recipientCount: 5 }, policy({ monthly: 2 }));
    expect(await ledger.usage(NOON)).toMatchObject({ monthlyUsed: 2, overageCredits: 7 });
    await ledger.cancel(ID, NOON + HOUR);
    expect(await ledger.usage(NOON)).toMatchObject({ monthlyUsed: 0, overageCredits: 10 });
  });

  it("gives back the labels that only this message used", async () => {
    const { ledger } = await queuedLedger();
    const labels = { tags: ["a", "b"], topic: "news", campaign: "may" };
    setClock(NOON);
    await ledger.admit(sendOf([{ tags: ["b"] }]));
    await schedule(ledger, labels);
    const counts = async () => (await ledger.usage(NOON + MINUTE)).labels;
    expect(await counts()).toMatchObject({ tagsPerHour: 2, topicPerHour: 1, campaignPerHour: 1 });
    await ledger.cancel(ID, NOON + MINUTE);
    const left = { tagsPerHour: 1, topicPerHour: 0, campaignPerHour: 0, campaignPer72Hours: 0 };
    expect(await counts()).toEqual(left);
    await evictDurableObject(ledger);
    expect(await counts()).toEqual(left);
  });

  it("keeps a label that was used since, and a label that its own batch uses twice", async () => {
    const { ledger } = await queuedLedger();
    setClock(NOON);
    const both = ["email_a", "email_b"].map((id) => ({ id, scheduledAt: AT, topic: "news" }));
    await ledger.admit(sendOf([...both, { id: "email_c", scheduledAt: AT, topic: "sale" }]));
    await ledger.admit(sendOf([{ topic: "sale" }], { now: NOON + 1 }));
    await ledger.cancel("email_a", NOON + MINUTE);
    await ledger.cancel("email_c", NOON + MINUTE);
    expect((await ledger.usage(NOON + MINUTE)).labels).toMatchObject({ topicPerHour: 2 });
  });

  it("restores a campaign's earlier use, which the longer window still counts", async () => {
    const { ledger } = await queuedLedger();
    setClock(NOON);
    await ledger.admit(sendOf([{ campaign: "may" }]));
    const later = NOON + 2 * HOUR;
    await schedule(ledger, { campaign: "may" }, policy(), later);
    await ledger.cancel(ID, later + MINUTE);
    const counts = async () => (await ledger.usage(later + MINUTE)).labels;
    expect(await counts()).toMatchObject({ campaignPerHour: 0, campaignPer72Hours: 1 });
    await evictDurableObject(ledger);
    expect(await counts()).toMatchObject({ campaignPerHour: 0, campaignPer72Hours: 1 });
  });
});

describe("moving a scheduled message", () => {
  it("changes its time, earlier or later", async () => {
    const { ledger, queue } = await queuedLedger();
    await schedule(ledger);
    expect(await ledger.move(ID, AT - DAY, NOON)).toBe(true);
    expect(await alarmOf(ledger)).toBe(AT - DAY);
    expect(await ledger.move(ID, AT + DAY, NOON)).toBe(true);
    await alarmAt(ledger, AT);
    expect(queue.jobs).toEqual([]);
    await alarmAt(ledger, AT + DAY);
    await vi.waitFor(() => expect(queue.jobs).toHaveLength(1));
    const { messages } = await ledger.claim(refs(ID), AT + DAY);
    expect(messages).toMatchObject([{ startsAt: AT + DAY }]);
  });

  it.each([
    ["but none for a repetition after the new time has passed", NOON + MINUTE, NOON],
    ["also if both times have passed", AT - SECOND, AT + SECOND],
  ])("leaves an entry in the trail, %s", async (_, to, movedAt) => {
    const { ledger } = await queuedLedger();
    await schedule(ledger);
    setClock(movedAt);
    expect(await ledger.move(ID, to, movedAt, notedMove("audit_1"))).toBe(true);
    const later = Math.max(to, movedAt) + SECOND;
    setClock(later);
    await ledger.move(ID, to, later, notedMove("audit_2"));
    const all = { operation: null, actorKind: null, actorId: null, target: null };
    const query = { ...all, since: 0, before: { at: later + HOUR, id: "audit_9" } };
    expect((await ledger.listAudit(query, 10)).map(({ id }) => id)).toEqual(["audit_1"]);
  });
});
