// The hourly tick: what time alone makes due (docs/storage.md). History's day tables are made ahead and dropped whole, expired suppressions go, and
// content in R2 that no outbox row refers to any more.
import { historyShards } from "./db/client.ts";
import type { Env } from "./env.ts";
import { DAY_MS, EXPIRY_AFTER_MS } from "./limits.ts";
import { dropExpiredDays, prepareDays } from "./resources/events/retention.ts";
import { removeExpiredSuppressions } from "./resources/suppressions/store.ts";

/** Older than any recipient can still be waiting for. */
const CONTENT_LIFETIME_MS = EXPIRY_AFTER_MS + DAY_MS;
const CONTENT_PAGES = 20;

export async function sweep(env: Env, now: number): Promise<void> {
  for (const shard of historyShards(env)) {
    await prepareDays(shard, now);
    await dropExpiredDays(shard, now);
  }
  await removeExpiredSuppressions(env.DB, now);
  await removeOrphanedContent(env.CONTENT, now);
}

/** Keys begin with a time-ordered id, so the oldest come first; a bounded number of pages a tick. */
async function removeOrphanedContent(bucket: R2Bucket, now: number): Promise<void> {
  for (let page = 0; page < CONTENT_PAGES; page += 1) {
    const listed = await bucket.list({ prefix: "content/" });
    const old = listed.objects.filter(({ uploaded }) => uploaded.getTime() < now - CONTENT_LIFETIME_MS);
    if (old.length > 0) await bucket.delete(old.map(({ key }) => key));
    if (old.length < listed.objects.length || !listed.truncated) return;
  }
}
