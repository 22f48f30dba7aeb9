// Tests sends whose call to the ledger fails (contract.md §Statuses). The ledger may have stored
// the messages although its answer got lost. So the service looks the messages up by their ids
// before it answers.
import { describe, expect, it } from "vitest";
import { bindings } from "../../../support/api.ts";
import { bundleOf, framed } from "../../../support/fakes/fake-gateway.ts";
import { aMessage, NOON, ofMessage, write } from "../../resources/events/sample-events.ts";
import { batch, bodyOf, cappedItem, makeCapped, queuedItem } from "./batch/batch-answers.ts";
import { ledgersWith, type Method } from "./failing-ledgers.ts";
import {
  acceptedId,
  type FixtureSender,
  makeSender,
  type Result,
  send,
  sendBundle,
  textOf,
  usageOf,
} from "./sender-fixture.ts";

/** Content of more than 1 MB, which is stored in R2. */
const HUGE = { text: "é".repeat(530_000) };
const NOTHING = { messages: 0, jobs: 0, dailyUsed: 0 };

/**
 * Replaces the message ids in an answer, so that it can be compared with the answer to another
 * send.
 */
function shapeOf(result: Result): unknown {
  if (result.kind === "thrown") return result;
  return { ...result, body: result.body.replace(/email_[0-9a-f-]{36}/g, "email_x") };
}

const SENDS: readonly [string, (sender: FixtureSender) => Record<string, unknown>, string?][] = [
  ["a send", (sender) => sender.body()],
  ["a send with a key", (sender) => sender.body(), "k"],
  ["a send with content in R2", (sender) => sender.body(HUGE)],
  ["a send with content in R2 and a key", (sender) => sender.body(HUGE), "k"],
  [
    "a scheduled send",
    (sender) => sender.body({ scheduled_at: new Date(Date.now() + 3_600_000).toISOString() }),
  ],
];

describe("an answer of the ledger that got lost", () => {
  it.each(SENDS)("changes nothing of the 202 to %s", async (_, bodyFor, key) => {
    const [sender, other] = [await makeSender(), await makeSender()];
    const options = { now: Date.now(), ...(key === undefined ? {} : { key }) };
    const body = bodyFor(sender);
    const given = await send(sender, body, { ...options, env: ledgersWith({ admit: "lost" }) });
    const untold = { ...bodyFor(other), scheduled_at: body["scheduled_at"] };
    expect(shapeOf(given)).toEqual(shapeOf(await send(other, untold, options)));
    expect(await usageOf(sender)).toMatchObject({ dailyUsed: 1 });
    const { scheduled, open } = await bindings.TEAM_LEDGER.getByName(sender.team.id).find(
      acceptedId(given),
    );
    expect(scheduled ?? open).toBeTruthy();
    if (key === undefined) return;
    expect(await send(sender, body, options)).toMatchObject({
      status: 202,
      body: textOf(given),
      headers: { "Idempotent-Replayed": "true" },
    });
  });

  it("changes nothing of the 207 to a batch, label caps included", async () => {
    const sender = await makeCapped();
    const changes = [{ topic: "one" }, { topic: "two" }, {}, { topic: "one" }];
    const result = await batch(sender, changes, { env: ledgersWith({ admit: "lost" }) });
    expect(result).toMatchObject({ kind: "reply", status: 207 });
    expect(bodyOf(result)).toEqual({
      summary: { total: 4, queued: 3, failed: 1 },
      data: [queuedItem(0), cappedItem(1, 3_600), queuedItem(2), queuedItem(3)],
    });
    expect(await usageOf(sender)).toEqual({ messages: 3, jobs: 3, dailyUsed: 3 });
  });

  it("changes nothing of the answer to a message of a bundle that was stored", async () => {
    const sender = await makeSender();
    const messages = [`From: a@${sender.domain.name}\r\n\r\nHi\r\n`, "nonsense"];
    const bundle = bundleOf(messages.map((message) => framed(["b@example.org"], message)));
    for (const [fate, statuses] of [
      ["lost", [202, 502]],
      ["failed", [502, 502]],
    ] as const) {
      const result = await sendBundle(sender, bundle, { env: ledgersWith({ admitEach: fate }) });
      const { answers } = bodyOf(result) as unknown as { answers: { status: number }[] };
      expect(answers.map(({ status }) => status)).toEqual(statuses);
    }
    expect(await usageOf(sender)).toMatchObject({ messages: 1 });
  });

  it("is found in the history if the ledger has finished the message meanwhile", async () => {
    const sender = await makeSender();
    const recalled: Method = async (requests) => {
      const [{ verdict }] = requests as [{ verdict: { items: { candidate: { id: string } }[] } }];
      const emailId = verdict.items[0]!.candidate.id;
      const message = aMessage(sender.team.id, { emailId });
      await write(sender.team, [ofMessage(message, { occurredAt: NOON })], { messages: [message] });
      const rate = { limit: 9, remaining: 8, resetSeconds: 1 };
      return [{ isKnown: false, rate, items: [{ kind: "queued", id: emailId }] }];
    };
    const env = ledgersWith({ admit: "failed", recall: recalled });
    expect(await sender.send({}, { env, now: NOON })).toMatchObject({
      status: 202,
      headers: { "RateLimit-Limit": "9" },
    });
  });
});

