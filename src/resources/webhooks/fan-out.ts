// Puts events into the outboxes of the webhooks that subscribed to them (docs/architecture.md
// §Events to webhooks). Groups the events into batches for each webhook. The outbox stores the
// batches on disk and begins to post them.
import type { Env } from "../../env.ts";
import { withTimeout } from "../../lib/with-timeout.ts";
import type { EventRecord } from "../../rpc/event-records.ts";
import { webhookBatchesOf, type EventText, eventTexts, textOf } from "./webhook-batches.ts";
import type { NewWebhookBatch } from "../../rpc/outbox-calls.ts";
import { objectOf } from "../../object-of.ts";
import { coreFor } from "../../db/client.ts";
import { REPLIED } from "../../rpc/event-types.ts";
import { type ReplyFacts, toReplyEvent } from "./reply-event.ts";
import { listSubscriptions, type Subscription } from "./store.ts";

/**
 * Maximum total number of characters of the bodies in one call to an outbox. The platform's limit
 * for a call is 32 MB.
 */
const CALL_CHARACTERS = 4 * 1024 * 1024;

/**
 * The webhooks whose outbox stored events, and the webhooks whose outbox failed. The lists do not
 * contain webhooks that did not subscribe to any of the events.
 */
export interface FannedOut {
  readonly took: readonly string[];
  readonly failed: ReadonlyMap<string, unknown>;
}

/**
 * Puts the events into the outbox of each webhook that subscribed to them. A repeated call with the
 * same events changes nothing, because it makes the same batches. An outbox that does not answer
 * within `timeoutMs` counts as failed.
 */
export async function fanOut(
  env: Env,
  teamId: string,
  events: readonly EventRecord[],
  subscriptions: readonly Subscription[],
  timeoutMs: number,
): Promise<FannedOut> {
  const wanting = subscriptions.filter((one) =>
    events.some(({ type }) => one.events.includes(type)),
  );
  if (wanting.length === 0) return { took: [], failed: new Map() };
  const texts = eventTexts(
    events.filter(({ type }) => wanting.some((one) => one.events.includes(type))),
  );
  return handTo(wanting, timeoutMs, (one) => enqueue(env, teamId, one, texts));
}

/**
 * Puts a reply into the outbox of each webhook that subscribed to replies. Throws if an outbox
 * fails. A repeated call changes nothing, as with fanOut().
 */
export async function fanOutReply(
  env: Env,
  teamId: string,
  reply: ReplyFacts,
  timeoutMs: number,
): Promise<void> {
  const subscriptions = await listSubscriptions(coreFor(env, teamId));
  const wanting = subscriptions.filter(
    ({ events, status, autoReplies }) =>
      status !== "disabled" && events.includes(REPLIED) && (autoReplies || !reply.auto),
  );
  const { failed } = await handTo(wanting, timeoutMs, (one) =>
    enqueue(env, teamId, one, [textOf(toReplyEvent(reply, one.format))]),
  );
  if (failed.size > 0) throw new AggregateError([...failed.values()], "outboxes took no reply");
}

async function handTo(
  wanting: readonly Subscription[],
  timeoutMs: number,
  hand: (one: Subscription) => Promise<void>,
): Promise<FannedOut> {
  const results = await Promise.allSettled(
    wanting.map((one) => withTimeout(timeoutMs, () => hand(one))),
  );
  const took = wanting
    .filter((_, index) => results[index]?.status === "fulfilled")
    .map(({ id }) => id);
  const failed = new Map(
    results.flatMap((result, index) =>
      result.status === "rejected" ? [[wanting[index]!.id, result.reason as unknown] as const] : [],
    ),
  );
  return { took, failed };
}

async function enqueue(
  env: Env,
  teamId: string,
  { id, events: types }: Subscription,
  texts: readonly EventText[],
): Promise<void> {
  const batches = webhookBatchesOf(
    id,
    texts.filter(({ type }) => types.includes(type)),
    Date.now(),
  );
  const outbox = objectOf(env, "WEBHOOK_OUTBOX", id);
  for (const call of groupIntoCalls(batches)) await outbox.enqueue(teamId, call, true);
}

function groupIntoCalls(batches: readonly NewWebhookBatch[]): NewWebhookBatch[][] {
  const all: NewWebhookBatch[][] = [];
  let size = Number.POSITIVE_INFINITY;
  for (const batch of batches) {
    size += batch.body.length;
    if (size <= CALL_CHARACTERS) all.at(-1)?.push(batch);
    else {
      all.push([batch]);
      size = batch.body.length;
    }
  }
  return all;
}
