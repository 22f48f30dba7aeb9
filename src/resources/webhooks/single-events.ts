// Splits a batch into requests with one event each, for webhooks of the format `resend`
// (contract.md §Formats). An outbox stores such an event as a batch of one event, and renders it
// only when it sends it. So a webhook's format can change at any time. Pure.
import type { NewWebhookBatch } from "../../rpc/outbox-calls.ts";
import { REPLIED } from "../../rpc/event-types.ts";
import type { WebhookEvent } from "./event.ts";
import { type ReplyEvent, toReceivedEvent } from "./reply-event.ts";
import { toResendEvent } from "./resend-event.ts";
import type { WebhookRow } from "./store.ts";

/**
 * Number of a batch id's last characters. The ids of the batch's parts end with the same characters,
 * so that two replays of an event make parts with different ids.
 */
const BATCH_DIGITS = 16;

interface BatchBody {
  readonly timestamp: number;
  readonly events: readonly (WebhookEvent | ReplyEvent)[];
}

/** A request's body, and the event in it. */
export interface RequestContent {
  readonly body: string;
  /** The id of the only event in the request. Undefined: the request is a batch of events. */
  readonly eventId: string | undefined;
}

/**
 * Splits a batch into batches of one event. The same batch always gives the same parts. Each part's
 * id begins with its event's id: `evt_…_…`.
 */
export function splitIntoEvents({
  id,
  body,
}: Pick<NewWebhookBatch, "id" | "body">): NewWebhookBatch[] {
  const { timestamp, events } = JSON.parse(body) as BatchBody;
  const suffix = id.slice(-BATCH_DIGITS);
  return events.map((event) => {
    const ownId = `${event.id}_${suffix}`;
    const own = { batch_id: ownId, timestamp, events: [event] };
    return { id: ownId, eventCount: 1, body: JSON.stringify(own) };
  });
}

/**
 * Renders a batch as a request in the given format. A format for single events applies only to a
 * batch with one event. Several events are always sent as a batch.
 */
export function requestContent(
  format: WebhookRow["format"],
  { eventCount, body }: Pick<NewWebhookBatch, "eventCount" | "body">,
): RequestContent {
  if (format === "batch" || eventCount > 1) return { body, eventId: undefined };
  const { events } = JSON.parse(body) as BatchBody;
  const [event] = events;
  if (!event) return { body, eventId: undefined };
  const rendered = event.type === REPLIED ? toReceivedEvent(event) : toResendEvent(event);
  return { body: JSON.stringify(rendered), eventId: event.id };
}
