// Tests claims, leases, outcomes and look-ups of jobs in a ledger (src/ledger/settle,
// src/ledger/open).
import { evictDurableObject, runInDurableObject } from "cloudflare:test";
import { describe, expect, it, vi } from "vitest";
import type { Env } from "../../../../src/env.ts";
import type { Candidate, Grant } from "../../../../src/rpc/ledger-calls.ts";
import type { WaitReason } from "../../../../src/rpc/recipient-states.ts";
import { LEASE_MS } from "../../../../src/ledger/open/job-waits.ts";
import type { TeamLedger } from "../../../../src/ledger/team-ledger.ts";
import {
  candidate,
  messageOf,
  NOON,
  pacedSend,
  policy,
  refs,
  send,
  sendOf,
  setClock,
  settle,
  type LedgerStub,
  queuedLedger,
} from "../ledger-harness.ts";

/** Makes a ledger that has accepted one message. */
async function accepted(
  over: Partial<Candidate> = {},
): Promise<{ ledger: LedgerStub; message: Candidate }> {
  const { ledger } = await queuedLedger();
  const message = candidate(over);
  await ledger.admit(sendOf([message]));
  return { ledger, message };
}

const jobs = ({ id }: Candidate, ...indexes: number[]) => refs(id, ...indexes);

