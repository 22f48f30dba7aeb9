// Tests that a job which cannot be delivered never keeps another job from being delivered
// (src/mail/deliver/consumer.ts).
import { runDurableObjectAlarm, runInDurableObject } from "cloudflare:test";
import { beforeEach, describe, expect, it, vi } from "vitest";
import type { Env } from "../../../../src/env.ts";
import { consumeDeliverJobs } from "../../../../src/mail/deliver/consumer.ts";
import { QUEUE_ATTEMPTS } from "../../../../src/resources/dead-letters/job-queues.ts";
import { bindings, makeTeam } from "../../../support/api.ts";
import { MINUTE_MS } from "../../../../src/limits.ts";
import { someone, Harness, headersOf } from "../../../support/harness.ts";
import { trackOn } from "../../../support/recipient.ts";
import { DELIVERED, EGRESS_URL } from "../../../support/fakes/fake-egress.ts";
import { consumeBatch } from "../../../support/fakes/queue-batch.ts";
import { withCore } from "../../../support/every-core.ts";

const QUEUE = "postern-deliver";

let logged: string[];

beforeEach(async () => {
  logged = [];
  for (const method of ["warn", "error"] as const)
    vi.spyOn(console, method).mockImplementation((line) => void logged.push(String(line)));
  await bindings.DB.prepare("DELETE FROM dead_letters").run();
});

const ledgerOf = ({ id }: Harness) => bindings.TEAM_LEDGER.getByName(id);

/** Makes a harness whose ledger puts no jobs into the queue. */
async function makeQuietHarness(): Promise<Harness> {
  const harness = await Harness.make();
  const DELIVER = { sendBatch: () => Promise.resolve() } as unknown as Env["DELIVER"];
  await runInDurableObject(ledgerOf(harness), (instance) => {
    (instance as unknown as { env: Env }).env = { ...bindings, DELIVER };
  });
  return harness;
}

function consume(
  bodies: readonly unknown[],
  { attempts = 1, env = bindings }: { attempts?: number; env?: Env } = {},
) {
  return consumeBatch(
    QUEUE,
    bodies,
    (batch, later) => consumeDeliverJobs(batch, env, later),
    attempts,
  );
}

const POISON = "email_poison";

/**
 * Returns an environment whose ledger fails each claim that contains the poison job. The ledger
 * also cannot tell which messages are open.
 */
function poisonLedger(harness: Harness): Env {
  const real = ledgerOf(harness);
  const claim: typeof real.claim = (jobs, now) =>
    jobs.some(({ emailId }) => emailId === POISON)
      ? (Promise.reject(new Error("poison")) as never)
      : real.claim(jobs, now);
  return withLedger(harness, { claim, find: () => Promise.reject(new Error("down")) });
}

/** Returns an environment whose ledger answers some calls by `own`. */
function withLedger(harness: Harness, own: Readonly<Record<string, unknown>>): Env {
  const real = ledgerOf(harness);
  const methods = real as never as Record<string, (...all: unknown[]) => unknown>;
  const ledger = new Proxy({} as typeof real, {
    get: (_, name) =>
      own[String(name)] ?? ((...given: unknown[]) => methods[String(name)]?.(...given)),
  });
  return { ...bindings, TEAM_LEDGER: { getByName: () => ledger } as unknown as Env["TEAM_LEDGER"] };
}

const refOf = (emailId: string, recipientIndex = 0) => ({ emailId, recipientIndex });
const jobOf = (harness: Harness, emailId: string, recipientIndex = 0) => ({
  teamId: harness.id,
  emailId,
  recipientIndex,
});

const openOf = async (harness: Harness, id: string) => (await ledgerOf(harness).find(id)).open;

/** Makes a quiet harness with an accepted message. */
async function makeMail() {
  const harness = await makeQuietHarness();
  const to = someone();
  return { harness, to, id: await harness.send({ to: [to], text: "Hi" }) };
}

