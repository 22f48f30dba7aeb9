// API keys in the core database. Only a hash of the secret is there (spec.md ApiKey).
import { drizzle } from "drizzle-orm/d1";
import { eq, getTableColumns } from "drizzle-orm";
import { apiKeys, teams } from "../../db/core-schema.ts";
import type { Scope } from "../../db/client.ts";
import type { TeamRow } from "../teams/store.ts";

export type ApiKeyRow = typeof apiKeys.$inferSelect;

export async function insertApiKey(scope: Scope, row: Omit<ApiKeyRow, "teamId">): Promise<void> {
  await drizzle(scope.db)
    .insert(apiKeys)
    .values({ ...row, teamId: scope.teamId });
}

/** The key that a secret's hash belongs to, with its team. Not a Scope: this look-up is what finds out the team. */
export async function findCredential(db: D1Database, secretHash: string): Promise<{ key: ApiKeyRow; team: TeamRow } | undefined> {
  return drizzle(db)
    .select({ key: getTableColumns(apiKeys), team: getTableColumns(teams) })
    .from(apiKeys)
    .innerJoin(teams, eq(teams.id, apiKeys.teamId))
    .where(eq(apiKeys.secretHash, secretHash))
    .get();
}

/** Notes that a key was used, at most once in `everyMs` for each key, however many isolates say so. */
export async function touchApiKey(db: D1Database, id: string, now: number, everyMs: number): Promise<void> {
  await db
    .prepare("UPDATE api_keys SET last_used_at = ?1 WHERE id = ?2 AND (last_used_at IS NULL OR last_used_at <= ?1 - ?3)")
    .bind(now, id, everyMs)
    .run();
}
