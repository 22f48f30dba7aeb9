// Does the work that becomes due only by time (docs/storage.md, docs/operating.md §Sweeps). Every
// hour the sweep creates day tables ahead, and checks tracking hosts. It deletes expired and
// unneeded data: day tables, suppressions, replies, invitations, template versions, entries of the
// trail, dead letters, and content in R2. It deletes in chunks, so that no request waits long.
// Every quarter of an hour it asks ledgers to check their alarms.
import { shardDatabases } from "./db/client.ts";
import { eachCore } from "./db/core-shards.ts";
import { listObjects } from "./db/stored-objects.ts";
import type { Env } from "./env.ts";
import { logInfo } from "./lib/log.ts";
import { GatheredFaults, workOnAll } from "./lib/gathered-faults.ts";
import { CONTENT_LIFETIME_MS, HOUR_MS } from "./limits.ts";
import { removeUnneededContent } from "./mail/r2-content.ts";
import { sweepAudit } from "./resources/audit/audit-retention.ts";
import { sweepDeadLetters } from "./resources/dead-letters/dead-letter-retention.ts";
import { sweepTrackingHosts } from "./resources/domains/tracking-hosts/host-sweep.ts";
import { dropExpiredDays, prepareDays } from "./resources/events/day-retention.ts";
import { removeExpired } from "./resources/members/store.ts";
import { sweepSentContent } from "./resources/sent-content/sent-sweep.ts";
import { sweepReplies } from "./resources/replies/reply-retention.ts";
import { restoreImportAlarms } from "./resources/suppressions/imports.ts";
import { sweepSuppressions } from "./resources/suppressions/suppression-retention.ts";
import { listTeamsInTurn } from "./resources/team-settings/teams-with-ledger.ts";
import { sweepVersions } from "./resources/templates/versions/version-retention.ts";
import { restoreOutboxAlarms } from "./resources/webhooks/outbox/outboxes.ts";
import { jurisdictionOf, objectOf } from "./object-of.ts";

/** The cron trigger in wrangler.toml that only restores alarms. All others run the sweep. */
export const ALARM_CHECK = "*/15 * * * *";
const ALARM_CHECK_MS = HOUR_MS / 4;
/**
 * Maximum number of ledgers of a core database that one run asks. Teams take turns: in a database
 * with 16,000 teams, each team's turn comes once in four hours. So a recipient waits at most four
 * hours for a lost alarm.
 */
const LEDGERS_PER_TICK = 1_000;
const LEDGERS_AT_ONCE = 50;

/** Maximum number of pages, each with up to 1,000 objects, that one sweep lists. */
const CONTENT_PAGES = 20;
const OBJECTS_PER_CHUNK = 25;
/** Pause between two chunks of deletions in R2. */
const PAUSE_MS = 50;

/**
 * Runs every step, even if an earlier step failed. If any step failed, throws at the end. The next
 * sweep continues where this sweep ended. `now` is in Unix milliseconds.
 */
export async function sweep(env: Env, now: number): Promise<void> {
  const steps: readonly (readonly [name: string, run: () => Promise<unknown>])[] = [
    ["ledgers", () => restoreLedgerAlarms(env, now)],
    ["webhooks", () => restoreOutboxAlarms(env, now)],
    ["days_made", () => workOnAll(shardDatabases(env), 1, (shard) => prepareDays(shard, now))],
    ["days_dropped", () => workOnAll(shardDatabases(env), 1, (db) => dropExpiredDays(db, now))],
    // Content is deleted before suppressions. With a deleted team's last suppressions, the service
    // forgets the team, and could then not find the team's content.
    ["kept_content", () => sweepSentContent(env, now)],
    ["replies", () => sweepReplies(env, now)],
    ["suppressions", () => sweepSuppressions(env, now)],
    ["audit", () => sweepAudit(env, now)],
    ["people", () => eachCore(env, (core) => removeExpired(core, now))],
    ["template_versions", () => sweepVersions(env, now)],
    ["imports", () => restoreImportAlarms(env, now)],
    ["tracking_hosts", () => sweepTrackingHosts(env, now)],
    ["dead_letters", () => sweepDeadLetters(env, now)],
    ["content", () => removeOrphanedContent(env.CONTENT, now)],
    ["scheduled_content", () => removeUnneededContent(env, now)],
  ];
  const faults = new GatheredFaults();
  const took: Record<string, number> = {};
  for (const [step, run] of steps) {
    const startedAt = Date.now();
    await faults.of(
      run().catch((error: unknown) => {
        throw new Error(`sweep: ${step}`, { cause: error });
      }),
    );
    took[`${step}_ms`] = Date.now() - startedAt;
  }
  logInfo("swept", took);
  faults.throwAny();
}

/**
 * Restores lost alarms of ledgers. Only a new message wakes a ledger without an alarm, so
 * recipients could wait forever.
 */
export async function restoreLedgerAlarms(env: Env, now: number): Promise<void> {
  await eachCore(env, (core) => restoreAlarmsOf(env, core, Math.floor(now / ALARM_CHECK_MS)));
}

async function restoreAlarmsOf(env: Env, core: D1Database, turn: number): Promise<void> {
  const teamIds = await listTeamsInTurn(core, jurisdictionOf(env), turn, LEDGERS_PER_TICK);
  await workOnAll(teamIds, LEDGERS_AT_ONCE, async (teamId) =>
    objectOf(env, "TEAM_LEDGER", teamId).restoreAlarm(),
  );
}

/**
 * Deletes content in R2 that is older than CONTENT_LIFETIME_MS. R2 lists by key, and keys begin
 * with a time-ordered id, so the oldest objects are on the first pages.
 */
async function removeOrphanedContent(bucket: R2Bucket, now: number): Promise<void> {
  for await (const old of listObjects(bucket, "content/", now - CONTENT_LIFETIME_MS, CONTENT_PAGES))
    for (let at = 0; at < old.length; at += OBJECTS_PER_CHUNK) {
      await bucket.delete(old.slice(at, at + OBJECTS_PER_CHUNK).map(({ key }) => key));
      await scheduler.wait(PAUSE_MS);
    }
}