describe("a batch", () => {
  it("is delivered despite invalid jobs, which become dead letters at once", async () => {
    const { harness, to, id } = await makeMail();
    const poison = [
      null,
      "text",
      7,
      {},
      { teamId: harness.id },
      { ...jobOf(harness, id), recipientIndex: "0" },
      { ...jobOf(harness, id), teamId: "a b" },
      { teamId: harness.id, jobs: [] },
      { teamId: harness.id, jobs: "all" },
      { teamId: harness.id, jobs: [{ emailId: id, recipientIndex: 0 }, null] },
      { teamId: "a b", jobs: [{ emailId: id, recipientIndex: 0 }] },
    ];
    const result = await consume([...poison, jobOf(harness, id)]);
    const acked = [...poison, 1].map((_, index) => `m${index}`).toSorted();
    expect(result).toEqual({ acked, retried: [] });
    expect(harness.egress.to(to)).toHaveLength(1);
    const { results } = await bindings.DB.prepare("SELECT error FROM dead_letters").all();
    expect(results).toHaveLength(poison.length);
    expect(logged.join()).not.toContain("deliver_failed");
  });

  it("is delivered with the ledger's facts alone, without a query of the core database", async () => {
    const harness = await makeQuietHarness();
    const host = await trackOn(harness.domain);
    const to = someone();
    const html = '<a href="https://example.com/">Hi</a>';
    const now = Date.now() + 2 * MINUTE_MS;
    const scheduled_at = new Date(now).toISOString();
    const id = await harness.send({ to: [to], html, scheduled_at });
    vi.setSystemTime(now);
    await runDurableObjectAlarm(ledgerOf(harness));
    const asked = vi.fn();
    const core = new Proxy({} as D1Database, { get: (_, name) => asked(name) as unknown });
    await consume([jobOf(harness, id)], {
      env: { ...bindings, ...withCore(harness.id, core) },
    });
    const copy = await harness.copyTo(to);
    expect(copy.html).toContain(`https://${host}/c/`);
    expect(headersOf(copy, "DKIM-Signature")).toHaveLength(1);
    expect(asked).not.toHaveBeenCalled();
  });

  it("is done when the gateway has all copies, whose outcomes are settled when it answers", async () => {
    const { harness, id } = await makeMail();
    const { promise, resolve } = Promise.withResolvers<void>();
    harness.egress.answersAfter = promise;
    const later: Promise<unknown>[] = [];
    await consumeBatch(QUEUE, [jobOf(harness, id)], (batch, waitUntil) =>
      consumeDeliverJobs(batch, bindings, (work) => {
        later.push(work);
        waitUntil(Promise.resolve());
      }),
    );
    expect(await openOf(harness, id)).not.toBeNull();
    resolve();
    await Promise.all(later);
    expect(await openOf(harness, id)).toBeNull();
  });

  it("hands its mail over before it asks its questions, and does not wait for their answers", async () => {
    const harness = await makeQuietHarness();
    const id = await harness.send({ to: [someone()], text: "Hi" });
    const [read, answer] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    harness.egress.readsAfter = read.promise;
    harness.egress.asksAfter = answer.promise;
    const calls = (): unknown[] => vi.mocked(fetch).mock.calls.map(([input]) => input);
    const questions = { teamId: harness.id, asks: [{ host: null, keys: [`${id}/0/1`] }] };
    const later: Promise<unknown>[] = [];
    const consumed = consumeBatch(QUEUE, [questions, jobOf(harness, id)], (batch, waitUntil) =>
      consumeDeliverJobs(batch, bindings, (work) => {
        later.push(work);
        waitUntil(Promise.resolve());
      }),
    );
    await expect.poll(calls).toContain(EGRESS_URL);
    expect(harness.egress.asked).toEqual([]);
    read.resolve();
    expect(await consumed).toEqual({ acked: ["m0", "m1"], retried: [] });
    await expect.poll(() => harness.egress.asked).toEqual([`${id}/0/1`]);
    answer.resolve();
    await Promise.all(later);
  });

  it("leaves a copy that the gateway did not take to a later claim, without an event", async () => {
    const harness = await makeQuietHarness();
    const to = someone();
    harness.egress.replies(to, { kind: "not_taken", why: "memory" }, DELIVERED);
    const id = await harness.send({ to: [to], text: "Hi" });
    await consume([jobOf(harness, id)]);
    const ledger = ledgerOf(harness);
    const { grants } = await ledger.claim([refOf(id)], Date.now() + 15_000, true);
    const waitsSince = expect.any(Number) as number;
    expect(grants).toEqual([{ ...refOf(id), attempt: 1, waitsSince }]);
    expect(await ledger.find(id)).toMatchObject({ logged: null });
    expect(harness.egress.asked).toEqual([]);
  });

  it("is delivered despite jobs of a deleted team and of unknown messages", async () => {
    const { harness, to, id } = await makeMail();
    const gone = { teamId: `team_${crypto.randomUUID()}`, emailId: id, recipientIndex: 0 };
    const jobs = [jobOf(harness, "email_none"), jobOf(harness, id, 7), jobOf(harness, id)];
    const result = await consume([gone, ...jobs]);
    expect(result).toEqual({ acked: ["m0", "m1", "m2", "m3"], retried: [] });
    expect(harness.egress.to(to)).toHaveLength(1);
  });

  it("is delivered despite a failing team, whose jobs at last become dead letters", async () => {
    const { harness, to, id } = await makeMail();
    const broken = await makeTeam();
    const lost = { teamId: broken.id, emailId: "email_a", recipientIndex: 0 };
    const real = bindings.TEAM_LEDGER;
    const failing = {
      claim: () => Promise.reject(new Error("the ledger is down")),
      find: () => Promise.reject(new Error("down")),
    };
    const TEAM_LEDGER = {
      getByName: (name: string) => (name === broken.id ? failing : real.getByName(name)),
    } as unknown as typeof real;
    const env = { ...bindings, TEAM_LEDGER };
    expect(await consume([lost, jobOf(harness, id)], { env })).toEqual({
      acked: ["m1"],
      retried: ["m0"],
    });
    expect(harness.egress.to(to)).toHaveLength(1);
    const last = await consume([lost], { env, attempts: QUEUE_ATTEMPTS[QUEUE] });
    expect(last).toEqual({ acked: ["m0"], retried: [] });
    const rows = await bindings.DB.prepare("SELECT body, error FROM dead_letters").all();
    expect(rows.results).toEqual([{ body: JSON.stringify(lost), error: "the ledger is down" }]);
  });

  it("is split into single jobs after a failure, so only the bad job fails again", async () => {
    const { harness, to, id: good } = await makeMail();
    const env = poisonLedger(harness);
    const both = [jobOf(harness, POISON), jobOf(harness, good)];
    expect(await consume(both, { env })).toEqual({ acked: [], retried: ["m0", "m1"] });
    expect(await consume(both, { env, attempts: 2 })).toEqual({ acked: ["m1"], retried: ["m0"] });
    expect(harness.egress.to(to)).toHaveLength(1);
  });

  it("delivers each job once when several jobs come in one queue message", async () => {
    const harness = await makeQuietHarness();
    const to = [someone(), someone(), someone()];
    const ids = [
      await harness.send({ to: to.slice(0, 2), text: "Hi" }),
      await harness.send({ to: to.slice(2), text: "Hi" }),
    ];
    const refs = [refOf(ids[0]!), refOf(ids[0]!, 1), refOf(ids[1]!)];
    const several = { teamId: harness.id, jobs: refs };
    expect(await consume([several, jobOf(harness, ids[1]!)])).toEqual({
      acked: ["m0", "m1"],
      retried: [],
    });
    expect(await consume([several], { attempts: 2 })).toEqual({ acked: ["m0"], retried: [] });
    expect(to.map((one) => harness.egress.to(one).length)).toEqual([1, 1, 1]);
  });

  it("loses only the failing job at a queue message's last attempt, with that job's error", async () => {
    const { harness, to, id: good } = await makeMail();
    const env = poisonLedger(harness);
    const several = [{ teamId: harness.id, jobs: [refOf(POISON), refOf(good)] }];
    expect(await consume(several, { env })).toEqual({ acked: [], retried: ["m0"] });
    expect(await consume(several, { env, attempts: 5 })).toEqual({ acked: [], retried: ["m0"] });
    expect(await consume(several, { env, attempts: QUEUE_ATTEMPTS[QUEUE] })).toEqual({
      acked: ["m0"],
      retried: [],
    });
    expect(harness.egress.to(to)).toHaveLength(1);
    const rows = await bindings.DB.prepare("SELECT body, error, attempts FROM dead_letters").all();
    const body = JSON.stringify(jobOf(harness, POISON));
    const attempts = QUEUE_ATTEMPTS[QUEUE];
    expect(rows.results).toEqual([{ body, error: "poison", attempts }]);
  });

  it("is delivered although one message's row cannot be read", async () => {
    const { harness, id: bad } = await makeMail();
    const second = someone();
    const good = await harness.send({ to: [second], text: "Hi" });
    await runInDurableObject(ledgerOf(harness), (_, { storage }) => {
      storage.sql.exec("UPDATE ledger SET meta = '{oops' WHERE id = ?", bad);
    });
    expect(await consume([jobOf(harness, bad), jobOf(harness, good)])).toEqual({
      acked: ["m0", "m1"],
      retried: [],
    });
    expect(harness.egress.to(second)).toHaveLength(1);
    expect(logged.join()).toContain("message_unreadable");
  });
});

describe("the large content in the answers to claims", () => {
  it("is 8 MB for a batch of the queue, divided between its claims", async () => {
    const teams = await Promise.all([makeTeam(), makeTeam(), makeTeam()]);
    const asked: unknown[] = [];
    const claim = (...given: readonly unknown[]) => {
      asked.push(given[3]);
      return Promise.resolve({ messages: [], grants: [] });
    };
    const env = {
      ...bindings,
      TEAM_LEDGER: { getByName: () => ({ claim }) } as unknown as Env["TEAM_LEDGER"],
    };
    const bodies = teams.flatMap(({ id: teamId }) =>
      [0, 1].map((recipientIndex) => ({ teamId, emailId: "email_1", recipientIndex })),
    );
    await consume(bodies, { env });
    await consume(bodies.slice(0, 2), { env, attempts: QUEUE_ATTEMPTS[QUEUE] });
    const megabytes = 8 * 1024 * 1024;
    expect(asked).toEqual([
      ...Array.from({ length: 3 }, () => Math.floor(megabytes / 3)),
      megabytes / 2,
      megabytes / 2,
    ]);
  });
});
