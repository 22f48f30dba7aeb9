// Tells a webhook's outbox of the webhook's change or deletion (contract.md §Deliveries and
// retries), and keeps any outbox from sleeping for ever.
import type { Env } from "../../../env.ts";
import { logError } from "../../../lib/log.ts";
import { HOUR_MS } from "../../../limits.ts";
import { listWebhooksInTurn } from "../store.ts";

/** Of all webhooks in turn, in each hourly sweep. */
const OUTBOXES_PER_TICK = 300;
const OUTBOXES_AT_ONCE = 50;

/**
 * From now on events go to the team's webhooks as they are. A ledger that can't be reached finds
 * out within a minute by itself.
 */
export async function announceWebhooks(env: Env, teamId: string): Promise<void> {
  await callAndLog(teamId, () => env.TEAM_LEDGER.getByName(teamId).webhooksChanged());
}

/**
 * The same, and deliveries heed the row as it is. An outbox that can't be reached reads it again by
 * itself.
 */
export async function announceChange(env: Env, teamId: string, webhookId: string): Promise<void> {
  await Promise.all([
    announceWebhooks(env, teamId),
    callAndLog(webhookId, () => env.WEBHOOK_OUTBOX.getByName(webhookId).changed()),
  ]);
}

/**
 * Nothing more is delivered, but for posts that are under way. An outbox that can't be reached
 * finds out by itself that its webhook is gone.
 */
export async function removeOutboxes(env: Env, webhookIds: readonly string[]): Promise<void> {
  await Promise.all(
    webhookIds.map((id) => callAndLog(id, () => env.WEBHOOK_OUTBOX.getByName(id).destroy())),
  );
}

/**
 * The platform gives up on an alarm after six failures: an outbox that has lost its own so sets it
 * again.
 */
export async function restoreOutboxAlarms(env: Env, now: number): Promise<void> {
  const ids = await listWebhooksInTurn(env.DB, Math.floor(now / HOUR_MS), OUTBOXES_PER_TICK);
  for (let at = 0; at < ids.length; at += OUTBOXES_AT_ONCE)
    await Promise.all(
      ids.slice(at, at + OUTBOXES_AT_ONCE).map((id) =>
        callAndLog(id, async () => {
          await env.WEBHOOK_OUTBOX.getByName(id).restoreAlarm();
        }),
      ),
    );
}

/** `id`: whose object it is, a webhook's or a team's. */
async function callAndLog(id: string, call: () => Promise<void>): Promise<void> {
  try {
    await call();
  } catch (error) {
    logError("webhook_change_not_told", error, { id });
  }
}
