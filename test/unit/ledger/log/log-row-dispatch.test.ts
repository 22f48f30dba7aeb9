// Tests src/ledger/log/log-row-dispatch.ts: every appended event reaches suppressions and webhooks,
// and only what failed is tried again.
import { evictDurableObject } from "cloudflare:test";
import { beforeEach, describe, expect, it, vi } from "vitest";
import { call } from "../../../support/api.ts";
import { patch, remove } from "../../../support/test-webhooks.ts";
import { Handing, HOUR, MINUTE } from "./handing.ts";
import { NOON, setClock } from "../ledger-harness.ts";

let logged: Record<string, unknown>[];
let handing: Handing;

beforeEach(async () => {
  logged = [];
  const note = (line: unknown) =>
    void logged.push(JSON.parse(String(line)) as Record<string, unknown>);
  vi.spyOn(console, "error").mockImplementation(note);
  vi.spyOn(console, "warn").mockImplementation(note);
  handing = await Handing.make();
});

const isDone = () => vi.waitFor(async () => expect((await handing.usage()).undelivered).toBe(0));
const failures = () => logged.filter(({ event }) => event === "row_dispatch_failed");
const hasFailed = (times: number) => vi.waitFor(() => expect(failures()).toHaveLength(times));

const REFUSAL = { classification: "InvalidRecipient", smtpCode: 550 };
const PERMANENT = { type: "permanent", ...REFUSAL, smtpResponse: "550 no" } as const;
const bounced = (at: number) => {
  const suppress = { kind: "bounce", ...REFUSAL, at } as const;
  return { type: "email.bounced", bounce: PERMANENT, suppress } as const;
};

async function isSuppressed(email: string): Promise<boolean> {
  return (await call("GET", `/v1/suppressions/${email}`, { key: handing.team.key })).status === 200;
}

const lift = () => call("DELETE", "/v1/suppressions/gone@example.com", { key: handing.team.key });

describe("appended events", () => {
  it("are handed to each webhook at once, and a restart hands them over with the same batch ids", async () => {
    const [first, second] = [await handing.webhook(), await handing.webhook()];
    const ids = await handing.append(["ann@example.com", "bob@example.com"], NOON);
    await isDone();
    for (const hook of [first, second]) expect(handing.taken.get(hook)).toEqual([ids.toSorted()]);
    await evictDurableObject(handing.ledger);
    await handing.connect();
    await handing.alarmAt(NOON + HOUR);
    await isDone();
    // Only memory knew that the row was dispatched. The restarted ledger therefore sends the same
    // batches again, and the webhooks ignore them.
    expect([...handing.batches.values()]).toEqual([2, 2]);
  });

  it("suppress their recipients", async () => {
    await handing.append(["gone@example.com"], NOON, bounced(NOON));
    await handing.append(["angry@example.com"], NOON, {
      type: "email.complained",
      suppress: { kind: "complaint", feedbackType: "abuse", at: NOON },
    });
    await isDone();
    vi.useRealTimers();
    for (const name of ["gone", "angry"])
      expect(await isSuppressed(`${name}@example.com`)).toBe(true);
    expect(await isSuppressed("ann@example.com")).toBe(false);
  });

  it("go to a new webhook from its creation on, and no longer to a disabled or deleted webhook", async () => {
    const first = await handing.webhook();
    const [before] = await handing.append(["ann@example.com"], NOON);
    await isDone();
    const second = await handing.webhook();
    const [both] = await handing.append(["bob@example.com"], NOON + 1);
    await isDone();
    const hook = { name: "Hook", url: "https://hooks.example.com/", events: ["email.opened"] };
    const disabled = { ...hook, status: "disabled" };
    expect((await patch(handing.team, first, disabled)).status).toBe(200);
    const [alone] = await handing.append(["cy@example.com"], NOON + 2);
    await isDone();
    expect((await remove(handing.team, second)).status).toBe(204);
    await handing.append(["dan@example.com"], NOON + 3);
    await isDone();
    expect(handing.taken.get(first)).toEqual([[before], [both]]);
    expect(handing.taken.get(second)).toEqual([[both], [alone]]);
  });
});

