// Resend's endpoints of the events of a webhook (docs/from-resend.md §Webhook events), translated
// to Postern's delivery log and batches. Each event here is a batch with one event, and its id is
// the batch's id.
import type * as z from "zod";
import { LIST_LIMIT_DEFAULT, LIST_LIMIT_MAX } from "../../limits.ts";
import type { JsonObject } from "../../mail/accept/fields.ts";
import { refuse } from "../../refusal.ts";
import { keyAt } from "../../resources/webhooks/outbox/outbox-schema.ts";
import { logPositionText } from "../../resources/webhooks/webhook-delivery-list.ts";
import type { WebhookBatch, WebhookDelivery } from "../../resources/webhooks/wire.ts";
import { segmentOf } from "./bare-ids.ts";
import type { OwnApi, ResendEndpoint, ResendRequest } from "./resend-endpoint.ts";
import {
  eventOfWebhookBatch,
  findSentEvents,
  rebuildPayload,
  replayOf,
  type SentEvent,
  timeText,
} from "./sent-events.ts";
import { resendType, type OwnWebhook } from "./webhook-shape.ts";
import { webhookPath } from "./resend-webhooks.ts";

type Delivery = z.output<typeof WebhookDelivery>;
type Batch = z.output<typeof WebhookBatch>;

const LOG = "/v1/webhooks/:id/deliveries";
/**
 * Maximum number of log pages that are read for one page of events. An event has one log entry for
 * each attempt.
 */
const PAGES_READ = 5;

export const webhookEventEndpoints: readonly ResendEndpoint[] = [
  {
    method: "GET",
    path: "/webhooks/:id/events",
    handle: listEvents,
  },
  {
    method: "GET",
    path: "/webhooks/:id/events/:event_id",
    async handle(request, own) {
      const { batch, event } = await readBatch(request, own);
      const found = (await findSentEvents(own, [event])).get(event.id);
      return {
        object: "webhook_event",
        ...toListedEvent(batch.id, event, found && resendType(found.type), statusOf(batch)),
        next_attempt_at: batch.deliveries.at(-1)?.next_attempt_at ?? null,
        payload:
          batch.body === null
            ? found
              ? await rebuildPayload(found, own)
              : null
            : (JSON.parse(batch.body) as JsonObject),
      };
    },
  },
  {
    method: "POST",
    path: "/webhooks/:id/events/:event_id/replay",
    async handle(request, own) {
      const { batch, event } = await readBatch(request, own);
      const found = (await findSentEvents(own, [event])).get(event.id);
      if (!found) throw refuse("not_found");
      await own.ask({
        method: "POST",
        path: `${webhookPath(request.params["id"])}/replay`,
        body: replayOf(event, found.type),
      });
      return { object: "webhook_event", id: batch.id };
    },
  },
  {
    method: "GET",
    path: "/webhooks/:id/events/:event_id/attempts",
    async handle(request, own) {
      const { batch } = await readBatch(request, own);
      const attempts = batch.deliveries.filter(({ outcome }) => outcome !== "dropped").toReversed();
      const after = request.query.get("after");
      const at = after === null ? -1 : attempts.findIndex(({ id }) => id === after);
      if (after !== null && at < 0) throw notListed();
      const rest = attempts.slice(at + 1);
      const data = rest.slice(0, limitOf(request)).map((attempt) => {
        return {
          id: attempt.id,
          http_status_code: attempt.status_code ?? 0,
          response: attempt.response_body_preview ?? attempt.error ?? "",
          sent_at: attempt.attempted_at,
        };
      });
      return { object: "list", has_more: data.length < rest.length, data };
    },
  },
];

