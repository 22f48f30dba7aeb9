// Deletes entries of the audit trail after AUDIT_DAYS (docs/audit.md). A ledger deletes its own old
// entries when it writes a new entry.
import { shardDatabases } from "../../db/client.ts";
import { allCores } from "../../db/core-shards.ts";
import type { Env } from "../../env.ts";
import { workOnAll } from "../../lib/gathered-faults.ts";
import { DAY_MS } from "../../limits.ts";
import { settingsOf } from "../../settings.ts";
import { removeOldEntries } from "./store.ts";

const CHUNKS_PER_SWEEP = 20;

/**
 * Deletes a limited number of entries. The next hourly sweep continues. `now` is in Unix
 * milliseconds.
 */
export async function sweepAudit(env: Env, now: number): Promise<void> {
  const before = now - settingsOf(env).auditDays * DAY_MS;
  const databases = [...allCores(env), ...shardDatabases(env)];
  await workOnAll(databases, 1, (db) => sweepDatabase(db, before));
}

async function sweepDatabase(db: D1Database, before: number): Promise<void> {
  for (let chunk = 0; chunk < CHUNKS_PER_SWEEP; chunk += 1)
    if (!(await removeOldEntries(db, before))) return;
}
