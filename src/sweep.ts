// Does the work that time alone makes due (docs/storage.md, docs/operating.md §Sweeps). Every hour
// history's day tables are made ahead and dropped whole, and expired suppressions, old dead letters
// and content in R2 that no outbox row refers to any more go, in chunks that delay no request.
// Every quarter of an hour the ledgers are asked whether their alarms are still set.
import { shardDatabases } from "./db/client.ts";
import type { Env } from "./env.ts";
import { logInfo } from "./lib/log.ts";
import { DAY_MS, EXPIRY_AFTER_MS, HOUR_MS } from "./limits.ts";
import { sweepDeadLetters } from "./resources/dead-letters/dead-letter-retention.ts";
import { dropExpiredDays, prepareDays } from "./resources/events/day-retention.ts";
import { restoreImportAlarms } from "./resources/suppressions/imports.ts";
import { sweepSuppressions } from "./resources/suppressions/suppression-retention.ts";
import { listTeamsInTurn } from "./resources/team-settings/store.ts";
import { restoreOutboxAlarms } from "./resources/webhooks/outbox/outboxes.ts";

/** The trigger in wrangler.toml that only rouses; every other one sweeps. */
export const ROUSING = "*/15 * * * *";
const ROUSE_EVERY_MS = HOUR_MS / 4;
/** Of all teams in turn: of 16,000, each within four hours, the longest wait of a recipient. */
const LEDGERS_PER_TICK = 1_000;
const LEDGERS_AT_ONCE = 50;

/** Older than any recipient can still be waiting for. */
const CONTENT_LIFETIME_MS = EXPIRY_AFTER_MS + DAY_MS;
/** Of up to 1,000 objects. */
const CONTENT_PAGES = 20;
const OBJECTS_PER_CHUNK = 25;
/** Between two chunks. */
const PAUSE_MS = 50;

/**
 * `now` in Unix milliseconds. Throws when a step failed, the others being done all the same: the
 * next sweep goes on where this one ended.
 */
export async function sweep(env: Env, now: number): Promise<void> {
  const steps: readonly (readonly [name: string, run: () => Promise<unknown>])[] = [
    ["ledgers", () => restoreLedgerAlarms(env, now)],
    ["webhooks", () => restoreOutboxAlarms(env, now)],
    ["days_made", () => eachShard(env, (shard) => prepareDays(shard, now))],
    ["days_dropped", () => eachShard(env, (shard) => dropExpiredDays(shard, now))],
    ["suppressions", () => sweepSuppressions(env, now)],
    ["imports", () => restoreImportAlarms(env, now)],
    ["dead_letters", () => sweepDeadLetters(env, now)],
    ["content", () => removeOrphanedContent(env.CONTENT, now)],
  ];
  const faults: unknown[] = [];
  const took: Record<string, number> = {};
  for (const [step, run] of steps) {
    const begun = Date.now();
    await run().catch((error: unknown) =>
      faults.push(new Error(`sweep: ${step}`, { cause: error })),
    );
    took[`${step}_ms`] = Date.now() - begun;
  }
  logInfo("swept", took);
  if (faults.length > 0) throw new AggregateError(faults, "the sweep is not through");
}

/**
 * Sets the alarms again that were lost: a ledger that is sent nothing new is woken by nothing else,
 * and what it holds would never come to its end.
 */
export async function restoreLedgerAlarms(env: Env, now: number): Promise<void> {
  const teamIds = await listTeamsInTurn(env.DB, Math.floor(now / ROUSE_EVERY_MS), LEDGERS_PER_TICK);
  for (let at = 0; at < teamIds.length; at += LEDGERS_AT_ONCE)
    await Promise.all(
      teamIds
        .slice(at, at + LEDGERS_AT_ONCE)
        .map((teamId) => env.TEAM_LEDGER.getByName(teamId).restoreAlarm()),
    );
}

/** One after another; a shard that fails keeps none of the others waiting. */
async function eachShard(env: Env, work: (shard: D1Database) => Promise<unknown>): Promise<void> {
  const faults: unknown[] = [];
  for (const shard of shardDatabases(env))
    await work(shard).catch((error: unknown) => faults.push(error));
  if (faults.length > 0) throw new AggregateError(faults, "shards that failed");
}

/**
 * Keys begin with a time-ordered id, and R2 lists by key: the first pages are the oldest, so that
 * no object can hide behind any number of younger ones.
 */
async function removeOrphanedContent(bucket: R2Bucket, now: number): Promise<void> {
  let cursor: string | undefined;
  for (let page = 0; page < CONTENT_PAGES; page += 1) {
    const listed = await bucket.list({
      prefix: "content/",
      ...(cursor === undefined ? {} : { cursor }),
    });
    const old = listed.objects.filter(
      ({ uploaded }) => uploaded.getTime() < now - CONTENT_LIFETIME_MS,
    );
    for (let at = 0; at < old.length; at += OBJECTS_PER_CHUNK) {
      await bucket.delete(old.slice(at, at + OBJECTS_PER_CHUNK).map(({ key }) => key));
      await scheduler.wait(PAUSE_MS);
    }
    if (!listed.truncated) return;
    cursor = listed.cursor;
  }
}
