// Stores API keys in the core database, with only a hash of each secret (contract.md §API keys).
import { and, desc, eq, getTableColumns, isNull, lte, or, sql } from "drizzle-orm";
import { drizzle } from "drizzle-orm/d1";
import { writeAudited } from "../../db/audit-entries.ts";
import type { Scope } from "../../db/client.ts";
import { apiKeys, teams } from "../../db/core-schema.ts";
import { coreShardOf } from "../../db/core-shards.ts";
import { jsonOfRow, rowFromJson } from "../../db/row-json.ts";
import { hasValues, isRow, listRowsOfTeam, removeRow, updateRow } from "../../db/team-rows.ts";
import type { RowPosition } from "../../endpoint.ts";
import { newId } from "../../lib/ids.ts";
import { requireRow } from "../../refusal.ts";
import type { SendingDomain } from "../domains/domain-lookups.ts";
import type { TeamRow } from "../team-settings/store.ts";
import { hashSecret, mintSecret, prefixOf } from "./key-secret.ts";

export type ApiKeyRow = typeof apiKeys.$inferSelect;

export type NewApiKeyRow = Omit<ApiKeyRow, "teamId" | "createdBy">;

/** Makes a key with a new secret, and stores it. */
export async function createApiKey(
  scope: Scope,
  settings: KeySettings,
  now: number,
): Promise<{ readonly row: NewApiKeyRow; readonly secret: string }> {
  const secret = mintSecret(coreShardOf(scope.teamId));
  const keyPrefix = prefixOf(secret);
  const secretHash = await hashSecret(secret);
  const id = newId("key");
  const row = { id, keyPrefix, secretHash, ...settings, lastUsedAt: null, createdAt: now };
  const { actor } = scope.author ?? {};
  const createdBy = actor?.kind === "person" ? actor.id : null;
  const insert = drizzle(scope.db)
    .insert(apiKeys)
    .values({ ...row, teamId: scope.teamId, createdBy });
  await writeAudited(scope, { target: id }, insert);
  return { row, secret };
}

export async function getApiKey(scope: Scope, id: string): Promise<ApiKeyRow> {
  return requireRow(
    await drizzle(scope.db)
      .select()
      .from(apiKeys)
      .where(isRow(apiKeys, scope, id))
      .get(),
  );
}

/** Lists up to `limit` keys older than `after`, newest first. */
export function listApiKeys(scope: Scope, limit: number, after: RowPosition | null) {
  return listRowsOfTeam(scope, apiKeys, limit, after);
}

/** Maximum number of keys on the console's page of a member. */
const KEYS_SHOWN = 100;

/** The settings that a change of a key replaces. */
export type KeySettings = Pick<ApiKeyRow, (typeof SETTINGS)[number]>;

const SETTINGS = ["name", "permissions", "allowedDomains", "allowedIps"] as const;

/**
 * Changes a key's settings. The secret stays. Returns undefined if the team does not have the key,
 * or if the key's settings are no longer `before`.
 */
export function updateApiKey(
  scope: Scope,
  id: string,
  settings: KeySettings,
  before: KeySettings | null,
): Promise<ApiKeyRow | undefined> {
  return updateRow(scope, apiKeys, id, settings, hasValues(apiKeys, SETTINGS, before));
}

/** Deletes a key. Returns undefined in the same cases as updateApiKey(). */
export function removeApiKey(scope: Scope, id: string, before: KeySettings | null) {
  return removeRow(scope, apiKeys, id, hasValues(apiKeys, SETTINGS, before));
}

/**
 * Maximum number of domains that a key's look-up returns. The pipeline looks up any further domain
 * when a send uses it.
 */
const DOMAINS_OF_KEY = 50;

interface StoredCredential {
  readonly key: ApiKeyRow;
  readonly team: TeamRow;
}

/**
 * Returns the key with this hash, its team, and the verified domains from which the key may send,
 * newest first. So a send needs no further query. Takes no Scope, because this look-up determines
 * the team.
 */
