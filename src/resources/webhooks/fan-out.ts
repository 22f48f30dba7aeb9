// Brings events to the webhooks that subscribed to them (docs/architecture.md §Events to webhooks):
// grouped once for each webhook that wants some, and put into its outbox, which begins to post.
// What an outbox took is safe.
import type { Env } from "../../env.ts";
import { withTimeout } from "../../lib/with-timeout.ts";
import type { EventRecord } from "../events/records.ts";
import { batchesOf, type EventText, eventTexts } from "./batches.ts";
import type { NewBatch } from "./outbox/outbox-contract.ts";
import type { Subscription } from "./store.ts";

/** A call to a Durable Object carries 32 MB. */
const CALL_CHARACTERS = 4 * 1024 * 1024;

/** What became of events, by webhook; one that wants none of them is in neither. */
export interface FannedOut {
  readonly took: readonly string[];
  readonly failed: ReadonlyMap<string, unknown>;
}

/**
 * Queues the events for each of those webhooks that is subscribed to some. The same events again
 * are the same batches, and change nothing. An outbox that does not answer within `timeoutMs` has
 * failed.
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
  const results = await Promise.allSettled(
    wanting.map((one) => withTimeout(timeoutMs, () => enqueue(env, teamId, one, texts))),
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
  const batches = batchesOf(
    id,
    texts.filter(({ type }) => types.includes(type)),
    Date.now(),
  );
  const outbox = env.WEBHOOK_OUTBOX.getByName(id);
  for (const call of calls(batches)) await outbox.enqueue(teamId, call, true);
}

function calls(batches: readonly NewBatch[]): NewBatch[][] {
  const all: NewBatch[][] = [];
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
