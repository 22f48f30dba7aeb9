// Tests how jobs are given up (src/resources/dead-letters). Each job that is given up has exactly
// one row, and the row has only ids.
import { createMessageBatch } from "cloudflare:test";
import { env as bindings } from "cloudflare:workers";
import { beforeEach, describe, expect, it, vi } from "vitest";
import type { Env } from "../../../../src/env.ts";
import { DAY_MS } from "../../../../src/limits.ts";
import { giveUp, retryOrGiveUp } from "../../../../src/resources/dead-letters/failed-jobs.ts";
import { idsOf } from "../../../../src/resources/dead-letters/job-body.ts";
import { consumeDeadLetters } from "../../../../src/resources/dead-letters/consumer.ts";
import { QUEUE_ATTEMPTS } from "../../../../src/resources/dead-letters/job-queues.ts";
import { sweepDeadLetters } from "../../../../src/resources/dead-letters/dead-letter-retention.ts";
import {
  type DeadLetterRow,
  listDeadLetters,
} from "../../../../src/resources/dead-letters/store.ts";
import { sendOf } from "../../ledger/ledger-harness.ts";
import { consumeBatch } from "../../../support/fakes/queue-batch.ts";

const env = bindings as unknown as Env;
const DNS = "postern-dns-cleanup";
const DELIVER = "postern-deliver";

beforeEach(async () => {
  await env.DB.prepare("DELETE FROM dead_letters").run();
  for (const method of ["warn", "error"] as const)
    vi.spyOn(console, method).mockImplementation(() => undefined);
});

const deliveryOf = (teamId: string, emailId: string) => ({ teamId, emailId, recipientIndex: 0 });
const rows = (): Promise<DeadLetterRow[]> => listDeadLetters(env.DB, undefined, 100, null);

function job(body: unknown, attempts = 1) {
  const said: string[] = [];
  const message = {
    id: crypto.randomUUID(),
    timestamp: new Date(),
    attempts,
    body,
    ack: () => void said.push("ack"),
    retry: (options?: QueueRetryOptions) => void said.push(`retry ${options?.delaySeconds ?? 0}`),
  };
  return { message, said };
}

/** Passes a dead-letter queue's batch to its consumer. */
function consume(queue: string, bodies: readonly unknown[], given: Env = env) {
  return consumeBatch(`${queue}-dead`, bodies, (batch) => consumeDeadLetters(batch, given));
}

const down = () => {
  throw new Error("down");
};
const brokenDatabase = (): Env => ({ ...env, DB: { prepare: down } as unknown as D1Database });

/** An environment whose ledgers do not answer. */
const silent = { getByName: () => ({ find: async () => down() }) };
const SILENT: Env = { ...env, TEAM_LEDGER: silent as unknown as Env["TEAM_LEDGER"] };

describe("a job that fails", () => {
  it("is retried with growing delays and becomes a dead letter with its error after the last", async () => {
    const waits = [1, 2, 3].map((attempts) => job({ recordIds: ["a"] }, attempts));
    for (const { message } of waits) await retryOrGiveUp(env, DNS, message, new Error("no"));
    const seconds = waits.map(({ said: [text = ""] }) => Number(text.replace("retry ", "")));
    for (const [place, least] of [5, 15, 45].entries()) {
      expect(seconds[place]).toBeGreaterThanOrEqual(least);
      expect(seconds[place]).toBeLessThanOrEqual(Math.ceil(least * 1.5));
    }
    const own = job({ recordIds: ["a"] }, 7);
    await retryOrGiveUp(env, DNS, own.message, new Error("no"), 60);
    expect(own.said).toEqual(["retry 60"]);
    expect(await rows()).toEqual([]);
    const last = job({ recordIds: ["a"] }, QUEUE_ATTEMPTS[DNS]);
    await retryOrGiveUp(env, DNS, last.message, new Error("no answer for ada@example.net"), 60);
    expect(last.said).toEqual(["ack"]);
    const row = { body: '{"recordIds":["a"]}', error: "no answer for ***@example.net" };
    expect(await rows()).toMatchObject([{ queue: DNS, ...row, attempts: QUEUE_ATTEMPTS[DNS] }]);
  });

  it("is left to the platform's dead-letter queue when its row cannot be written", async () => {
    const { message, said } = job({ recordIds: ["a"] }, QUEUE_ATTEMPTS[DNS]);
    await giveUp(brokenDatabase(), DNS, message, new Error("no"));
    expect(said).toEqual(["retry 0"]);
  });

  it("has one row however often it is given up, with all attempts, the last error, and the first and last time", async () => {
    const body = { recordIds: ["once", "more"] };
    const first = { ...job(body, 3).message, timestamp: new Date(1_000) };
    await giveUp(env, DNS, first, new Error("first"));
    await consume(DNS, [body]);
    await giveUp(env, DNS, job(body, 2).message, new Error("second"));
    const [row, ...others] = await rows();
    expect(others).toEqual([]);
    const attempts = 5 + QUEUE_ATTEMPTS[DNS];
    expect(row).toMatchObject({ attempts, error: "second", firstAt: 1_000 });
    expect(row?.lastAt).toBeGreaterThan(1_000);
    expect(row?.id).toMatch(/^dead_[0-9a-f-]{36}$/);
  });
});