describe("claim and settle", () => {
  it("returns a message once for all its jobs, as it was accepted", async () => {
    const { ledger, message } = await accepted({ recipientCount: 3, content: "c".repeat(90_000) });
    const claim = await ledger.claim(jobs(message, 2, 0, 2), NOON + 5);
    const { id: emailId, meta, content } = message;
    expect(claim).toEqual({
      messages: [{ emailId, startsAt: NOON, meta, content, contentKey: null }],
      grants: refs(emailId, 2, 0).map((ref) => ({ ...ref, attempt: 1 })),
      facts: null,
    });
  });

  it("grants no job that is unknown, out of range or leased, and returns no message for it", async () => {
    const { ledger, message } = await accepted({ recipientCount: 2 });
    await ledger.claim(jobs(message, 0), NOON);
    const strange = [
      ...jobs(message, 0, 2, -1, 0.5),
      { emailId: "email_unknown", recipientIndex: 0 },
    ];
    expect(await ledger.claim(strange, NOON + 1)).toEqual({ messages: [], grants: [] });
  });

  it("grants a job to one of many consumers that ask at the same time", async () => {
    const { ledger, message } = await accepted();
    const twenty = Array.from({ length: 20 }, () => ledger.claim(jobs(message, 0), NOON));
    const claims = await Promise.all(twenty);
    expect(claims.flatMap(({ grants }) => grants)).toHaveLength(1);
  });

  it("begins a lease at the time of the grant, even if the consumer's call waited for two minutes", async () => {
    const { ledger, message } = await accepted();
    setClock(NOON + LEASE_MS);
    expect((await ledger.claim(jobs(message, 0), NOON)).grants).toHaveLength(1);
    expect((await ledger.claim(jobs(message, 0), NOON + 2 * LEASE_MS - 1)).grants).toEqual([]);
    expect((await ledger.claim(jobs(message, 0), NOON + 2 * LEASE_MS)).grants).toHaveLength(1);
  });

  it("keeps a lease across a restart, and grants the same attempt after it expired", async () => {
    const { ledger, message } = await accepted();
    await ledger.claim(jobs(message, 0), NOON);
    await evictDurableObject(ledger);
    expect((await ledger.claim(jobs(message, 0), NOON + LEASE_MS - 1)).grants).toEqual([]);
    const { grants } = await ledger.claim(jobs(message, 0), NOON + LEASE_MS);
    expect(grants).toEqual([{ ...jobs(message, 0)[0], attempt: 1 }]);
  });

  it("applies a settlement once, and only for the running attempt", async () => {
    const { ledger, message } = await accepted({ recipientCount: 2 });
    const { grants } = await ledger.claim(jobs(message, 0), NOON);
    const strangers = [{ attempt: 2 }, { recipientIndex: 1 }, { emailId: "email_x" }].map(
      (over) => ({ ...grants[0], ...over }) as Grant,
    );
    const none = { applied: [], refused: [] };
    expect(await settle(ledger, strangers, NOON)).toEqual(none);
    const once = { applied: [0], refused: [] };
    expect(await settle(ledger, [...grants, ...grants], NOON)).toEqual(once);
    expect(await settle(ledger, grants, NOON)).toEqual({ applied: [], refused: [] });
  });

  it("applies the first of two settlements if a lease expired and the job was claimed twice", async () => {
    const { ledger, message } = await accepted();
    const slow = await ledger.claim(jobs(message, 0), NOON);
    const quick = await ledger.claim(jobs(message, 0), NOON + LEASE_MS);
    expect((await settle(ledger, slow.grants, NOON + LEASE_MS + 1)).applied).toEqual([0]);
    expect((await settle(ledger, quick.grants, NOON + LEASE_MS + 2)).applied).toEqual([]);
  });

  it("lets only the consumer that got a lease renew it or settle its attempt after a restart that forgot the lease", async () => {
    const { ledger, message } = await accepted({ recipientCount: 2 });
    const first = await ledger.claim(jobs(message, 0, 1), NOON, true);
    await evictDurableObject(ledger);
    const [delayed, held] = first.grants as [Grant, Grant];
    const strangers = [0, 2].map((attempt) => ({ ...delayed, attempt }));
    expect((await settle(ledger, strangers, NOON + 1)).applied).toEqual([]);
    await ledger.hold([held], NOON + 1);
    expect((await ledger.claim(jobs(message, 1), NOON + LEASE_MS)).grants).toEqual([]);
    expect((await settle(ledger, [delayed], NOON + 2, NOON + 60_000)).applied).toEqual([0]);
    expect((await settle(ledger, [held], NOON + 2)).applied).toEqual([0]);
    const second = await ledger.claim(jobs(message, 0), NOON + 60_000, true);
    await evictDurableObject(ledger);
    expect((await settle(ledger, first.grants, NOON + 60_001)).applied).toEqual([]);
    expect((await settle(ledger, second.grants, NOON + 60_002)).applied).toEqual([0]);
  });

  it("deletes a message and its stored content with its last recipient", async () => {
    const stored = { content: null, contentKey: "content/1" };
    const { ledger, message } = await accepted({ recipientCount: 2, ...stored });
    const { grants, messages } = await ledger.claim(jobs(message, 0, 1), NOON);
    expect(messages).toMatchObject([stored]);
    const deleted: string[][] = [];
    await runInDurableObject(ledger, (instance: TeamLedger) => {
      const holder = instance as unknown as { env: Env };
      const CONTENT = { delete: async (keys: string[]) => void deleted.push(keys) };
      holder.env = { ...holder.env, CONTENT: CONTENT as unknown as R2Bucket };
    });
    await settle(ledger, grants.slice(0, 1), NOON);
    expect(await ledger.usage(NOON)).toMatchObject({ messages: 1, jobs: 1 });
    expect(deleted).toEqual([]);
    await settle(ledger, grants.slice(1), NOON);
    expect(await ledger.usage(NOON)).toMatchObject({ messages: 0, jobs: 0 });
    await vi.waitFor(() => expect(deleted).toEqual([["content/1"]]));
  });

  it("grants no job that still waits for its release", async () => {
    const { ledger } = await queuedLedger();
    const message = candidate({ recipientCount: 5 });
    await ledger.admit(pacedSend([message], 2));
    const { grants } = await ledger.claim(jobs(message, 0, 1, 2, 3, 4), NOON);
    expect(grants.map(({ recipientIndex }) => recipientIndex)).toEqual([0, 1]);
  });
});

