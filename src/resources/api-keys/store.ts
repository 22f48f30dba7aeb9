// Stores API keys in the core database, with only a hash of each secret (contract.md §API keys).
import { and, desc, eq, getTableColumns, sql } from "drizzle-orm";
import { drizzle } from "drizzle-orm/d1";
import type { Scope } from "../../db/client.ts";
import { apiKeys, teams } from "../../db/core-schema.ts";
import type { RowPosition } from "../../endpoint.ts";
import { refuse } from "../../refusal.ts";
import type { TeamRow } from "../team-settings/store.ts";

export type ApiKeyRow = typeof apiKeys.$inferSelect;

export async function insertApiKey(scope: Scope, row: Omit<ApiKeyRow, "teamId">): Promise<void> {
  await drizzle(scope.db)
    .insert(apiKeys)
    .values({ ...row, teamId: scope.teamId });
}

export async function getApiKey(scope: Scope, id: string): Promise<ApiKeyRow> {
  const row = await drizzle(scope.db).select().from(apiKeys).where(ofTeam(scope, id)).get();
  if (!row) throw refuse("not_found");
  return row;
}

/** Lists `limit` keys older than `after`, the newest first. */
export async function listApiKeys(
  scope: Scope,
  limit: number,
  after: RowPosition | null,
): Promise<ApiKeyRow[]> {
  // Compares row values, so that the index on (team_id, created_at, id) skips the keys already
  // listed.
  const older =
    after && sql`(${apiKeys.createdAt}, ${apiKeys.id}) < (${after.createdAt}, ${after.id})`;
  return drizzle(scope.db)
    .select()
    .from(apiKeys)
    .where(and(eq(apiKeys.teamId, scope.teamId), older ?? undefined))
    .orderBy(desc(apiKeys.createdAt), desc(apiKeys.id))
    .limit(limit);
}

/** Changes a key's settings. The secret never changes. */
export async function updateApiKey(
  scope: Scope,
  id: string,
  settings: Pick<ApiKeyRow, "name" | "permissions" | "allowedDomains" | "allowedIps">,
): Promise<ApiKeyRow> {
  const row = await drizzle(scope.db)
    .update(apiKeys)
    .set(settings)
    .where(ofTeam(scope, id))
    .returning()
    .get();
  if (!row) throw refuse("not_found");
  return row;
}

export async function removeApiKey(scope: Scope, id: string): Promise<void> {
  const removed = await drizzle(scope.db)
    .delete(apiKeys)
    .where(ofTeam(scope, id))
    .returning({ id: apiKeys.id });
  if (removed.length === 0) throw refuse("not_found");
}

/**
 * Returns the key with this hash and its team. It takes no Scope, because this look-up determines
 * the team.
 */
export async function findCredential(
  db: D1Database,
  secretHash: string,
): Promise<{ key: ApiKeyRow; team: TeamRow } | undefined> {
  return drizzle(db)
    .select({ key: getTableColumns(apiKeys), team: getTableColumns(teams) })
    .from(apiKeys)
    .innerJoin(teams, eq(teams.id, apiKeys.teamId))
    .where(eq(apiKeys.secretHash, secretHash))
    .get();
}

/** Returns the team's key with this id and the team. */
export async function findCredentialOfKey(
  scope: Scope,
  id: string,
): Promise<{ key: ApiKeyRow; team: TeamRow } | undefined> {
  return drizzle(scope.db)
    .select({ key: getTableColumns(apiKeys), team: getTableColumns(teams) })
    .from(apiKeys)
    .innerJoin(teams, eq(teams.id, apiKeys.teamId))
    .where(ofTeam(scope, id))
    .get();
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

/** Records the use of a key, at most once per `everyMs` even if several isolates report it. */
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

function ofTeam(scope: Scope, id: string) {
  return and(eq(apiKeys.teamId, scope.teamId), eq(apiKeys.id, id));
}