describe("a dead letter's body", () => {
  it("is the job when it contains only ids", () => {
    const delivery = { teamId: "team_1", emailId: "email_1", recipientIndex: 3 };
    expect(idsOf(DELIVER, delivery)).toEqual(delivery);
    const cleanup = { recordIds: ["a", "b"], names: ["ps1.x.dkim.postern.test"] };
    expect(idsOf(DNS, { ...cleanup, domainId: undefined })).toEqual(cleanup);
  });

  it.each<[unknown]>([
    ...[null, "text", 7, [], {}].map((body): [unknown] => [body]),
    [{ subject: "Ada" }],
    [{ teamId: "team_1", recordIds: ["a"] }],
    [{ domainId: "Dear Ada" }],
    [{ domainId: "ada@example.net" }],
    [{ domainId: { id: "a" } }],
    [{ recordIds: [["a"]] }],
    [{ recordIds: [1] }],
    [{ domainId: 1.5 }],
    [{ domainId: "x".repeat(256) }],
    [{ recordIds: Array.from({ length: 10_000 }, () => "x".repeat(50)) }],
  ])("is null for %j", (body) => {
    expect(idsOf(DNS, body)).toBeNull();
  });

  it("is null for an unknown body, whose content is not stored", async () => {
    const { message, said } = job({ subject: "Dear Ada", to: "ada@example.net" });
    await giveUp(env, DELIVER, message, "the body is not a job");
    expect(said).toEqual(["ack"]);
    const found = await rows();
    expect(found).toMatchObject([{ queue: DELIVER, body: null, error: "the body is not a job" }]);
    expect(JSON.stringify(found)).not.toMatch(/Ada|ada@/);
  });
});

describe("a dead-letter queue", () => {
  it("is recorded job by job, and a job that cannot be recorded is retried", async () => {
    const recorded = await consume(DNS, [{ recordIds: ["a"] }, { recordIds: ["b"] }, null]);
    expect(recorded).toEqual({ acked: ["m0", "m1", "m2"], retried: [] });
    expect(await rows()).toHaveLength(3);
    const failed = await consume(DNS, [{ recordIds: ["c"] }], brokenDatabase());
    expect(failed).toEqual({ acked: [], retried: ["m0"] });
  });

  it("drops a delivery that has ended meanwhile, and stores one that is open or whose ledger is silent", async () => {
    const teamId = `team_${crypto.randomUUID()}`;
    const emailId = `email_${crypto.randomUUID()}`;
    await env.TEAM_LEDGER.getByName(teamId).admit(sendOf([{ id: emailId }], { now: Date.now() }));
    const [open, done] = [emailId, "email_done"].map((id) => deliveryOf(teamId, id));
    expect(await consume(DELIVER, [open, done])).toEqual({ acked: ["m0", "m1"], retried: [] });
    expect((await rows()).map(({ body }) => body)).toEqual([JSON.stringify(open)]);
    await consume(DELIVER, [done], SILENT);
    expect(await rows()).toHaveLength(2);
  });

  it("stores each delivery of a queue message in its own row", async () => {
    const jobs = ["a", "b"].map((name) => ({ emailId: `email_${name}`, recipientIndex: 0 }));
    const [job0, job1] = jobs.map((one) => ({ teamId: "team_x", ...one }));
    const odd = [[], [7]].map((none) => ({ teamId: "team_x", jobs: none }));
    const bodies = [{ teamId: "team_x", jobs }, job0, ...odd];
    const { acked } = await consume(DELIVER, bodies, SILENT);
    expect(acked).toEqual(["m0", "m1", "m2", "m3"]);
    const six = QUEUE_ATTEMPTS[DELIVER];
    const found = (await rows()).map(({ body, attempts }) => `${attempts} ${body}`).toSorted();
    const [first, second] = [job0, job1].map((one) => JSON.stringify(one));
    const kept = [`${2 * six} ${first}`, `${six} null`, `${six} {"teamId":"team_x"}`];
    expect(found).toEqual([...kept, `${six} ${second}`].toSorted());
  });

  it("is the only kind of queue that its consumer accepts", async () => {
    const other = consumeDeadLetters(createMessageBatch("postern-other-dead", []), env);
    await expect(other).rejects.toThrow("holds no dead letters");
  });
});

describe("the sweep", () => {
  it("removes dead letters after 30 days, and deliveries that have ended meanwhile", async () => {
    const now = Date.now();
    for (const name of ["old", "young"])
      await giveUp(env, DNS, job({ recordIds: [name] }).message, new Error("no"));
    await env.DB.prepare("UPDATE dead_letters SET last_at = ? WHERE body LIKE '%old%'")
      .bind(now - 30 * DAY_MS - 1)
      .run();
    await giveUp(SILENT, DELIVER, job(deliveryOf("team_x", "email_x")).message, "no");
    expect(await rows()).toHaveLength(3);
    await sweepDeadLetters(env, now);
    expect((await rows()).map(({ body }) => body)).toEqual(['{"recordIds":["young"]}']);
  });
});
