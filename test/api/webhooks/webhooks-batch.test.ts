// Tests GET /v1/webhooks/{id}/batches/{batch_id} (docs/webhooks.md §The delivery log): the team
// sees a batch with its body, its attempts and the receiver's replies.
import { beforeEach, describe, expect, it } from "vitest";
import { busyTeam, ok } from "../../support/api.ts";
import { FakeReceiver } from "../../support/fakes/fake-receiver.ts";
import { alarmAt, logged, newBatches, outboxOf, post } from "../../support/test-outbox.ts";
import { create, type Webhook } from "../../support/test-webhooks.ts";
import { ofEachTest } from "../../support/before-tests.ts";

const receiver = ofEachTest(() => new FakeReceiver().install());
const team = ofEachTest(busyTeam);
let webhook: Webhook;

beforeEach(async () => {
  webhook = await create(team);
});

const ask = (batchId: string, { id } = webhook) =>
  team.get(`/v1/webhooks/${id}/batches/${batchId}`);

async function show(batchId: string): Promise<{ deliveries: object[]; [member: string]: unknown }> {
  return ok(ask(batchId));
}

describe("a batch of a webhook", () => {
  it("has exactly the expected members, with body and reply, after its first attempt failed", async () => {
    const [batch] = newBatches(1, 3);
    receiver.answer = () => new Response("no such route\n", { status: 404 });
    await post(outboxOf(webhook), team, [batch!]);
    await logged(outboxOf(webhook), 1);
    expect(await show(batch!.id)).toEqual({
      id: batch!.id,
      webhook_id: webhook.id,
      event_count: 3,
      body: batch!.body,
      deliveries: [
        {
          id: expect.stringMatching(/^dlv_[0-9a-f-]{36}$/),
          batch_id: batch!.id,
          attempt: 1,
          attempted_at: expect.any(String),
          outcome: "failed",
          status_code: 404,
          latency_ms: expect.any(Number),
          error: null,
          event_count: 3,
          next_attempt_at: expect.any(String),
          response_body_preview: "no such route\n",
        },
      ],
    });
    expect(receiver.received[0]?.body).toBe(batch!.body);
  });

  it("shows its attempts oldest first, and no body once an attempt delivered the batch", async () => {
    const [batch] = newBatches(1);
    receiver.answer = () => new Response("x".repeat(5_000), { status: 500 });
    await post(outboxOf(webhook), team, [batch!]);
    await logged(outboxOf(webhook), 1);
    receiver.answer = () => new Response("ok");
    await alarmAt(outboxOf(webhook), Date.now() + 3_600_000);
    await logged(outboxOf(webhook), 2);
    const { body, deliveries } = await show(batch!.id);
    expect(body).toBeNull();
    expect(deliveries).toMatchObject([
      { attempt: 1, outcome: "failed", response_body_preview: "x".repeat(1_024) },
      { attempt: 2, outcome: "delivered", response_body_preview: null },
    ]);
  });

  it("shows the only entry of a batch that was delivered at once", async () => {
    const batches = newBatches(2);
    await post(outboxOf(webhook), team, batches);
    await logged(outboxOf(webhook), 2);
    const { body, deliveries } = await show(batches[1]!.id);
    expect(body).toBeNull();
    expect(deliveries).toMatchObject([{ batch_id: batches[1]!.id, outcome: "delivered" }]);
  });

  it("shows its body and no entry before its first attempt", async () => {
    const [batch] = newBatches(1);
    await outboxOf(webhook).enqueue(team.id, [batch!]);
    expect(await show(batch!.id)).toMatchObject({ body: batch!.body, deliveries: [] });
  });

  it("is not found by an unknown id, nor at another webhook", async () => {
    const [batch] = newBatches(1);
    await post(outboxOf(webhook), team, [batch!]);
    await logged(outboxOf(webhook), 1);
    for (const response of [await ask("wb_unknown"), await ask(batch!.id, await create(team))])
      expect(response.status).toBe(404);
  });
});
