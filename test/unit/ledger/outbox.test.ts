// What src/ledger/outbox.ts guarantees.
import { evictDurableObject, runInDurableObject } from "cloudflare:test";
import { describe, expect, it } from "vitest";
import type { Candidate, Grant } from "../../../src/ledger/contract.ts";
import { LEASE_MS, type TeamLedger } from "../../../src/ledger/team-ledger.ts";
import { candidate, newLedger, NOON, policy, recordQueue, send, type Ledger } from "./support.ts";

/** A ledger that has accepted one message. */
async function accepted(over: Partial<Candidate> = {}): Promise<{ ledger: Ledger; message: Candidate }> {
  const ledger = newLedger();
  await recordQueue(ledger);
  const message = candidate(over);
  await ledger.admit(send({ verdict: { kind: "items", items: [{ kind: "candidate", candidate: message }] } }));
  return { ledger, message };
}

function jobs(message: Candidate, ...indexes: number[]) {
  return indexes.map((recipientIndex) => ({ emailId: message.id, recipientIndex }));
}

function settled(grants: readonly Grant[], nextAttemptAt: number | null = null) {
  return grants.map((grant) => ({ ...grant, facts: `facts of ${grant.recipientIndex}`, nextAttemptAt }));
}

describe("claim, settle, forget", () => {
  it("hands a message out once for all its jobs, as it was accepted", async () => {
    const { ledger, message } = await accepted({ recipientCount: 3, content: "c".repeat(90_000) });
    const claim = await ledger.claim(jobs(message, 2, 0, 2), NOON + 5);
    expect(claim).toEqual({
      messages: [{ emailId: message.id, acceptedAt: NOON, meta: message.meta, content: message.content, contentKey: null }],
      grants: [
        { emailId: message.id, recipientIndex: 2, attempt: 1 },
        { emailId: message.id, recipientIndex: 0, attempt: 1 },
      ],
      unrecorded: [],
    });
  });

  it("grants nothing that is unknown, out of range or leased, and says nothing of its message", async () => {
    const { ledger, message } = await accepted({ recipientCount: 2 });
    await ledger.claim(jobs(message, 0), NOON);
    const refs = [...jobs(message, 0, 2, -1, 0.5), { emailId: "email_unknown", recipientIndex: 0 }];
    expect(await ledger.claim(refs, NOON + 1)).toEqual({ messages: [], grants: [], unrecorded: [] });
  });

  it("grants a job to one of many consumers that ask at the same time", async () => {
    const { ledger, message } = await accepted();
    const claims = await Promise.all(Array.from({ length: 20 }, () => ledger.claim(jobs(message, 0), NOON)));
    expect(claims.flatMap(({ grants }) => grants)).toHaveLength(1);
  });

  it("keeps a lease across a restart, and grants the same attempt when it ran out", async () => {
    const { ledger, message } = await accepted();
    await ledger.claim(jobs(message, 0), NOON);
    await evictDurableObject(ledger);
    expect((await ledger.claim(jobs(message, 0), NOON + LEASE_MS - 1)).grants).toEqual([]);
    expect((await ledger.claim(jobs(message, 0), NOON + LEASE_MS)).grants).toEqual([{ ...jobs(message, 0)[0], attempt: 1 }]);
  });

  it("applies a settlement once, and only of the attempt that is under way", async () => {
    const { ledger, message } = await accepted({ recipientCount: 2 });
    const { grants } = await ledger.claim(jobs(message, 0), NOON);
    const settlements = settled(grants);
    const strangers = [
      { ...settled(grants)[0], attempt: 2 },
      { ...settled(grants)[0], recipientIndex: 1 },
      { ...settled(grants)[0], emailId: "email_x" },
    ];
    expect(await ledger.settle(strangers as typeof settlements, NOON)).toEqual([]);
    expect(await ledger.settle([...settlements, ...settlements], NOON)).toEqual([0]);
    expect(await ledger.settle(settlements, NOON)).toEqual([]);
  });

  it("applies the first of two settlements when a lease ran out and the job was claimed twice", async () => {
    const { ledger, message } = await accepted();
    const slow = await ledger.claim(jobs(message, 0), NOON);
    const quick = await ledger.claim(jobs(message, 0), NOON + LEASE_MS);
    expect(await ledger.settle(settled(slow.grants), NOON + LEASE_MS + 1)).toHaveLength(1);
    expect(await ledger.settle(settled(quick.grants), NOON + LEASE_MS + 2)).toEqual([]);
  });

  it("lets whoever was granted an attempt settle or hold it, and nobody else, when a restart forgot the lease", async () => {
    const { ledger, message } = await accepted({ recipientCount: 2 });
    const first = await ledger.claim(jobs(message, 0, 1), NOON, true);
    await evictDurableObject(ledger);
    const [delayed, held] = settled(first.grants, NOON + 60_000);
    const strangers = [0, 2].map((attempt) => ({ ...delayed, attempt })) as Grant[];
    expect(await ledger.settle(settled(strangers), NOON + 1)).toEqual([]);
    await ledger.hold(first.grants.slice(1), NOON + 1);
    expect((await ledger.claim(jobs(message, 1), NOON + LEASE_MS)).grants).toEqual([]);
    expect(await ledger.settle([delayed, held] as ReturnType<typeof settled>, NOON + 2)).toEqual([0, 1]);
    await ledger.forget(first.grants);
    const second = await ledger.claim(jobs(message, 0), NOON + 60_000, true);
    await evictDurableObject(ledger);
    expect(await ledger.settle(settled(first.grants), NOON + 60_001)).toEqual([]);
    expect(await ledger.settle(settled(second.grants), NOON + 60_002)).toEqual([0]);
  });

  it("hands facts out again until they are recorded, across a restart, and never grants the job meanwhile", async () => {
    const { ledger, message } = await accepted();
    await ledger.settle(settled((await ledger.claim(jobs(message, 0), NOON)).grants), NOON);
    await evictDurableObject(ledger);
    const claim = await ledger.claim(jobs(message, 0), NOON + 1);
    expect(claim).toMatchObject({ grants: [], unrecorded: [{ ...jobs(message, 0)[0], attempt: 1, facts: "facts of 0" }] });
    expect(claim.messages).toHaveLength(1);
    expect(await ledger.forget([{ ...jobs(message, 0)[0], attempt: 1 } as Grant])).toEqual({ contentKeys: [] });
    expect(await ledger.usage(NOON)).toMatchObject({ messages: 0, jobs: 0 });
    expect(await ledger.claim(jobs(message, 0), NOON + 2)).toEqual({ messages: [], grants: [], unrecorded: [] });
  });

  it("lets a message and its stored content go with its last recipient", async () => {
    const { ledger, message } = await accepted({ recipientCount: 2, content: null, contentKey: "content/1" });
    const { grants, messages } = await ledger.claim(jobs(message, 0, 1), NOON);
    expect(messages).toMatchObject([{ content: null, contentKey: "content/1" }]);
    await ledger.settle(settled(grants), NOON);
    expect(await ledger.forget(grants.slice(0, 1))).toEqual({ contentKeys: [] });
    expect(await ledger.usage(NOON)).toMatchObject({ messages: 1, jobs: 1 });
    expect(await ledger.forget(grants)).toEqual({ contentKeys: ["content/1"] });
    expect(await ledger.forget(grants)).toEqual({ contentKeys: [] });
    expect(await ledger.usage(NOON)).toMatchObject({ messages: 0, jobs: 0 });
  });

  it("grants the next attempt when it is due, not before, and counts attempts up", async () => {
    const { ledger, message } = await accepted();
    const first = await ledger.claim(jobs(message, 0), NOON);
    await ledger.settle(settled(first.grants, NOON + 60_000), NOON);
    await ledger.forget(first.grants);
    expect(await ledger.usage(NOON)).toMatchObject({ messages: 1, jobs: 1 });
    expect((await ledger.claim(jobs(message, 0), NOON + 59_999)).grants).toEqual([]);
    expect((await ledger.claim(jobs(message, 0), NOON + 60_000)).grants).toMatchObject([{ attempt: 2 }]);
  });

  it("grants nothing that still waits for its release", async () => {
    const ledger = newLedger();
    await recordQueue(ledger);
    const message = candidate({ recipientCount: 5 });
    const verdict = { kind: "items", items: [{ kind: "candidate", candidate: message }] } as const;
    await ledger.admit(send({ verdict, policy: policy({ deliveryRatePerMinute: 2 }) }));
    expect((await ledger.claim(jobs(message, 0, 1, 2, 3, 4), NOON)).grants.map((grant) => grant.recipientIndex)).toEqual([0, 1]);
  });
});

