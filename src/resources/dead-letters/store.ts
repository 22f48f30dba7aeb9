// Stores dead letters in D1 (docs/operating.md §Dead letters). A job has one row, even if it fails
// its last attempt several times. Dead letters belong to the operator, not to a team.
import { and, asc, desc, eq, inArray, lt, sql } from "drizzle-orm";
import { drizzle } from "drizzle-orm/d1";
import type { Scope } from "../../db/client.ts";
import { deadLetters } from "../../db/core-schema.ts";
import { isAfter, removeRow } from "../../db/team-rows.ts";
import type { RowPosition } from "../../endpoint.ts";
import { requireRow } from "../../refusal.ts";

export type DeadLetterRow = typeof deadLetters.$inferSelect;

/** Stores a dead letter. An existing row of the job gets the new attempts, time and error. */
export async function insertDeadLetter(db: D1Database, row: DeadLetterRow): Promise<void> {
  await drizzle(db)
    .insert(deadLetters)
    .values(row)
    .onConflictDoUpdate({
      target: deadLetters.id,
      set: {
        attempts: sql`${deadLetters.attempts} + excluded.attempts`,
        error: sql`coalesce(excluded.error, ${deadLetters.error})`,
        lastAt: sql`max(${deadLetters.lastAt}, excluded.last_at)`,
      },
    });
}

/** Lists up to `limit` dead letters older than `after`, newest first. */
export async function listDeadLetters(
  db: D1Database,
  queue: string | undefined,
  limit: number,
  after: RowPosition | null,
): Promise<DeadLetterRow[]> {
  return drizzle(db)
    .select()
    .from(deadLetters)
    .where(
      and(
        queue === undefined ? undefined : eq(deadLetters.queue, queue),
        isAfter(deadLetters.firstAt, deadLetters.id, after),
      ),
    )
    .orderBy(desc(deadLetters.firstAt), desc(deadLetters.id))
    .limit(limit);
}

export async function getDeadLetter(db: D1Database, id: string): Promise<DeadLetterRow> {
  return requireRow(
    await drizzle(db).select().from(deadLetters).where(eq(deadLetters.id, id)).get(),
  );
}

export async function removeDeadLetter(scope: Scope, id: string): Promise<void> {
  requireRow(await removeRow(scope, deadLetters, id));
}

export async function countDeadLetters(db: D1Database): Promise<Map<string, number>> {
  const { results } = await db
    .prepare("SELECT queue, count(*) AS letters FROM dead_letters GROUP BY queue")
    .all<{ queue: string; letters: number }>();
  return new Map(results.map(({ queue, letters }) => [queue, letters]));
}

/** Deletes dead letters whose last failure was before `before` (Unix milliseconds). */
export async function removeOldDeadLetters(db: D1Database, before: number): Promise<void> {
  await drizzle(db).delete(deadLetters).where(lt(deadLetters.lastAt, before));
}

/** Lists dead letters of these queues, sorted by their last failure, oldest first. */
export async function listStalestDeadLetters(
  db: D1Database,
  queues: readonly string[],
  limit: number,
): Promise<DeadLetterRow[]> {
  return drizzle(db)
    .select()
    .from(deadLetters)
    .where(inArray(deadLetters.queue, [...queues]))
    .orderBy(asc(deadLetters.lastAt))
    .limit(limit);
}

export async function removeDeadLetters(db: D1Database, ids: readonly string[]): Promise<void> {
  if (ids.length === 0) return;
  await db
    .prepare("DELETE FROM dead_letters WHERE id IN (SELECT value FROM json_each(?))")
    .bind(JSON.stringify(ids))
    .run();
}
