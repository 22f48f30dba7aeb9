// Tests the event of POST /v1/webhooks/{id}/test (src/resources/webhooks/test-event.ts, contract.md
// §Test event).
import { expect, it } from "vitest";
import { testEvent } from "../../../../src/resources/webhooks/test-event.ts";

it("a test event has the envelope of every delivery, and one event with a form of its own", () => {
  const now = Date.UTC(2026, 10, 21, 9, 30);
  const { batchId, bodyAt } = testEvent(
    "wh_1",
    now,
    "5f0c8a52-6d0a-4c55-9a3e-2f8f1f4b7d10",
    "019e5b6c-943e-7e35-b378-f74400936f31",
  );
  expect(batchId).toBe("wbt_5f0c8a526d0a4c559a3e2f8f1f4b7d10");
  const body: unknown = JSON.parse(bodyAt(1_795_253_400));
  expect(body).toEqual({
    batch_id: batchId,
    timestamp: 1_795_253_400,
    events: [
      {
        schema_version: 1,
        event_id: "evt_test_019e5b6c943e7e35b378f74400936f31",
        event: "webhook.test",
        occurred_at: "2026-11-21T09:30:00.000Z",
        received_at: "2026-11-21T09:30:00.000Z",
        webhook_id: "wh_1",
        message: expect.stringMatching(/./),
      },
    ],
  });
});
