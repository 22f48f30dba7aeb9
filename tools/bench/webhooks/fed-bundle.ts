// Bundles the deployed worker with the endpoint of outbox-feed.ts, and calls the endpoint.
import { callApi } from "../harness/http-api.ts";
import { type Bundle, bundleWrapped } from "../../harness/worker-bundle.ts";
import type { Cleanup } from "../../harness/cleanup.ts";
import type { Worker } from "../../harness/workerd.ts";
import { type OutboxFeed, FEED_PATH, WAITING_PATH } from "./outbox-feed.ts";

export function bundleFed(cleanup: Cleanup): Promise<Bundle> {
  const feed = import.meta.resolve("./outbox-feed.ts");
  return bundleWrapped(cleanup, feed, "added.withOutboxFeed(worker)");
}

/** Puts batches into a webhook's outbox. They wait there until the outbox runs next. */
export async function feedOutbox({ origin }: Worker, feed: OutboxFeed): Promise<void> {
  const target = { origin, apiKey: "" };
  const { stored } = await callApi<{ stored: number }>(target, "POST", FEED_PATH, feed);
  if (stored !== feed.batches)
    throw new Error(`${feed.batches} batches were handed over, but ${stored} stored`);
}

/** Returns how many batches of these webhooks are still open. */
export async function countWaitingIn(
  { origin }: Worker,
  webhookIds: readonly string[],
): Promise<number> {
  const target = { origin, apiKey: "" };
  const answer = await callApi<{ waiting: number }>(target, "POST", WAITING_PATH, webhookIds);
  return answer.waiting;
}
