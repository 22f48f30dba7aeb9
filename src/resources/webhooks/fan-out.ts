// Brings events to the webhooks that subscribed to them (docs/architecture.md §Events to webhooks): grouped once for each webhook that wants some,
// and put into its outbox, which begins to post. When this has returned, they are safe.
import { coreFor } from "../../db/client.ts";
import type { Env } from "../../env.ts";
import type { EventRecord } from "../events/records.ts";
import { batchesOf, type EventText, eventTexts } from "./batches.ts";
import type { NewBatch } from "./outbox-contract.ts";
import { listSubscriptions, type Subscription } from "./store.ts";

/** A call to a Durable Object carries 32 MB. */
const CALL_CHARACTERS = 4 * 1024 * 1024;

/**
 * Queues the events for every webhook of the team that is subscribed to them and not disabled. The webhooks are read as they are now: one that was made a moment ago gets
 * its events. The same events again are the same batches, and change nothing. Throws when a webhook's outbox could not be reached; the others have theirs then.
 */
export async function fanOut(env: Env, teamId: string, events: readonly EventRecord[]): Promise<void> {
  if (events.length === 0) return;
  const subscriptions = (await listSubscriptions(coreFor(env, teamId))).filter(({ status }) => status !== "disabled");
  const wanted = events.filter(({ type }) => subscriptions.some((one) => one.events.includes(type)));
  if (wanted.length === 0) return;
  const texts = eventTexts(wanted);
  const results = await Promise.allSettled(subscriptions.map((one) => enqueue(env, teamId, one, texts)));
  const failures = results.flatMap((result) => (result.status === "rejected" ? [result.reason as unknown] : []));
  if (failures.length > 0)
    throw new AggregateError(failures, `${failures.length} of ${subscriptions.length} webhooks could not be reached`);
}

async function enqueue(env: Env, teamId: string, { id, events: types }: Subscription, texts: readonly EventText[]): Promise<void> {
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
