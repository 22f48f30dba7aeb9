// Makes the event of POST /v1/webhooks/{id}/test (contract.md §Test event): the usual envelope with
// one event of the type for tests. Pure.
import type { WebhookRow } from "./store.ts";

const SCHEMA_VERSION = 1;
const TYPE = "webhook.test";
const MESSAGE =
  "This is a test event; no message was sent. The event shows that the endpoint can be reached " +
  "and that its signatures can be verified.";

export interface TestEvent {
  readonly batchId: string;
  /** The id of the only event in the body. Undefined: the body is a batch of events. */
  readonly eventId: string | undefined;
  /** Renders the request's body for a time in Unix seconds. */
  readonly bodyAt: (timestamp: number) => string;
}

/** Makes a test event with these UUIDs in its ids. `now` is in Unix milliseconds. */
export function testEvent(
  { id: webhookId, format }: Pick<WebhookRow, "id" | "format">,
  now: number,
  batchUuid: string,
  eventUuid: string,
): TestEvent {
  const batchId = `wbt_${withoutDashes(batchUuid)}`;
  const eventId = `evt_test_${withoutDashes(eventUuid)}`;
  const at = new Date(now).toISOString();
  const facts = { webhook_id: webhookId, message: MESSAGE };
  if (format === "resend") {
    const event = { type: TYPE, created_at: at, data: { event_id: eventId, ...facts } };
    return { batchId, eventId, bodyAt: () => JSON.stringify(event) };
  }
  const event = {
    schema_version: SCHEMA_VERSION,
    event_id: eventId,
    event: TYPE,
    occurred_at: at,
    received_at: at,
    ...facts,
  };
  return {
    batchId,
    eventId: undefined,
    bodyAt: (timestamp) => JSON.stringify({ batch_id: batchId, timestamp, events: [event] }),
  };
}

function withoutDashes(uuid: string): string {
  return uuid.replaceAll("-", "");
}
