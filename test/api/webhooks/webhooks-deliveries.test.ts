// Tests GET /v1/webhooks/{id}/deliveries (src/resources/webhooks/routes.ts): the team sees the
// outcome of each of its webhook's deliveries.
import type { z } from "zod";
import type { WebhookDelivery } from "../../../src/resources/webhooks/wire.ts";
import { describe, expect, it } from "vitest";
import type { Page } from "../../support/api.ts";
import { busyTeam, call, everyPage, fieldsOf, ok } from "../../support/api.ts";
import { logged, newBatches, outboxOf, post } from "../../support/test-outbox.ts";
import { FakeReceiver } from "../../support/fakes/fake-receiver.ts";
import { create } from "../../support/test-webhooks.ts";
import { ofEachTest } from "../../support/before-tests.ts";

type Delivery = z.output<typeof WebhookDelivery>;

const receiver = ofEachTest(() => new FakeReceiver().install());
const team = ofEachTest(busyTeam);

const ask = (id: string, query = "", { key } = team) =>
  call("GET", `/v1/webhooks/${id}/deliveries?${query}`, { key });

async function list(id: string, query = ""): Promise<Page<Delivery>> {
  return ok(ask(id, query));
}

describe("the deliveries of a webhook", () => {
  it("show every attempt with exactly the expected members", async () => {
    const webhook = await create(team);
    const answers = [
      () => new Response("ok"),
      () => new Response("no", { status: 404 }),
      () => Promise.reject(new Error("refused")),
    ];
    const batches = newBatches(3, 7);
    for (const [index, batch] of batches.entries()) {
      receiver.answer = answers[index] ?? receiver.answer;
      await post(outboxOf(webhook), team, [batch]);
      await logged(outboxOf(webhook), index + 1);
    }
    const { data } = await list(webhook.id);
    const told = (index: number, more: object) => ({
      id: expect.stringMatching(/^dlv_[0-9a-f-]{36}$/),
      batch_id: batches[index]?.id,
      attempt: 1,
      attempted_at: expect.any(String),
      latency_ms: expect.any(Number),
      error: null,
      event_count: 7,
      next_attempt_at: expect.any(String),
      ...more,
    });
    expect(data).toEqual([
      told(2, { outcome: "failed", status_code: null, error: expect.any(String) }),
      told(1, { outcome: "failed", status_code: 404 }),
      told(0, { outcome: "delivered", status_code: 200, next_attempt_at: null }),
    ]);
    expect(new Set(data.map(({ id }) => id)).size).toBe(3);
    expect((await list(webhook.id)).data).toEqual(data);
  });

  it("come newest first, page by page, none twice and none left out", async () => {
    const webhook = await create(team);
    await post(outboxOf(webhook), team, newBatches(25));
    await logged(outboxOf(webhook), 25);
    const lengths: number[] = [];
    const path = `/v1/webhooks/${webhook.id}/deliveries?limit=10`;
    const all = await everyPage<Delivery>(path, team.key, ({ data }) => lengths.push(data.length));
    expect(lengths).toEqual([10, 10, 5]);
    expect(new Set(all.map(({ id }) => id)).size).toBe(25);
    const times = all.map(({ attempted_at: at }) => Date.parse(at));
    expect(times).toEqual(times.toSorted((left, right) => right - left));
    expect((await list(webhook.id)).data).toHaveLength(20);
  });

  it("refuse a cursor of another webhook", async () => {
    const [webhook, other] = [await create(team), await create(team)];
    await post(outboxOf(webhook), team, newBatches(3));
    await logged(outboxOf(webhook), 3);
    const { next_cursor: cursor } = await list(webhook.id, "limit=1");
    expect(await fieldsOf(ask(other.id, `after=${cursor}`))).toEqual(["after"]);
    expect(await fieldsOf(ask(webhook.id, "after=x"))).toEqual(["after"]);
  });
});
