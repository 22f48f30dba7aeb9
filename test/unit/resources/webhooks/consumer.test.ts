// Tests src/resources/webhooks/consumer.ts: a job wakes the outbox that it names, and no job
// prevents another from doing so.
import { env as bindings } from "cloudflare:workers";
import { beforeEach, describe, expect, it, vi } from "vitest";
import type { Env } from "../../../../src/env.ts";
import { QUEUE_ATTEMPTS } from "../../../../src/resources/dead-letters/job-queues.ts";
import { consumeWebhookJobs } from "../../../../src/resources/webhooks/consumer.ts";
import { consumeBatch } from "../../../support/fakes/queue-batch.ts";

const env = bindings as unknown as Env;
const QUEUE = "postern-webhook";

let woken: string[];

beforeEach(async () => {
  woken = [];
  for (const method of ["warn", "error"] as const)
    vi.spyOn(console, method).mockImplementation(() => undefined);
  await env.DB.prepare("DELETE FROM dead_letters").run();
});

/** Makes outboxes that record which of them were woken. The outbox named `broken` throws. */
function outboxes(broken: string): Env["WEBHOOK_OUTBOX"] {
  const getByName = (name: string) => {
    const answer = async () => {
      if (name === broken) throw new Error("the outbox is down");
      woken.push(name);
      return 1;
    };
    return { deliver: answer, waiting: answer };
  };
  return { getByName } as unknown as Env["WEBHOOK_OUTBOX"];
}

function consume(bodies: readonly unknown[], attempts = 1) {
  const broken = { ...env, WEBHOOK_OUTBOX: outboxes("wh_broken") };
  return consumeBatch(QUEUE, bodies, (batch) => consumeWebhookJobs(batch, broken), attempts);
}

const rows = async () =>
  (await env.DB.prepare("SELECT body, error FROM dead_letters").all()).results;

describe("a batch of webhook jobs", () => {
  it("wakes each outbox once, beside an outbox that does not answer and a body that is not a job", async () => {
    const jobs = ["wh_a", "wh_broken", "wh_a", "wh_b"].map((webhookId) => ({
      teamId: "team_x",
      webhookId,
    }));
    const result = await consume([null, ...jobs, { webhookId: "a b" }, "text"]);
    expect(result).toEqual({ acked: ["m0", "m1", "m3", "m4", "m5", "m6"], retried: ["m2"] });
    expect(woken.toSorted()).toEqual(["wh_a", "wh_b"]);
    expect(await rows()).toEqual(
      Array.from({ length: 3 }, () => ({ body: null, error: "the body is not a job" })),
    );
  });

  it("is given up job by job, with the error, after the last attempt", async () => {
    const broken = { teamId: "team_x", webhookId: "wh_broken" };
    expect(
      await consume([broken, { ...broken, webhookId: "wh_a" }], QUEUE_ATTEMPTS[QUEUE]),
    ).toEqual({ acked: ["m0", "m1"], retried: [] });
    expect(await rows()).toEqual([{ body: JSON.stringify(broken), error: "the outbox is down" }]);
  });
});