describe("find", () => {
  it("shows a message from its acceptance to its last outcome, with each recipient's next attempt and wait reason", async () => {
    const { ledger, message } = await accepted({ recipientCount: 3 });
    const open = (nextAttempts: (number | null)[], holds: (WaitReason | null)[]) => ({
      meta: message.meta,
      startsAt: NOON,
      nextAttempts,
      holds,
    });
    const released = open([null, null, null], ["queue", "queue", "queue"]);
    expect(await ledger.find(message.id)).toEqual({ open: released, logged: null });
    const { grants } = await ledger.claim(jobs(message, 0, 1, 2), NOON);
    await settle(ledger, grants.slice(0, 1), NOON);
    await settle(ledger, grants.slice(1), NOON, NOON + 60_000);
    const logged = messageOf(message.id);
    const deferred = open([null, NOON + 60_000, NOON + 60_000], [null, "retry", "retry"]);
    expect(await ledger.find(message.id)).toEqual({ open: deferred, logged });
    await evictDurableObject(ledger);
    expect(await ledger.find(message.id)).toEqual({ open: deferred, logged });
    const second = await ledger.claim(jobs(message, 1), NOON + 60_000);
    expect((await ledger.find(message.id)).open).toEqual(
      open([null, null, NOON + 60_000], [null, "attempt", "retry"]),
    );
    await settle(ledger, second.grants, NOON + 60_001);
    const third = await ledger.claim(jobs(message, 2), NOON + 60_002);
    await settle(ledger, third.grants, NOON + 60_003);
    expect(await ledger.find(message.id)).toEqual({ open: null, logged });
  });

  it("finds messages that wait for their release by an index, also after a restart", async () => {
    const { ledger } = await queuedLedger();
    const [first, second] = [candidate(), candidate({ recipientCount: 2 })];
    await ledger.admit(pacedSend([first, second], 1));
    for (let turn = 0; turn < 2; turn += 1) {
      const released = { meta: first.meta, startsAt: NOON, nextAttempts: [null], holds: ["queue"] };
      expect((await ledger.find(first.id)).open).toEqual(released);
      const waiting = { nextAttempts: [null, null], holds: ["rate", "rate"] };
      expect((await ledger.find(second.id)).open).toMatchObject({ meta: second.meta, ...waiting });
      expect(await ledger.find("email_unknown")).toEqual({ open: null, logged: null });
      await evictDurableObject(ledger);
    }
    const query = "SELECT seq FROM ledger WHERE id = 'x' AND stream IS NOT NULL";
    const plan = await runInDurableObject(ledger, (_, { storage: { sql } }) =>
      JSON.stringify(sql.exec(`EXPLAIN QUERY PLAN ${query}`).toArray()),
    );
    expect(plan).toContain("ledger_waiting_id");
  });
});

describe("a deleted team", () => {
  it("refuses all late calls and grants no job, also after a restart, and returns the keys of its stored content", async () => {
    const { ledger, message } = await accepted({ content: null, contentKey: "content/2" });
    expect(await ledger.destroy()).toEqual({ contentKeys: ["content/2"] });
    for (let turn = 0; turn < 2; turn += 1) {
      const calls = await runInDurableObject(ledger, (instance: TeamLedger) =>
        Promise.allSettled([
          instance.admit(send()),
          instance.begin(policy(), { key: "k", fingerprint: "f" }, NOON),
          (async () => instance.usage(NOON))(),
          (async () => instance.find(message.id))(),
        ]),
      );
      expect(calls.map(({ status }) => status)).toEqual(Array(4).fill("rejected"));
      expect((await ledger.claim(jobs(message, 0), NOON)).grants).toEqual([]);
      await evictDurableObject(ledger);
    }
    expect(await ledger.destroy()).toEqual({ contentKeys: [] });
    const tables = await runInDurableObject(ledger, (_, { storage }) =>
      storage.sql.exec("SELECT name FROM sqlite_master WHERE name = 'ledger'").toArray(),
    );
    expect(tables).toEqual([]);
  });
});
