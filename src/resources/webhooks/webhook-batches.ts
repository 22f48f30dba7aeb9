// Groups events into the bodies that a webhook gets (contract.md §Payloads): oldest first, up to
// 100 events and 128 KB per body. A batch's id is derived from its content, so the same events
// always give the same batch. Pure.
import { Buffer } from "node:buffer";
import { createHash } from "node:crypto";
import { WEBHOOK_BATCH_BYTES, WEBHOOK_EVENTS_PER_BATCH } from "../../limits.ts";
import type { EventRecord } from "../../rpc/event-records.ts";
import { toWebhookEvent } from "./event.ts";
import type { WebhookEventType } from "../../rpc/event-types.ts";
import type { NewWebhookBatch } from "../../rpc/outbox-calls.ts";

const ID_DIGITS = 40;
/** Size of a body without its events, in bytes, rounded up. */
const ENVELOPE_BYTES = 128;

/** A rendered event. It is rendered once for all webhooks that get it. */
export interface EventText {
  readonly id: string;
  readonly type: WebhookEventType;
  readonly json: string;
  readonly bytes: number;
}

/** Renders events, oldest first. Events with the same time are sorted by id. */
export function eventTexts(events: readonly EventRecord[]): EventText[] {
  return events
    .toSorted((left, right) => left.occurredAt - right.occurredAt || (left.id < right.id ? -1 : 1))
    .map((event) => textOf(toWebhookEvent(event)));
}

export function textOf(event: { readonly id: string; readonly type: WebhookEventType }): EventText {
  const json = JSON.stringify(event);
  return { id: event.id, type: event.type, json, bytes: Buffer.byteLength(json) };
}

/**
 * Groups events into batches. `now` (Unix milliseconds) becomes the bodies' timestamp. `occasion`
 * makes the batches' ids differ from those of an earlier call with the same events, as a replay
 * needs.
 */
export function webhookBatchesOf(
  webhookId: string,
  events: readonly EventText[],
  now: number,
  occasion = "",
): NewWebhookBatch[] {
  return groupEvents(events).map((group) => {
    const id = batchId([webhookId, occasion, ...group.map((event) => event.id)]);
    const timestamp = Math.floor(now / 1_000);
    const body = `{"batch_id":"${id}","timestamp":${timestamp},"events":[${group.map(({ json }) => json).join(",")}]}`;
    return { id, eventCount: group.length, body };
  });
}

function groupEvents(events: readonly EventText[]): EventText[][] {
  const all: EventText[][] = [];
  let bytes = Number.POSITIVE_INFINITY;
  for (const event of events) {
    const open = all.at(-1);
    if (
      open &&
      open.length < WEBHOOK_EVENTS_PER_BATCH &&
      bytes + event.bytes + 1 <= WEBHOOK_BATCH_BYTES
    ) {
      open.push(event);
      bytes += event.bytes + 1;
    } else {
      all.push([event]);
      bytes = ENVELOPE_BYTES + event.bytes;
    }
  }
  return all;
}

function batchId(parts: readonly string[]): string {
  return `wb_${createHash("sha256").update(JSON.stringify(parts)).digest("hex").slice(0, ID_DIGITS)}`;
}
