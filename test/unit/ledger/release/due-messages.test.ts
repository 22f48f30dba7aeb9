// Tests the release of scheduled messages (src/ledger/release): at their time, at the team's rate,
// and in turn with other streams, also after a restart.
import { evictDurableObject, runInDurableObject } from "cloudflare:test";
import { describe, expect, it, vi } from "vitest";
import {
  alarmAt,
  alarmOf,
  claimAll,
  emailIds,
  newLedger,
  NOON,
  noonLedger,
  recordQueue,
  refs,
  pacedSend,
  sendOf,
  setClock,
} from "../ledger-harness.ts";

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const AT = NOON + 10 * HOUR;

const waiting = (count: number): { id: string; scheduledAt: number }[] =>
  Array.from({ length: count }, (_, index) => ({ id: `email_${index}`, scheduledAt: AT }));

describe("a scheduled message", () => {
  it("goes to the queue when its time has come, and not before", async () => {
    const { ledger, queue } = await noonLedger();
    const last = { id: "email_last", scheduledAt: AT + HOUR };
    const items = [{ id: "email_later", scheduledAt: AT }, last, { id: "email_now" }];
    await ledger.admit(sendOf(items));
    await vi.waitFor(() => expect(emailIds(queue.jobs)).toEqual(["email_now"]));
    const [claimed] = await claimAll(ledger, queue.jobs, NOON);
    expect(claimed).toMatchObject({ emailId: "email_now" });
    expect(await claimAll(ledger, refs("email_later"), AT + HOUR)).toEqual([]);
    await alarmAt(ledger, AT);
    await vi.waitFor(() => expect(emailIds(queue.jobs)).toContain("email_later"));
    expect(emailIds(queue.jobs)).not.toContain("email_last");
    const { messages } = await ledger.claim(refs("email_later"), AT);
    expect(messages).toMatchObject([
      { emailId: "email_later", startsAt: AT, content: '{"text":"hi"}', contentKey: null },
    ]);
  });

  it("sets the alarm to its time, before and after a restart", async () => {
    const { ledger } = await noonLedger();
    await ledger.admit(sendOf([{ scheduledAt: AT }, { scheduledAt: AT - HOUR }]));
    expect(await alarmOf(ledger)).toBe(AT - HOUR);
    await runInDurableObject(ledger, (_, { storage }) => storage.deleteAlarm());
    await evictDurableObject(ledger);
    await ledger.usage(NOON);
    expect(await alarmOf(ledger)).toBe(AT - HOUR);
  });

  it("counts neither as open nor as waiting until its time", async () => {
    const { ledger } = await noonLedger();
    await ledger.admit(sendOf([{ scheduledAt: AT, recipientCount: 3 }]));
    const { messages, jobs, delivery, dailyUsed } = await ledger.usage(NOON);
    expect([messages, jobs, delivery.oldestAcceptedAt, dailyUsed]).toEqual([0, 0, null, 3]);
  });

  it("is released together with many others, and the messages beyond the team's rate wait", async () => {
    const { ledger, queue } = await noonLedger();
    const streams = [...Array(100).keys()].map((at) => ({
      id: `email_${at}`,
      scheduledAt: AT,
      campaign: at % 2 === 0 ? null : "news",
    }));
    await ledger.admit(pacedSend(streams, 60));
    await alarmAt(ledger, AT);
    await vi.waitFor(() => expect(queue.jobs).toHaveLength(60));
    const usage = await ledger.usage(AT);
    expect(usage).toMatchObject({ messages: 100, jobs: 100, delivery: { waiting: 40 } });
    await claimAll(ledger, queue.jobs, AT);
    await alarmAt(ledger, AT + MINUTE);
    await vi.waitFor(() => expect(new Set(emailIds(queue.jobs)).size).toBe(100));
  });

  it("is released even if the ledger restarts only after its time", async () => {
    const { ledger } = await noonLedger();
    await ledger.admit(sendOf(waiting(3)));
    await evictDurableObject(ledger);
    setClock(AT + HOUR);
    const queue = await recordQueue(ledger);
    await alarmAt(ledger, AT + HOUR);
    await vi.waitFor(() => expect(queue.jobs).toHaveLength(3));
  });

  it("needs its content before and after its release, but not after the team's deletion", async () => {
    const { ledger } = await noonLedger();
    const large = { content: null, contentKey: "scheduled/a" };
    await ledger.admit(sendOf([{ id: "email_a", scheduledAt: AT, ...large }]));
    expect(await ledger.needingContent(["email_a", "email_b"])).toEqual(["email_a"]);
    await alarmAt(ledger, AT);
    expect(await ledger.needingContent(["email_a"])).toEqual(["email_a"]);
    await ledger.destroy();
    expect(await ledger.needingContent(["email_a"])).toEqual([]);
  });

  it("is found by an index, by its time and by its id", async () => {
    const plans = await runInDurableObject(newLedger(), (_, { storage }) =>
      [
        "SELECT min(due_at) FROM scheduled",
        "SELECT seq FROM scheduled WHERE due_at <= 1 ORDER BY due_at, seq LIMIT 1",
        "SELECT seq FROM scheduled WHERE id = 'x'",
        "SELECT id FROM scheduled WHERE id < 'x' ORDER BY id DESC",
        "SELECT content_key FROM scheduled WHERE content_key IS NOT NULL",
      ].map((query) => {
        const plan = storage.sql.exec<{ detail: string }>(`EXPLAIN QUERY PLAN ${query}`);
        return Array.from(plan, ({ detail }) => detail).join();
      }),
    );
    expect(plans.filter((plan) => !plan.includes("INDEX") || plan.includes("TEMP"))).toEqual([]);
  });
});
