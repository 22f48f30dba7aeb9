// Tests POST /v1/webhooks/{id}/test through the worker's fetch handler (contract.md §Test event):
// the request that the webhook's receiver gets, and the answer that the caller gets.
import type { z } from "zod";
import type { WebhookTestResult } from "../../../src/resources/webhooks/wire.ts";
import { Webhook as StandardWebhook } from "standardwebhooks";
import { describe, expect, it } from "vitest";
import { busyTeam, ok } from "../../support/api.ts";
import { holdTime } from "../../support/held-time.ts";
import { FakeReceiver } from "../../support/fakes/fake-receiver.ts";
import { create, put, shown, WISH } from "../../support/test-webhooks.ts";
import { ofEachTest } from "../../support/before-tests.ts";

type TestResult = z.output<typeof WebhookTestResult>;

interface TestBody {
  readonly batch_id: string;
  readonly timestamp: number;
  readonly events: Record<string, unknown>[];
}

const receiver = ofEachTest(() => new FakeReceiver().install());
const team = ofEachTest(busyTeam);

async function test(id: string): Promise<TestResult> {
  return ok(team.post(`/v1/webhooks/${id}/test`));
}

describe("the request that a receiver gets for a test", () => {
  it("has one webhook.test event in the usual envelope", async () => {
    const { id } = await create(team);
    await test(id);
    const { url, method, headers, body } = receiver.only;
    expect({ url, method }).toEqual({ url: WISH.url, method: "POST" });
    const sent = JSON.parse(body) as TestBody;
    expect(Object.keys(sent)).toEqual(["batch_id", "timestamp", "events"]);
    expect(sent.batch_id).toMatch(/^wbt_[0-9a-f]{32}$/);
    expect(sent.events).toEqual([
      {
        schema_version: 1,
        event_id: expect.stringMatching(/^evt_test_[0-9a-f]{32}$/),
        event: "webhook.test",
        occurred_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
        received_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
        webhook_id: id,
        message: expect.any(String),
      },
    ]);
    expect(headers).toMatchObject({
      "content-type": "application/json",
      "user-agent": "Service-Webhooks/1.0",
      "service-batch-id": sent.batch_id,
      "service-timestamp": String(sent.timestamp),
      "webhook-id": sent.batch_id,
      "webhook-timestamp": String(sent.timestamp),
    });
    expect(headers["service-signature"]).toMatch(
      new RegExp(`^t=${sent.timestamp},v1=[0-9a-f]{64}$`),
    );
  });

  it("has one event in Resend's form, for a webhook of that format", async () => {
    const { id, signing_secret: secret } = await create(team, { ...WISH, format: "resend" });
    expect(await test(id)).toMatchObject({ delivered: true });
    const { headers, body } = receiver.only;
    const sent = JSON.parse(body) as { data: { event_id: string } };
    expect(sent).toEqual({
      type: "webhook.test",
      created_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
      data: {
        event_id: expect.stringMatching(/^evt_test_[0-9a-f]{32}$/),
        webhook_id: id,
        message: expect.any(String),
      },
    });
    expect(headers).toMatchObject({
      "service-batch-id": expect.stringMatching(/^wbt_[0-9a-f]{32}$/),
      "webhook-id": sent.data.event_id,
      "svix-id": sent.data.event_id,
      "svix-timestamp": headers["webhook-timestamp"],
      "svix-signature": headers["webhook-signature"],
    });
    expect(new StandardWebhook(secret).verify(body, headers)).toEqual(sent);
  });
});

describe("the answer to the caller of a test", () => {
  const NETWORK = {
    delivered: false,
    status_code: null,
    latency_ms: expect.any(Number),
    error: expect.any(String),
    response_body_preview: null,
  };

  it.each([
    ["200", 200, "thanks", "thanks"],
    ["503", 503, "busy", "busy"],
  ])("shows the receiver's %s, after one attempt", async (_, status, body, preview) => {
    receiver.answer = () => new Response(body, { status });
    const { id } = await create(team);
    const result = await test(id);
    expect(Object.entries(result)).toEqual([
      ["delivered", status < 300],
      ["status_code", status],
      ["latency_ms", expect.any(Number)],
      ["error", null],
      ["response_body_preview", preview],
    ]);
    expect(Number.isSafeInteger(result.latency_ms) && result.latency_ms >= 0).toBe(true);
    expect(receiver.received).toHaveLength(1);
  });

  it("says that no answer came within 5 seconds, if the receiver gave none", async () => {
    const { id } = await create(team);
    const time = holdTime(5_000);
    receiver.answer = () => new Promise(() => undefined);
    const results: TestResult[] = [];
    const tested = test(id).then((result) => results.push(result));
    await expect.poll(() => receiver.received.length).toBe(1);
    expect(results).toEqual([]);
    time.pass();
    await tested;
    expect(results).toEqual([
      { ...NETWORK, latency_ms: 5_000, error: "No completed response within 5 seconds." },
    ]);
  });
});

describe("a test", () => {
  it.each(["active", "circuit_disabled", "disabled"])(
    "is sent to a webhook that is %s, and does not change the webhook",
    async (status) => {
      const { id } = await create(team);
      await put(id, "status", status);
      await put(id, "last_delivery_at", 1_700_000_000_000);
      const before = await shown(team, id);
      expect(await test(id)).toMatchObject({ delivered: true });
      receiver.answer = () => new Response(null, { status: 500 });
      expect(await test(id)).toMatchObject({ delivered: false });
      expect(await shown(team, id)).toEqual(before);
      expect(before).toMatchObject({ status });
    },
  );

  it("goes to the webhook's own URL, whatever body its request has", async () => {
    const { id } = await create(team);
    const response = await team.post(`/v1/webhooks/${id}/test`, {
      url: "https://other.example.com/",
    });
    expect(await response.json()).toMatchObject({ delivered: true });
    expect(receiver.only.url).toBe(WISH.url);
  });
});
