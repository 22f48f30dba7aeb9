// What src/mail/deliver/consumer.ts guarantees: a job that can't be delivered never keeps another
// from being delivered.
import {
  createExecutionContext,
  createMessageBatch,
  getQueueResult,
  runInDurableObject,
} from "cloudflare:test";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import type { Env } from "../../../../src/env.ts";
import { consumeDeliverJobs } from "../../../../src/mail/deliver/consumer.ts";
import { QUEUE_ATTEMPTS } from "../../../../src/resources/dead-letters/job-queues.ts";
import { bindings, makeTeam } from "../../../support/api.ts";
import { someone, Harness } from "../../../support/harness.ts";

const QUEUE = "postern-deliver";

let logged: string[];

beforeEach(async () => {
  logged = [];
  for (const method of ["warn", "error"] as const)
    vi.spyOn(console, method).mockImplementation((line) => void logged.push(String(line)));
  await bindings.DB.prepare("DELETE FROM dead_letters").run();
});
afterEach(() => vi.restoreAllMocks());

/** A team whose ledger hands nothing to the queue. */
async function quietStand(): Promise<Harness> {
  const stand = await Harness.make();
  await runInDurableObject(bindings.TEAM_LEDGER.getByName(stand.team.id), (instance) => {
    const holder = instance as unknown as { env: Env };
    holder.env = {
      ...bindings,
      DELIVER: { sendBatch: () => Promise.resolve() } as unknown as Env["DELIVER"],
    };
  });
  return stand;
}

async function consume(
  bodies: readonly unknown[],
  { attempts = 1, env = bindings }: { attempts?: number; env?: Env } = {},
) {
  const messages = bodies.map((body, index) => ({
    id: `m${index}`,
    timestamp: new Date(),
    attempts,
    body,
  }));
  const batch = createMessageBatch(QUEUE, messages);
  const context = createExecutionContext();
  await consumeDeliverJobs(batch, env);
  const { explicitAcks, retryMessages } = await getQueueResult(batch, context);
  return {
    acked: explicitAcks.toSorted(),
    retried: retryMessages.map(({ msgId }) => msgId).toSorted(),
  };
}

const POISON = "email_poison";

/**
 * With a ledger that fails whoever claims the poison, and them alone, and that does not say what is
 * open.
 */
function poisoned(stand: Harness): Env {
  const real = bindings.TEAM_LEDGER.getByName(stand.team.id);
  const claim: typeof real.claim = (jobs, now) =>
    jobs.some(({ emailId }) => emailId === POISON)
      ? (Promise.reject(new Error("poison")) as never)
      : real.claim(jobs, now);
  const own: Record<string, unknown> = { claim, find: () => Promise.reject(new Error("down")) };
  const ledger = new Proxy({} as typeof real, {
    get: (_, name) =>
      own[String(name)] ??
      ((...given: unknown[]) =>
        (real as never as Record<string, (...all: unknown[]) => unknown>)[String(name)]?.(
          ...given,
        )),
  });
  return { ...bindings, TEAM_LEDGER: { getByName: () => ledger } as unknown as Env["TEAM_LEDGER"] };
}

const refOf = (emailId: string, recipientIndex = 0) => ({ emailId, recipientIndex });
const jobOf = (stand: Harness, emailId: string, recipientIndex = 0) => ({
  teamId: stand.team.id,
  emailId,
  recipientIndex,
});

