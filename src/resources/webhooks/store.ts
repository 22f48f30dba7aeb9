// Stores webhooks in the core database. The limit of webhooks per team (contract.md §Webhook
// targets) and the rule for open rotations (contract.md §Signatures) are conditions in the
// statement that writes. So they also apply to concurrent requests.
import { and, isNull, lte, ne, or, sql } from "drizzle-orm";
import { drizzle } from "drizzle-orm/d1";
import { prepareEntryAfter, updateAudited, writeAudited } from "../../db/audit-entries.ts";
import type { Scope } from "../../db/client.ts";
import { webhooks } from "../../db/core-schema.ts";
import { hasValues, isRow, listRowsOfTeam, removeRow, updateRow } from "../../db/team-rows.ts";
import type { RowPosition } from "../../endpoint.ts";
import { WEBHOOKS_PER_TEAM } from "../../limits.ts";
import { requireRow } from "../../refusal.ts";

export type WebhookRow = typeof webhooks.$inferSelect;

const INSERT = `
  INSERT INTO webhooks (id, team_id, name, url, events, status, format, secret_prefix,
    secret_encrypted, created_at, auto_replies)
  SELECT ?2, ?1, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?12
  WHERE (SELECT count(*) FROM webhooks WHERE team_id = ?1) < ?11`;

/**
 * Stores a new webhook, without a previous secret or a delivery. Returns false if the team already
 * has WEBHOOKS_PER_TEAM webhooks.
 */
export async function insertWebhook(
  scope: Scope,
  row: Omit<WebhookRow, "teamId">,
): Promise<boolean> {
  const { id, name, url, events, status, format, secretPrefix, secretEncrypted, createdAt } = row;
  const insert = scope.db
    .prepare(INSERT)
    .bind(
      scope.teamId,
      id,
      name,
      url,
      JSON.stringify(events),
      status,
      format,
      secretPrefix,
      secretEncrypted,
      createdAt,
      WEBHOOKS_PER_TEAM,
      Number(row.autoReplies),
    );
  const [inserted] = await scope.db.batch([insert, ...prepareEntryAfter(scope, { target: id })]);
  return inserted!.meta.changes > 0;
}

export async function getWebhook(scope: Scope, id: string): Promise<WebhookRow> {
  return requireRow(await findWebhook(scope, id));
}

/** The members of a webhook that decide which events it gets. */
export interface Subscription {
  readonly id: string;
  readonly status: WebhookRow["status"];
  readonly events: readonly string[];
  readonly format: WebhookRow["format"];
  /** True: if the webhook gets replies, it also gets automatic ones, such as vacation notes. */
  readonly autoReplies: boolean;
}

export async function listSubscriptions(scope: Scope): Promise<Subscription[]> {
  const { results } = await scope.db
    .prepare(
      "SELECT id, status, events, format, auto_replies AS autoReplies FROM webhooks WHERE " +
        "team_id = ?",
    )
    .bind(scope.teamId)
    .all<Omit<Subscription, "events" | "autoReplies"> & { events: string; autoReplies: number }>();
  return results.map((row) => ({
    ...row,
    events: JSON.parse(row.events) as string[],
    autoReplies: row.autoReplies === 1,
  }));
}

/**
 * Lists the ids of up to `limit` webhooks of all teams of a core database. If `turn` increases by 1
 * with each call, the calls return all webhooks in rotation.
 */
export async function listWebhooksInTurn(
  db: D1Database,
  turn: number,
  limit: number,
): Promise<string[]> {
  const { results } = await db
    .prepare(
      "SELECT id FROM webhooks ORDER BY id LIMIT ?1 OFFSET ?1 * (?2 % max(1, (SELECT " +
        "(count(*) + ?1 - 1) / ?1 FROM webhooks)))",
    )
    .bind(limit, turn)
    .all<{ id: string }>();
  return results.map(({ id }) => id);
}

export async function findWebhook(scope: Scope, id: string): Promise<WebhookRow | undefined> {
  return drizzle(scope.db)
    .select()
    .from(webhooks)
    .where(isRow(webhooks, scope, id))
    .get();
}

/**
 * Writes results of deliveries into a webhook's row, and returns the new row. A result that is null
 * leaves its column unchanged. If a client disabled the webhook, its status stays `disabled`. The
 * time of the last delivery never decreases. Returns undefined if the row was deleted.
 */
export async function recordWebhookDeliveries(
  scope: Scope,
  id: string,
  {
    status,
    lastDeliveryAt,
  }: { readonly status: WebhookRow["status"] | null; readonly lastDeliveryAt: number | null },
): Promise<WebhookRow | undefined> {
  const update = drizzle(scope.db)
    .update(webhooks)
    .set({
      status: sql`CASE WHEN ${webhooks.status} = 'disabled' THEN 'disabled' ELSE coalesce(${status}, ${webhooks.status}) END`,
      lastDeliveryAt: sql`nullif(max(coalesce(${webhooks.lastDeliveryAt}, 0), ${lastDeliveryAt ?? 0}), 0)`,
    })
    .where(isRow(webhooks, scope, id))
    .returning();
  if (status === null) return update.get();
  const row = { table: webhooks, set: { status }, where: ne(webhooks.status, "disabled") };
  return (await updateAudited(scope, { target: id }, row, update))[0];
}

/** Lists up to `limit` webhooks older than `after`, newest first. */
export function listWebhooks(scope: Scope, limit: number, after: RowPosition | null) {
  return listRowsOfTeam(scope, webhooks, limit, after);
}

/** The settings that a change of a webhook replaces. */
export type WebhookSettings = Pick<WebhookRow, (typeof SETTINGS)[number]>;

const SETTINGS = ["name", "url", "events", "status", "format", "autoReplies"] as const;

/**
 * Changes a webhook. Returns undefined if the team does not have the webhook, or if its settings
 * are no longer `before`.
 */
export function updateWebhook(
  scope: Scope,
  id: string,
  changes: Omit<WebhookSettings, "format" | "autoReplies"> & Partial<WebhookSettings>,
  before: WebhookSettings | null,
): Promise<WebhookRow | undefined> {
  return updateRow(scope, webhooks, id, changes, hasValues(webhooks, SETTINGS, before));
}

/**
 * Makes the new secret the current secret. The previous secret stays valid until `graceExpiresAt`.
 * Returns undefined and changes nothing if an earlier rotation is still open.
 */
export async function rotateSecret(
  scope: Scope,
  id: string,
  secret: Pick<WebhookRow, "secretPrefix" | "secretEncrypted">,
  now: number,
  graceExpiresAt: number,
): Promise<WebhookRow | undefined> {
  const windowClosed = or(isNull(webhooks.graceExpiresAt), lte(webhooks.graceExpiresAt, now));
  const update = drizzle(scope.db)
    .update(webhooks)
    .set({
      ...secret,
      previousSecretPrefix: sql`${webhooks.secretPrefix}`,
      previousSecretEncrypted: sql`${webhooks.secretEncrypted}`,
      graceExpiresAt,
    })
    .where(and(isRow(webhooks, scope, id), windowClosed))
    .returning();
  return (await writeAudited(scope, { target: id }, update))[0];
}

/** Deletes a webhook. Returns undefined in the same cases as updateWebhook(). */
export function removeWebhook(scope: Scope, id: string, before: WebhookSettings | null) {
  return removeRow(scope, webhooks, id, hasValues(webhooks, SETTINGS, before));
}
