// Events on their way to whoever subscribed to them (spec.md "Events", "Delivery semantics" 5): grouped once for each webhook that wants some, and put into its
// outbox. When this has returned, they are safe; the jobs of the queue only hurry them.
import { coreFor } from "../../db/client.ts";
import type { Env } from "../../env.ts";
import { logError } from "../../lib/log.ts";
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
  const jobs = results.flatMap((result) => (result.status === "fulfilled" && result.value !== null ? [result.value] : []));
  await sendJobs(env, teamId, jobs);
  const failures = results.flatMap((result) => (result.status === "rejected" ? [result.reason as unknown] : []));
  if (failures.length > 0)
    throw new AggregateError(failures, `${failures.length} of ${subscriptions.length} webhooks could not be reached`);
}

/** Returns the webhook's id when a job is to wake its outbox. */
async function enqueue(env: Env, teamId: string, { id, events: types }: Subscription, texts: readonly EventText[]): Promise<string | null> {
  const batches = batchesOf(
    id,
    texts.filter(({ type }) => types.includes(type)),
    Date.now(),
  );
  const outbox = env.WEBHOOK_OUTBOX.getByName(id);
  let needsJob = false;
  for (const call of calls(batches)) ({ needsJob } = await outbox.enqueue(teamId, call));
  return needsJob ? id : null;
}

/** Every job is a wake-up and no more: where none arrives, the outbox wakes by itself. */
async function sendJobs(env: Env, teamId: string, webhookIds: readonly string[]): Promise<void> {
  if (webhookIds.length === 0) return;
  try {
    await env.WEBHOOK.sendBatch(webhookIds.map((webhookId) => ({ body: { teamId, webhookId }, contentType: "json" as const })));
  } catch (error) {
    logError("webhook_jobs_unsent", error, { team_id: teamId, jobs: webhookIds.length });
  }
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