describe("a batch", () => {
  it("is delivered beside what is no job, which is buried at once", async () => {
    const stand = await quietStand();
    const to = someone();
    const id = await stand.send({ to: [to], text: "Hi" });
    const poison = [
      null,
      "text",
      7,
      {},
      { teamId: stand.team.id },
      { ...jobOf(stand, id), recipientIndex: "0" },
      { ...jobOf(stand, id), teamId: "a b" },
      { teamId: stand.team.id, jobs: [] },
      { teamId: stand.team.id, jobs: "all" },
      { teamId: stand.team.id, jobs: [{ emailId: id, recipientIndex: 0 }, null] },
      { teamId: "a b", jobs: [{ emailId: id, recipientIndex: 0 }] },
    ];
    const result = await consume([...poison, jobOf(stand, id)]);
    expect(result).toEqual({
      acked: [...poison, 1].map((_, index) => `m${index}`).toSorted(),
      retried: [],
    });
    expect(stand.egress.to(to)).toHaveLength(1);
    const { results } = await bindings.DB.prepare("SELECT error FROM dead_letters").all();
    expect(results).toHaveLength(poison.length);
    expect(logged.join()).not.toContain("deliver_failed");
  });

  it("is delivered beside jobs of a team that is gone, and of messages that never were", async () => {
    const stand = await quietStand();
    const to = someone();
    const id = await stand.send({ to: [to], text: "Hi" });
    const gone = { teamId: `team_${crypto.randomUUID()}`, emailId: id, recipientIndex: 0 };
    const result = await consume([
      gone,
      jobOf(stand, "email_none"),
      jobOf(stand, id, 7),
      jobOf(stand, id),
    ]);
    expect(result).toEqual({ acked: ["m0", "m1", "m2", "m3"], retried: [] });
    expect(stand.egress.to(to)).toHaveLength(1);
  });

  it("is delivered beside a team whose ledger fails, whose jobs are tried again and then buried with the error", async () => {
    const stand = await quietStand();
    const to = someone();
    const id = await stand.send({ to: [to], text: "Hi" });
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
    expect(await consume([lost, jobOf(stand, id)], { env })).toEqual({
      acked: ["m1"],
      retried: ["m0"],
    });
    expect(stand.egress.to(to)).toHaveLength(1);
    const last = await consume([lost], { env, attempts: QUEUE_ATTEMPTS[QUEUE] });
    expect(last).toEqual({ acked: ["m0"], retried: [] });
    const rows = await bindings.DB.prepare("SELECT body, error FROM dead_letters").all<{
      body: string;
      error: string;
    }>();
    expect(rows.results).toEqual([{ body: JSON.stringify(lost), error: "the ledger is down" }]);
  });

  it("has a job that failed before go alone, so that it fails alone", async () => {
    const stand = await quietStand();
    const to = someone();
    const good = await stand.send({ to: [to], text: "Hi" });
    const env = poisoned(stand);
    const both = [jobOf(stand, POISON), jobOf(stand, good)];
    expect(await consume(both, { env })).toEqual({ acked: [], retried: ["m0", "m1"] });
    expect(await consume(both, { env, attempts: 2 })).toEqual({ acked: ["m1"], retried: ["m0"] });
    expect(stand.egress.to(to)).toHaveLength(1);
  });

  it("is delivered though its jobs came in one message, each once", async () => {
    const stand = await quietStand();
    const to = [someone(), someone(), someone()];
    const ids = [
      await stand.send({ to: to.slice(0, 2), text: "Hi" }),
      await stand.send({ to: to.slice(2), text: "Hi" }),
    ];
    const refs = [refOf(ids[0]!), refOf(ids[0]!, 1), refOf(ids[1]!)];
    const several = { teamId: stand.team.id, jobs: refs };
    expect(await consume([several, jobOf(stand, ids[1]!)])).toEqual({
      acked: ["m0", "m1"],
      retried: [],
    });
    expect(await consume([several], { attempts: 2 })).toEqual({ acked: ["m0"], retried: [] });
    expect(to.map((one) => stand.egress.to(one).length)).toEqual([1, 1, 1]);
  });

  it("loses of a message that fails to the end only the job that does, with its own error", async () => {
    const stand = await quietStand();
    const to = someone();
    const good = await stand.send({ to: [to], text: "Hi" });
    const env = poisoned(stand);
    const several = [{ teamId: stand.team.id, jobs: [refOf(POISON), refOf(good)] }];
    expect(await consume(several, { env })).toEqual({ acked: [], retried: ["m0"] });
    expect(await consume(several, { env, attempts: 5 })).toEqual({ acked: [], retried: ["m0"] });
    expect(await consume(several, { env, attempts: QUEUE_ATTEMPTS[QUEUE] })).toEqual({
      acked: ["m0"],
      retried: [],
    });
    expect(stand.egress.to(to)).toHaveLength(1);
    const rows = await bindings.DB.prepare("SELECT body, error, attempts FROM dead_letters").all();
    expect(rows.results).toEqual([
      {
        body: JSON.stringify(jobOf(stand, POISON)),
        error: "poison",
        attempts: QUEUE_ATTEMPTS[QUEUE],
      },
    ]);
  });

  it("is delivered beside a message whose row can't be read", async () => {
    const stand = await quietStand();
    const [first, second] = [someone(), someone()];
    const [bad, good] = [
      await stand.send({ to: [first], text: "Hi" }),
      await stand.send({ to: [second], text: "Hi" }),
    ];
    await runInDurableObject(bindings.TEAM_LEDGER.getByName(stand.team.id), (_, { storage }) => {
      storage.sql.exec("UPDATE ledger SET meta = '{oops' WHERE id = ?", bad);
    });
    expect(await consume([jobOf(stand, bad), jobOf(stand, good)])).toEqual({
      acked: ["m0", "m1"],
      retried: [],
    });
    expect(stand.egress.to(second)).toHaveLength(1);
    expect(logged.join()).toContain("message_unreadable");
  });
});

describe("putting a job back", () => {
  it("never sends twice, however often it is offered", async () => {
    const stand = await quietStand();
    const to = someone();
    const id = await stand.send({ to: [to], text: "Hi" });
    for (let offer = 0; offer < 3; offer += 1) await consume([jobOf(stand, id), jobOf(stand, id)]);
    await stand.history(id, 2);
    await consume([jobOf(stand, id)]);
    expect(stand.egress.to(to)).toHaveLength(1);
  });
});