/** Lists the events, in the order of their first attempts in the log. */
async function listEvents(request: ResendRequest, own: OwnApi): Promise<JsonObject> {
  const limit = limitOf(request);
  const { id: webhookId } = await own.ask<OwnWebhook>({
    method: "GET",
    path: webhookPath(request.params["id"]),
  });
  const after = request.query.get("after");
  let cursor = after === null ? null : await cursorBehind(webhookId, after, own);
  let isBehind = after === null;
  const listed: { readonly entry: Delivery; readonly event: SentEvent }[] = [];
  let hasMore = true;
  for (let pages = 0; pages < PAGES_READ && hasMore && listed.length <= limit; pages += 1) {
    const page = await readLog(webhookId, cursor, own);
    for (const entry of page.data) {
      const event = isFirst(entry) ? eventOfWebhookBatch(entry.batch_id) : undefined;
      if (isBehind && event) listed.push({ entry, event });
      isBehind ||= isFirst(entry) && entry.batch_id === after;
    }
    cursor = page.next_cursor;
    hasMore = page.has_more;
  }
  const shown = listed.slice(0, limit);
  const found =
    shown.length === 0
      ? undefined
      : await findSentEvents(
          own,
          shown.map(({ event }) => event),
        );
  const data: JsonObject[] = [];
  for (const { entry, event } of shown) {
    const status =
      entry.outcome === "delivered"
        ? "success"
        : statusOf(
            await own.ask<Batch>({ method: "GET", path: batchPath(webhookId, entry.batch_id) }),
          );
    const type = found?.get(event.id)?.type;
    data.push(toListedEvent(entry.batch_id, event, type && resendType(type), status));
  }
  return { object: "list", has_more: hasMore || listed.length > limit, data };
}

interface LogPage {
  readonly data: readonly Delivery[];
  readonly has_more: boolean;
  readonly next_cursor: string | null;
}

function readLog(webhookId: string, cursor: string | null, own: OwnApi): Promise<LogPage> {
  const query = new URLSearchParams({
    limit: String(LIST_LIMIT_MAX),
    ...(cursor !== null && { after: cursor }),
  });
  return own.ask({
    method: "GET",
    path: `${webhookPath(webhookId)}/deliveries?${query.toString()}`,
  });
}

/**
 * Returns a cursor of the delivery log, which is sorted newest first. A page from this cursor
 * begins at the time of the batch's first attempt.
 */
async function cursorBehind(webhookId: string, batchId: string, own: OwnApi): Promise<string> {
  const batch = await own.askUnless<Batch>(404, {
    method: "GET",
    path: batchPath(webhookId, batchId),
  });
  const first = batch?.deliveries[0];
  if (!first) throw notListed();
  const before = keyAt(Date.parse(first.attempted_at) + 1);
  return own.cursorAt(LOG, logPositionText({ webhookId, before }));
}

async function readBatch(
  { params }: ResendRequest,
  own: OwnApi,
): Promise<{ readonly batch: Batch; readonly event: SentEvent }> {
  const path = batchPath(params["id"] ?? "", params["event_id"] ?? "");
  const batch = await own.ask<Batch>({ method: "GET", path });
  const event = eventOfWebhookBatch(batch.id);
  if (!event) throw refuse("not_found");
  return { batch, event };
}

function batchPath(webhookId: string, batchId: string): string {
  return `${webhookPath(webhookId)}/batches/${segmentOf(batchId)}`;
}

/**
 * Tells whether a log entry is the first of its batch. A batch that was dropped before any attempt
 * has only the entry of the drop, with attempt 0.
 */
function isFirst({ attempt, outcome }: Delivery): boolean {
  return outcome === "dropped" ? attempt === 0 : attempt === 1;
}

function statusOf({ deliveries }: Batch): string {
  const last = deliveries.at(-1)?.outcome;
  return last === "delivered" ? "success" : last === "dropped" ? "failed" : "pending";
}

/** Converts an event. `type` is null if the history does not have the event any more. */
function toListedEvent(
  id: string,
  { at }: SentEvent,
  type: string | undefined,
  status: string,
): JsonObject {
  return { id, type: type ?? null, created_at: timeText(at), status };
}

function limitOf({ query }: ResendRequest): number {
  const limit = Number(query.get("limit") ?? LIST_LIMIT_DEFAULT);
  if (Number.isInteger(limit) && limit >= 1 && limit <= LIST_LIMIT_MAX) return limit;
  throw refuse("invalid", {
    errors: { limit: [`must be a whole number from 1 to ${LIST_LIMIT_MAX}`] },
  });
}

function notListed() {
  return refuse("invalid", { errors: { after: ["is not the id of an item of this list"] } });
}