describe("find", () => {
  it("shows a message from its acceptance to its last record, with when each recipient is tried again", async () => {
    const { ledger, message } = await accepted({ recipientCount: 3 });
    const open = (...nextAttempts: (number | null)[]) => ({ meta: message.meta, nextAttempts });
    expect(await ledger.find(message.id)).toEqual(open(null, null, null));
    const { grants } = await ledger.claim(jobs(message, 0, 1, 2), NOON);
    expect(await ledger.find(message.id)).toEqual(open(null, null, null));
    await ledger.settle([...settled(grants.slice(0, 1)), ...settled(grants.slice(1), NOON + 60_000)], NOON);
    expect(await ledger.find(message.id)).toEqual(open(null, NOON + 60_000, NOON + 60_000));
    await ledger.forget(grants.slice(0, 2));
    await evictDurableObject(ledger);
    expect(await ledger.find(message.id)).toEqual(open(null, NOON + 60_000, NOON + 60_000));
    const second = await ledger.claim(jobs(message, 1), NOON + 60_000);
    expect(await ledger.find(message.id)).toEqual(open(null, null, NOON + 60_000));
    await ledger.settle(settled(second.grants), NOON + 60_001);
    await ledger.forget([...second.grants, ...grants.slice(2)]);
    const third = await ledger.claim(jobs(message, 2), NOON + 60_002);
    await ledger.settle(settled(third.grants), NOON + 60_003);
    await ledger.forget(third.grants);
    expect(await ledger.find(message.id)).toBeNull();
  });

  it("knows what waits for its release, also after a restart, and by its index", async () => {
    const ledger = newLedger();
    await recordQueue(ledger);
    const [first, second] = [candidate(), candidate({ recipientCount: 2 })];
    for (const message of [first, second]) {
      const verdict = { kind: "items", items: [{ kind: "candidate", candidate: message }] } as const;
      await ledger.admit(send({ verdict, policy: policy({ deliveryRatePerMinute: 1 }) }));
    }
    for (let turn = 0; turn < 2; turn += 1) {
      expect(await ledger.find(first.id)).toEqual({ meta: first.meta, nextAttempts: [null] });
      expect(await ledger.find(second.id)).toEqual({ meta: second.meta, nextAttempts: [null, null] });
      expect(await ledger.find("email_unknown")).toBeNull();
      await evictDurableObject(ledger);
    }
    const plan = await runInDurableObject(ledger, (_, { storage }) =>
      storage.sql
        .exec<{ detail: string }>("EXPLAIN QUERY PLAN SELECT seq FROM messages WHERE id = ? AND stream IS NOT NULL", "x")
        .toArray(),
    );
    expect(plan.map(({ detail }) => detail).join()).toContain("messages_waiting_id");
  });
});

describe("a deleted team", () => {
  it("leaves nothing but the refusal of late calls, also after a restart, and names its stored content", async () => {
    const { ledger, message } = await accepted({ content: null, contentKey: "content/2" });
    expect(await ledger.destroy()).toEqual({ contentKeys: ["content/2"] });
    for (let turn = 0; turn < 2; turn += 1) {
      const calls = await runInDurableObject(ledger, (instance: TeamLedger) =>
        Promise.allSettled([
          instance.admit(send()),
          instance.claim(jobs(message, 0), NOON),
          instance.begin(policy(), { key: "k", fingerprint: "f" }, NOON),
          (async () => instance.usage(NOON))(),
          (async () => instance.find(message.id))(),
        ]),
      );
      expect(calls.map(({ status }) => status)).toEqual(Array(5).fill("rejected"));
      await evictDurableObject(ledger);
    }
    expect(await ledger.destroy()).toEqual({ contentKeys: [] });
    const tables = await runInDurableObject(ledger, (_, { storage }) =>
      storage.sql.exec("SELECT name FROM sqlite_master WHERE name = 'messages'").toArray(),
    );
    expect(tables).toEqual([]);
  });
});
