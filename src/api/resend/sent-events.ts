// Finds the events that were delivered to a webhook, by their ids, in the team's history
// (docs/from-resend.md §Webhook events). The outbox does not keep the body of a batch that was
// delivered or dropped.
import type { EventType } from "../../rpc/event-types.ts";
import type { JsonObject } from "../../mail/accept/fields.ts";
import { mailboxText } from "../../lib/mime/mailbox-header.ts";
import type { Email } from "../../mail/lookup/wire.ts";
import type { PulledEvent } from "../../resources/events/wire.ts";
import { toResendEvent } from "../../resources/webhooks/resend-event.ts";
import type { OwnApi } from "./resend-endpoint.ts";

/** Maximum number of pages of the history that are searched, each with a hundred events. */
const SENT_PAGES_SEARCHED = 5;
/**
 * Matches the id of a batch with one event. A batch's id begins with its event's id, and an event's
 * id begins with its time.
 */
const BATCH_ID = /^(evt_([0-9a-f]{12})[0-9a-f]{20})(?:_|$)/;

export interface SentEvent {
  readonly id: string;
  /** When the event occurred, in Unix milliseconds. */
  readonly at: number;
}

/**
 * Reads the id and time of a batch's only event from the batch's id. Undefined: the id does not
 * belong to a batch of one event.
 */
export function eventOfWebhookBatch(batchId: string): SentEvent | undefined {
  const [, id, time] = BATCH_ID.exec(batchId) ?? [];
  return id === undefined || time === undefined ? undefined : { id, at: Number.parseInt(time, 16) };
}

/** Returns the events by id, if the searched pages of the history have them. */
export async function findSentEvents(
  own: OwnApi,
  events: readonly SentEvent[],
): Promise<ReadonlyMap<string, PulledEvent>> {
  const found = new Map<string, PulledEvent>();
  const wanted = new Set(events.map(({ id }) => id));
  const times = events.map(({ at }) => at);
  const window = {
    start: timeText(Math.min(...times)),
    end: timeText(Math.max(...times) + 1),
    limit: "100",
  };
  let after: string | null = "";
  for (let pages = 0; pages < SENT_PAGES_SEARCHED && after !== null; pages += 1) {
    if (found.size === wanted.size) break;
    const query: string = new URLSearchParams({ ...window, ...(after && { after }) }).toString();
    const page: EventPage = await own.ask({ method: "GET", path: `/v1/events?${query}` });
    for (const event of page.data) if (wanted.has(event.id)) found.set(event.id, event);
    after = page.next_cursor;
  }
  return found;
}

interface EventPage {
  readonly data: readonly PulledEvent[];
  readonly next_cursor: string | null;
}

/**
 * Rebuilds a webhook's payload from the facts in the history. The sender's display name comes from
 * the message, because the event in the history has none.
 */
export async function rebuildPayload(event: PulledEvent, own: OwnApi): Promise<object> {
  const path = `/v1/email/${event.email_id}`;
  const message = await own.askUnless<Email>(404, { method: "GET", path });
  const name = message?.from_name ?? null;
  return toPayload({ ...event, from: mailboxText({ email: event.from, name }) });
}

function toPayload(event: PulledEvent): object {
  const { id, type, occurred_at, email_id, message_id, from, recipient, subject } = event;
  const { template_id, tracking, bounce_type, bounce_classification, smtp_code } = event;
  return toResendEvent({
    id,
    type,
    occurred_at,
    data: {
      email_id,
      message_id,
      from,
      recipient,
      subject,
      ...(template_id !== null && { template_id }),
      ...(tracking && { tracking }),
      ...(bounce_type && {
        bounce: {
          type: bounce_type,
          classification: bounce_classification,
          smtp_code,
          smtp_response: null,
        },
      }),
    },
  });
}

/**
 * Returns the body of a request that replays the event. The replay's window is the millisecond in
 * which the event occurred.
 */
export function replayOf({ at }: SentEvent, type: EventType): JsonObject {
  return { start: timeText(at), end: timeText(at + 1), event_types: [type] };
}

export function timeText(ms: number): string {
  return new Date(ms).toISOString();
}