export async function findCredential(
  db: D1Database,
  secretHash: string,
): Promise<(StoredCredential & { readonly domains: readonly SendingDomain[] }) | undefined> {
  const row = await drizzle(db)
    .select({ key: getTableColumns(apiKeys), team: getTableColumns(teams), domains: DOMAINS })
    .from(apiKeys)
    .innerJoin(teams, eq(teams.id, apiKeys.teamId))
    .where(eq(apiKeys.secretHash, secretHash))
    .get();
  return row && { ...row, domains: JSON.parse(row.domains) as SendingDomain[] };
}

/**
 * Returns the same as findCredential(). If no use of the key was recorded for `everyMs`, the
 * statement also records this use. It writes, so it needs the primary.
 */
export async function findUsedCredential(
  db: D1Database,
  secretHash: string,
  now: number,
  everyMs: number,
): ReturnType<typeof findCredential> {
  const isDue = or(isNull(apiKeys.lastUsedAt), lte(apiKeys.lastUsedAt, now - everyMs));
  const [noted] = await drizzle(db)
    .update(apiKeys)
    .set({ lastUsedAt: now })
    .where(and(eq(apiKeys.secretHash, secretHash), isDue))
    .returning({ ...getTableColumns(apiKeys), team: TEAM, domains: DOMAINS });
  if (!noted) return findCredential(db, secretHash);
  const { team, domains, ...key } = noted;
  return {
    key,
    team: rowFromJson(teams, team),
    domains: JSON.parse(domains) as SendingDomain[],
  };
}

const DOMAINS = sql<string>`(SELECT json_group_array(json_object('id', id, 'name', name)) FROM (
  SELECT id, name FROM domains WHERE team_id = api_keys.team_id AND status = 'verified'
    AND (api_keys.allowed_domains IS NULL
      OR name IN (SELECT lower(value) FROM json_each(api_keys.allowed_domains)))
    ORDER BY created_at DESC LIMIT ${sql.raw(String(DOMAINS_OF_KEY))}))`;

const TEAM = sql<string>`(SELECT ${jsonOfRow(teams)} FROM teams WHERE teams.id = api_keys.team_id)`;

/** Returns the key with this id, and its team. */
export async function findCredentialOfKey(
  scope: Scope,
  id: string,
): Promise<StoredCredential | undefined> {
  return drizzle(scope.db)
    .select({ key: getTableColumns(apiKeys), team: getTableColumns(teams) })
    .from(apiKeys)
    .innerJoin(teams, eq(teams.id, apiKeys.teamId))
    .where(isRow(apiKeys, scope, id))
    .get();
}

/** Lists the keys that a person made, newest first. */
export async function listKeysMadeBy(scope: Scope, memberId: string): Promise<ApiKeyRow[]> {
  return drizzle(scope.db)
    .select()
    .from(apiKeys)
    .where(and(eq(apiKeys.teamId, scope.teamId), eq(apiKeys.createdBy, memberId)))
    .orderBy(desc(apiKeys.createdAt), desc(apiKeys.id))
    .limit(KEYS_SHOWN);
}

/** Returns the id of the team's oldest key with full permissions. */
export async function findFirstFullKey(scope: Scope): Promise<string | undefined> {
  const row = await drizzle(scope.db)
    .select({ id: apiKeys.id })
    .from(apiKeys)
    .where(and(eq(apiKeys.teamId, scope.teamId), eq(apiKeys.permissions, "full")))
    .orderBy(apiKeys.createdAt, apiKeys.id)
    .limit(1)
    .get();
  return row?.id;
}

/** Records the use of a key, at most once per `everyMs`, even if several isolates call it. */
export async function touchApiKey(
  db: D1Database,
  id: string,
  now: number,
  everyMs: number,
): Promise<void> {
  await db
    .prepare(
      "UPDATE api_keys SET last_used_at = ?1 WHERE id = ?2 AND (last_used_at IS NULL OR " +
        "last_used_at <= ?1 - ?3)",
    )
    .bind(now, id, everyMs)
    .run();
}
