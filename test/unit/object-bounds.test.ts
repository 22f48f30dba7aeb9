// Tests that Durable Objects keep only a limited part of their input in memory (docs/scaling.md
// §What an object remembers).
import { evictDurableObject, runInDurableObject } from "cloudflare:test";
import { env as bindings } from "cloudflare:workers";
import { fc } from "../support/properties.ts";
import { expect, it, vi } from "vitest";
import { SendAdmission } from "../../src/ledger/admission/send-admission.ts";
import { LABELS_IN_MEMORY, LabelCounts } from "../../src/ledger/admission/label-counts.ts";
import { CoreFacts } from "../../src/ledger/core-facts.ts";
import { createLedgerTable } from "../../src/ledger/ledger-table.ts";
import { ChunkPlans } from "../../src/ledger/log/chunk-plans.ts";
import { EventLog } from "../../src/ledger/log/event-log.ts";
import { LogRowDispatch } from "../../src/ledger/log/log-row-dispatch.ts";
import { JobSender } from "../../src/ledger/release/job-sender.ts";
import type { TeamLedger } from "../../src/ledger/team-ledger.ts";
import { LINKS_REMEMBERED, useLinkOnce } from "../../src/resources/requests/used-links.ts";
import { BoundedMap } from "../../src/lib/bounded-cache.ts";
import { GroupCommit, overload, WORK_WAITING } from "../../src/lib/group-commit.ts";
import { SOURCES_MOST } from "../../src/resources/metrics/metrics.ts";
import { isOverload } from "../../src/rpc/overload.ts";
import type { Candidate } from "../../src/rpc/ledger-calls.ts";
import { FreshWebhookBatches } from "../../src/resources/webhooks/outbox/fresh-webhook-batches.ts";
import { openTables } from "../../src/resources/webhooks/outbox/outbox-schema.ts";
import { OutboxSender } from "../../src/resources/webhooks/outbox/outbox-sender.ts";
import type { TestEnv } from "../support/api.ts";
import { eventOf, messageOf, newLedger, NOON, sendOf } from "./ledger/ledger-harness.ts";

const env = bindings as unknown as TestEnv;
const OVERLOADED = { overloaded: true };
const never = () => new Promise<never>(() => undefined);

it("a bounded map keeps the keys that were set last", () => {
  const steps = fc.array(fc.tuple(fc.nat(9), fc.boolean()), { maxLength: 40 });
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 6 }), steps, (most, sets) => {
      const map = new BoundedMap<number, number>(most);
      let kept: number[] = [];
      for (const [value, [key, isLast]] of sets.entries()) {
        if (isLast) map.setLast(key, value);
        else map.set(key, value);
        if (isLast) kept = kept.filter((one) => one !== key);
        if (!kept.includes(key)) kept.push(key);
        kept = kept.slice(-most);
        expect([...map.keys()]).toEqual(kept);
        expect(map.get(key)).toBe(value);
      }
    }),
  );
});

it("work that waits for a group is bounded, and a call's work is taken or refused as a whole", async () => {
  const steps = { beforeCommit: () => undefined, afterRollback: () => undefined };
  const store = { transactionSync: <T>(block: () => T): T => block(), sync: never };
  const commit = new GroupCommit(store, { ...steps, afterCommit: () => Promise.resolve() });
  const refused: unknown[] = [];
  const callFor = async (works: number) => {
    for (let one = 0; one < works; one += 1)
      commit.run(() => one).catch((error: unknown) => refused.push(error));
    await new Promise((resolve) => setTimeout(resolve, 0));
  };
  await callFor(1);
  await callFor(WORK_WAITING - 1);
  await callFor(3);
  expect(refused).toHaveLength(0);
  await callFor(2);
  expect(refused).toMatchObject([OVERLOADED, OVERLOADED]);
});

it("a ledger refuses calls with small content while 32 MB wait for its disk, each as a whole", async () => {
  const committing = vi.fn(never);
  const admission = new SendAdmission({
    state: () => ({ keys: null, counters: null }) as never,
    isKnown: () => false,
    write: never,
    change: committing,
    databaseSize: () => 0,
  });
  const sendsOf = (content: Candidate["content"], sends: number) =>
    Array.from({ length: sends }, () => sendOf([{ content }]));
  const text = "x".repeat(1_700_000);
  void admission.admitEach(sendsOf(text, 19));
  await expect(admission.admitEach(sendsOf(text, 2))).rejects.toMatchObject(OVERLOADED);
  expect(committing).toHaveBeenCalledTimes(19);
  const large = await admission.admitEach(sendsOf(new Uint8Array(1_700_000), 1));
  expect(large).toMatchObject([{ kind: "begun" }]);
  void admission.admitEach(sendsOf("short", 2));
  expect(committing).toHaveBeenCalledTimes(21);
});

it("the caller of an overloaded object can tell that the object is overloaded", async () => {
  const ledger = newLedger();
  await runInDurableObject(ledger, (instance: TeamLedger) => {
    const methods = Object.getPrototypeOf(instance) as TeamLedger;
    vi.spyOn(methods, "waitingCampaigns").mockImplementationOnce(() => {
      throw overload();
    });
  });
  const call = ledger.waitingCampaigns().catch((error: unknown) => error);
  expect(isOverload(await call)).toBe(true);
});

it("a ledger remembers the labels that were used last", () => {
  const counts = new LabelCounts([]);
  const labels = { topic: null, campaign: null };
  const tags = Array.from({ length: LABELS_IN_MEMORY + 1 }, (_, index) => `t${index}`);
  counts.use([{ ...labels, tags }], NOON);
  expect(counts.countUsed(NOON).tagsPerHour).toBe(LABELS_IN_MEMORY);
});

