// Informs the outbox of a webhook that the webhook was changed or deleted (contract.md §Deliveries
// and retries). Restores lost alarms of outboxes.
import { eachCore } from "../../../db/core-shards.ts";
import type { Team } from "../../../endpoint.ts";
import type { Env } from "../../../env.ts";
import { logError } from "../../../lib/log.ts";
import { workOnAll } from "../../../lib/gathered-faults.ts";
import { HOUR_MS } from "../../../limits.ts";
import { tellLedger } from "../../team-settings/reach-ledger.ts";
import { listWebhooksInTurn } from "../store.ts";
import { objectOf } from "../../../object-of.ts";

/**
 * Number of outboxes of a core database that one hourly sweep checks. Successive sweeps check
 * different webhooks in rotation.
 */
const OUTBOXES_PER_TICK = 300;
const OUTBOXES_AT_ONCE = 50;

/**
 * Informs the ledger and the webhook's outbox of a change. An outbox that does not answer reads the
 * row within a minute anyway.
 */
export async function announceChange(env: Env, team: Team, webhookId: string): Promise<void> {
  await Promise.all([
    tellLedger(env, team),
    callAndLog(webhookId, () => objectOf(env, "WEBHOOK_OUTBOX", webhookId).changed()),
  ]);
}

/**
 * Stops all deliveries, except running posts. An outbox that does not answer detects later that its
 * webhook was deleted.
 */
export async function removeOutboxes(env: Env, webhookIds: readonly string[]): Promise<void> {
  await Promise.all(
    webhookIds.map((id) => callAndLog(id, () => objectOf(env, "WEBHOOK_OUTBOX", id).destroy())),
  );
}

/** Sets lost alarms again. The platform drops an alarm after six failures. */
export async function restoreOutboxAlarms(env: Env, now: number): Promise<void> {
  await eachCore(env, (core) => restoreAlarmsOf(env, core, Math.floor(now / HOUR_MS)));
}

async function restoreAlarmsOf(env: Env, core: D1Database, turn: number): Promise<void> {
  const ids = await listWebhooksInTurn(core, turn, OUTBOXES_PER_TICK);
  await workOnAll(ids, OUTBOXES_AT_ONCE, async (id) =>
    objectOf(env, "WEBHOOK_OUTBOX", id).restoreAlarm(),
  );
}

/** Makes a call to the outbox of the webhook with this id, and logs a failure. */
async function callAndLog(id: string, call: () => Promise<void>): Promise<void> {
  try {
    await call();
  } catch (error) {
    logError("webhook_change_not_told", error, { id });
  }
}