describe("an outbox that can't be reached", () => {
  it("is tried again after a minute, then less and less often up to every 15 minutes, without a repetition for other outboxes", async () => {
    const [deaf, other] = [await handing.webhook(), await handing.webhook()];
    handing.deaf.add(deaf);
    const [id] = await handing.append(["gone@example.com"], NOON, bounced(NOON));
    await hasFailed(1);
    let now = NOON;
    for (const minutes of [1, 2, 4, 8, 15, 15]) {
      await handing.alarmAt(now + minutes * MINUTE - 1_000);
      const before = failures().length;
      now += minutes * MINUTE;
      await handing.alarmAt(now);
      await hasFailed(before + 1);
    }
    expect(handing.taken.get(other)).toEqual([[id]]);
    handing.deaf.clear();
    await handing.alarmAt(now + 15 * MINUTE);
    await isDone();
    expect([handing.taken.get(deaf), handing.taken.get(other)]).toEqual([[[id]], [[id]]]);
    await handing.append(["ann@example.com"], NOON + HOUR);
    await isDone();
    expect(handing.taken.get(deaf)).toHaveLength(2);
  });

  it("does not get a row that is older than 72 hours, but gets the next row as usual", async () => {
    const deaf = await handing.webhook();
    handing.deaf.add(deaf);
    await handing.append(["ann@example.com"], NOON);
    await hasFailed(1);
    await handing.alarmAt(NOON + 71 * HOUR);
    await hasFailed(2);
    expect((await handing.usage()).undelivered).toBe(1);
    await handing.alarmAt(NOON + 73 * HOUR);
    await isDone();
    expect(logged.filter(({ event }) => event === "row_dispatch_given_up")).toMatchObject([
      { team_id: handing.team.id, events: 1 },
    ]);
    handing.deaf.clear();
    const [id] = await handing.append(["bob@example.com"], NOON + 73 * HOUR);
    await isDone();
    expect(handing.taken.get(deaf)).toEqual([[id]]);
  });
});

describe("a row that always fails", () => {
  it("is set aside after three failures while other rows succeed, and delays no other row", async () => {
    const hook = await handing.webhook();
    handing.deaf.add(hook);
    await handing.append(["broken@example.com"], NOON);
    await hasFailed(1);
    handing.deaf.clear();
    await handing.inside((_, sql) =>
      sql.exec("UPDATE ledger SET events = '[{' WHERE day IS NOT NULL"),
    );
    let now = NOON;
    for (const minutes of [1, 1, 1]) {
      now += 1_000;
      setClock(now);
      await handing.append(["ann@example.com"], now);
      await vi.waitFor(async () => expect((await handing.usage()).undelivered).toBe(1));
      const before = failures().length;
      now += minutes * 16 * MINUTE;
      await handing.alarmAt(now);
      await hasFailed(before + 1);
    }
    await isDone();
    expect(logged.filter(({ event }) => event === "row_dispatch_set_aside")).toHaveLength(1);
    expect(handing.taken.get(hook)).toHaveLength(3);
  });
});

describe("lifting a suppression that is not dispatched yet", () => {
  it("drops the suppression, which never arrives, not even after a restart", async () => {
    handing.shard = () => Promise.reject(new Error("the shard is down"));
    await handing.append(["gone@example.com"], NOON, bounced(NOON));
    await hasFailed(1);
    handing.shard = (run) => run();
    vi.useRealTimers();
    expect((await lift()).status).toBe(204);
    await handing.alarmAt(NOON + HOUR);
    await isDone();
    await evictDurableObject(handing.ledger);
    await handing.connect();
    await handing.alarmAt(NOON + 2 * HOUR);
    await isDone();
    vi.useRealTimers();
    expect(await isSuppressed("gone@example.com")).toBe(false);
  });

  it("waits for a suppression that is being written, so that it can't arrive after the lifting", async () => {
    const writing = Promise.withResolvers<void>();
    handing.shard = async (run) => {
      await writing.promise;
      return run();
    };
    await handing.append(["gone@example.com"], NOON, bounced(NOON));
    const lifting = lift();
    writing.resolve();
    expect((await lifting).status).toBe(204);
    await isDone();
    vi.useRealTimers();
    expect(await isSuppressed("gone@example.com")).toBe(false);
  });
});
