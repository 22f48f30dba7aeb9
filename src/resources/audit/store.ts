// Reads entries of the audit trail (docs/audit.md) from core databases and shards, and deletes old
// entries.
import { and, desc, eq, gte, sql } from "drizzle-orm";
import { drizzle } from "drizzle-orm/d1";
import type { AuditEntry, AuditQuery } from "../../audit.ts";
import type { Scope } from "../../db/client.ts";
import { auditEntries } from "../../db/core-schema.ts";

const ROWS_PER_CHUNK = 1_000;

/** Lists up to `limit` entries of the scope's team, newest first. */
export async function listEntries(
  scope: Scope,
  query: AuditQuery,
  limit: number,
): Promise<AuditEntry[]> {
  return list(scope.db, query, limit, eq(auditEntries.teamId, scope.teamId));
}

/** Lists up to `limit` entries of the operator's changes, newest first. */
export async function listOperatorEntries(
  db: D1Database,
  query: AuditQuery,
  limit: number,
): Promise<AuditEntry[]> {
  return list(db, { ...query, actorKind: "operator" }, limit, undefined);
}

/** Deletes a limited number of entries older than `before`. Returns whether more may exist. */
export async function removeOldEntries(db: D1Database, before: number): Promise<boolean> {
  const { meta } = await db
    .prepare(
      "DELETE FROM audit_entries WHERE rowid IN (SELECT rowid FROM audit_entries WHERE at < ?1 " +
        "LIMIT ?2)",
    )
    .bind(before, ROWS_PER_CHUNK)
    .run();
  return meta.changes === ROWS_PER_CHUNK;
}

async function list(
  db: D1Database,
  { since, before, operation, actorKind, actorId, target }: AuditQuery,
  limit: number,
  ofTeam: ReturnType<typeof eq> | undefined,
): Promise<AuditEntry[]> {
  const rows = await drizzle(db)
    .select()
    .from(auditEntries)
    .where(
      and(
        ofTeam,
        gte(auditEntries.at, since),
        sql`(${auditEntries.at}, ${auditEntries.id}) < (${before.at}, ${before.id})`,
        operation === null ? undefined : eq(auditEntries.operation, operation),
        actorKind === null ? undefined : eq(auditEntries.actorKind, actorKind),
        actorId === null ? undefined : eq(auditEntries.actorId, actorId),
        target === null ? undefined : eq(auditEntries.target, target),
      ),
    )
    .orderBy(desc(auditEntries.at), desc(auditEntries.id))
    .limit(limit);
  return rows.map(({ actorKind: kind, actorId: id, actorName: name, teamId: _team, ...facts }) => ({
    ...facts,
    actor: { kind, id, name },
  }));
}
