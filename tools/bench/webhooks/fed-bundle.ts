// Bundles the deployed worker with the endpoint of outbox-feed.ts, and calls the endpoint.
import { callApi } from "../harness/http-api.ts";
import { type Bundle, bundleWrapped } from "../../harness/worker-bundle.ts";
import type { Cleanup } from "../../harness/cleanup.ts";
import type { Worker } from "../../harness/workerd.ts";
import { type OutboxFeed, FEED_PATH, WAITING_PATH } from "./outbox-feed.ts";

export function bundleFed(cleanup: Cleanup, folder: string): Promise<Bundle> {
  return bundleWrapped(cleanup, folder, import.meta.resolve("./outbox-feed.ts"), "withOutboxFeed");
}

/** Puts batches into a webhook's outbox. They wait there until the outbox runs next. */
export async function feedOutbox({ origin }: Worker, feed: OutboxFeed): Promise<void> {
  const { stored } = await callApi<{ stored: number }>(
    { origin, apiKey: "" },
    "POST",
    FEED_PATH,
    feed,
  );
  if (stored !== feed.batches)
    throw new Error(`${feed.batches} batches were handed over, but ${stored} stored`);
}

/** Returns how many batches of these webhooks are still open. */
export async function countWaitingIn(
  { origin }: Worker,
  webhookIds: readonly string[],
): Promise<number> {
  return (
    await callApi<{ waiting: number }>({ origin, apiKey: "" }, "POST", WAITING_PATH, webhookIds)
  ).waiting;
}