describe("a send that the ledger does not know", () => {
  it.each(SENDS)("gets 502, and nothing of it is stored: %s", async (_, bodyFor, key) => {
    const sender = await makeSender();
    const options = key === undefined ? {} : { key };
    const env = ledgersWith({ admit: "failed" });
    const body = bodyFor(sender);
    const before = await bindings.CONTENT.list();
    expect(await send(sender, body, { ...options, env })).toMatchObject({
      kind: "thrown",
      refusal: { code: "pipeline_unavailable" },
      headers: { "RateLimit-Limit": "1000" },
    });
    expect(await usageOf(sender)).toEqual(NOTHING);
    expect((await bindings.CONTENT.list()).objects).toEqual(before.objects);
    // The repeated request is accepted: the failed one has released the lock of its idempotency
    // key.
    expect(await send(sender, body, options)).toMatchObject({ status: 202 });
  });

  it("is not accepted by a call that arrives after the answer", async () => {
    const sender = await makeSender();
    let arrive: () => Promise<unknown> = () => Promise.resolve();
    const late: Method = (request) => {
      const ledger = bindings.TEAM_LEDGER.getByName(sender.team.id);
      arrive = () => ledger.admit(request as Parameters<typeof ledger.admit>[0]);
      return Promise.reject(new Error("Network connection lost"));
    };
    const env = ledgersWith({ admit: late });
    expect(await sender.send({}, { env })).toMatchObject({
      refusal: { code: "pipeline_unavailable" },
    });
    expect(await arrive()).toMatchObject({ kind: "unavailable", items: [] });
    expect(await usageOf(sender)).toEqual(NOTHING);
  });
});

describe("a send that can't be looked up", () => {
  const env = ledgersWith({ admit: "lost", recall: "failed" });

  it("is answered with 502, an unknown outcome, and a hint to the Idempotency-Key", async () => {
    const sender = await makeSender();
    expect(await sender.send({}, { env })).toMatchObject({
      kind: "thrown",
      refusal: { code: "acceptance_unknown" },
    });
    const result = await batch(sender, [{}], { env });
    expect(result).toMatchObject({ status: 502 });
    const [item] = bodyOf(result).data;
    expect(item?.error).toMatchObject({ type: "internal_error" });
    expect(item?.error?.["message"]).toContain("Idempotency-Key");
  });

  it("is accepted once if it is repeated with its key", async () => {
    const sender = await makeSender();
    await sender.send({}, { env, key: "k" });
    expect(await sender.send({}, { key: "k" })).toMatchObject({
      status: 202,
      headers: { "Idempotent-Replayed": "true" },
    });
    expect(await usageOf(sender)).toMatchObject({ messages: 1 });
  });
});

describe("a send to a ledger that is overloaded", () => {
  const refused = { kind: "thrown", refusal: { code: "overloaded" } };

  it.each(SENDS.slice(0, 2))("gets 429 after one call: %s", async (_, bodyFor, key) => {
    const sender = await makeSender();
    const called: string[] = [];
    const env = ledgersWith({ admit: "overloaded" }, called);
    const options = key === undefined ? {} : { key };
    expect(await send(sender, bodyFor(sender), { ...options, env })).toMatchObject(refused);
    expect(called).toEqual(["admit"]);
    expect(await usageOf(sender)).toEqual(NOTHING);
    expect(await send(sender, bodyFor(sender), options)).toMatchObject({ status: 202 });
  });

  it("gets 429 for a batch as a whole, and for each message of a bundle", async () => {
    const sender = await makeSender();
    const called: string[] = [];
    const env = ledgersWith({ admit: "overloaded", admitEach: "overloaded" }, called);
    expect(await batch(sender, [{}, {}], { env })).toMatchObject(refused);
    const message = `From: a@${sender.domain.name}\r\n\r\nHi\r\n`;
    const bundle = bundleOf([message, message].map((text) => framed(["b@example.org"], text)));
    const { answers } = bodyOf(await sendBundle(sender, bundle, { env })) as unknown as {
      answers: { status: number; retry_after: boolean; body: { error: string } }[];
    };
    const body = expect.objectContaining({ error: "rate_limit_exceeded" }) as object;
    const answer = { status: 429, retry_after: true, body };
    expect(answers).toEqual([answer, answer]);
    expect(called).toEqual(["admit", "admitEach"]);
  });

  it("leaves its idempotency key free if its content was already in R2", async () => {
    const sender = await makeSender();
    const body = sender.body(HUGE);
    const env = ledgersWith({ admit: "overloaded" });
    expect(await send(sender, body, { key: "k", env })).toMatchObject(refused);
    await expect.poll(() => send(sender, body, { key: "k" })).toMatchObject({ status: 202 });
  });
});
