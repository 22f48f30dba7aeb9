// Makes the event of POST /v1/webhooks/{id}/test (contract.md §Test event): the usual envelope
// around one event with a form of its own. Pure.

const SCHEMA_VERSION = 1;
const MESSAGE =
  "This is a test event. No message was sent: it shows that the endpoint can be reached and " +
  "that its signatures can be verified.";

export interface TestEvent {
  readonly batchId: string;
  /** Renders the request's body to send at that time, in Unix seconds. */
  readonly bodyAt: (timestamp: number) => string;
}

/**
 * Makes a test event. `now` is in Unix milliseconds; `batchUuid` and `eventUuid` become the ids.
 */
export function testEvent(
  webhookId: string,
  now: number,
  batchUuid: string,
  eventUuid: string,
): TestEvent {
  const batchId = `wbt_${withoutDashes(batchUuid)}`;
  const at = new Date(now).toISOString();
  const event = {
    schema_version: SCHEMA_VERSION,
    event_id: `evt_test_${withoutDashes(eventUuid)}`,
    event: "webhook.test",
    occurred_at: at,
    received_at: at,
    webhook_id: webhookId,
    message: MESSAGE,
  };
  return {
    batchId,
    bodyAt: (timestamp) => JSON.stringify({ batch_id: batchId, timestamp, events: [event] }),
  };
}

function withoutDashes(uuid: string): string {
  return uuid.replaceAll("-", "");
}