it("a team accepts no further console link while it remembers a thousand used links", () => {
  const used = Array.from({ length: LINKS_REMEMBERED }, (_, id) => [`link${id}`, NOON] as const);
  let known: unknown = Object.fromEntries(used);
  const kv = { get: () => known, put: (_: string, next: unknown) => void (known = next) };
  const use = (now: number) => useLinkOnce(kv as unknown as SyncKvStorage, "one", NOON + 9, now);
  expect([use(NOON - 1), use(NOON)]).toEqual([false, true]);
});

it("at most 20,000 jobs and 20,000 questions wait for a queue that hangs", async () => {
  const [sent, hung] = [vi.fn(), Promise.withResolvers<void>()];
  const sendBatch = async (messages: Iterable<{ body: object }>) => {
    for (const { body } of messages) sent(body);
    await hung.promise;
  };
  const queue = () => ({ sendBatch }) as unknown as Queue;
  const sender = new JobSender("team_1", queue, () => Promise.resolve());
  const job = { emailId: "email_1", recipientIndex: 0 };
  const jobs = Array.from({ length: 9_000 }, (_, contentGroup) => ({ ...job, contentGroup }));
  const asks = jobs.map(() => ({ ...job, attempt: 1, host: null }));
  for (let turn = 0; turn < 3; turn += 1) sender.send(jobs, asks);
  hung.resolve();
  const countOf = (name: string) =>
    sent.mock.calls.filter(([body]) => name in (body as object)).length;
  await expect.poll(() => countOf("asks")).toBe(20_000 / 1_000);
  // The queue had one batch of a hundred jobs when it hung.
  expect(countOf("emailId")).toBe(20_000 + 100);
});

it("at most 10,000 rows of the log wait for webhooks, and the days of written chunks end with their rows", async () => {
  vi.spyOn(console, "warn").mockReturnValue();
  const handedOver = vi.fn();
  const log = () => ({ noteHandedOver: handedOver, hasUndelivered: false }) as unknown as EventLog;
  const facts = new CoreFacts("team_1", () => env);
  const common = { teamId: "team_1", env: () => env, facts };
  const using = { ...common, log, speedup: 1, scheduleWake: vi.fn() };
  const row = { day: "2000-01-01", at: 0, count: 1, oldest: 0, newest: 0, characters: 1 };
  const rows = Array.from({ length: 10_100 }, (_, seq) => ({ ...row, seq }));
  new LogRowDispatch(using).begin(rows);
  // The dispatch works on sixteen rows at a time, so sixteen rows did not wait.
  await vi.waitFor(() => expect(handedOver).toHaveBeenCalledTimes(10_000 + 16));
  const plans = new ChunkPlans({});
  for (const seq of [1, 2, 3]) {
    const ofDay = { ...row, day: `2000-01-0${seq}`, seq };
    plans.note([ofDay], ofDay.day, seq);
    expect(plans.chunkedDays([ofDay])).toEqual({ [ofDay.day]: seq });
  }
});

it("suppressions are also dropped from rows of the log that memory has no room for", async () => {
  await runInDurableObject(newLedger(), (_, { storage: { sql } }) => {
    createLedgerTable(sql);
    const log = new EventLog(sql, 3);
    const suppress = { kind: "complaint", feedbackType: "abuse", at: NOON } as const;
    for (let row = 0; row < 10; row += 1) {
      const id = `email_${row}`;
      log.append([{ message: messageOf(id), events: [eventOf(id, NOON, { suppress })] }], [], NOON);
    }
    expect(log.dropPendingSuppressions("Ann@example.com")).toBe(true);
    const left = sql.exec("SELECT 1 FROM ledger WHERE instr(events, 'suppress\"') > 0");
    expect(left.toArray()).toEqual([]);
  });
});

it("the full Metrics object drops the oldest report for a new one", async () => {
  const metrics = env.METRICS.getByName(crypto.randomUUID());
  const count = (state: DurableObjectState) =>
    state.storage.sql.exec<{ reports: number }>("SELECT count(*) AS reports FROM reports").one();
  await runInDurableObject(metrics, (_, state) => {
    state.storage.sql.exec(
      `WITH RECURSIVE numbers (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM numbers WHERE n < ?)
       INSERT INTO reports SELECT 'team_' || n, ? - n, '{"queued":1}' FROM numbers`,
      SOURCES_MOST,
      NOON,
    );
  });
  await evictDurableObject(metrics);
  await metrics.report("team_new", { queued: 5 }, NOON);
  expect((await metrics.read(NOON)).gauges).toEqual({ queued: SOURCES_MOST + 4 });
  expect(await runInDurableObject(metrics, (_, state) => count(state).reports)).toBe(SOURCES_MOST);
});

it("an outbox keeps 1,000 fresh batches, and begins 200 posts before their results are on disk", async () => {
  const waiting = { id: "", eventCount: 1, attempts: 0, dueAt: 0, expiresAt: 0, body: "x" };
  await runInDurableObject(env.WEBHOOK_OUTBOX.getByName(crypto.randomUUID()), (_, { storage }) => {
    openTables(storage.sql);
    const fresh = new FreshWebhookBatches(storage, 0);
    for (let seq = 0; fresh.hasRoomFor("x"); seq += 1) fresh.keep({ ...waiting, seq });
    expect(fresh.count).toBe(1_000);
  });
  let posts = 0;
  const sender = new OutboxSender({
    room: () => 5,
    claim: (exclude, limit) =>
      Array.from({ length: limit }, (_, index) => ({ ...waiting, seq: exclude.size + index })),
    post: async () => ({ isSuccess: (posts += 1) > 0, settled: never() }),
    handOver: () => undefined,
  });
  void sender.run();
  await vi.waitFor(() => expect(posts).toBe(200));
});
