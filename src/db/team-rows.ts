// Lists, changes and deletes the rows of a team in a core database. A change or a deletion stores
// its entry of the audit trail (docs/audit.md).
import { and, desc, eq, type SQL, sql } from "drizzle-orm";
import { drizzle } from "drizzle-orm/d1";
import type { SQLiteColumn, SQLiteTable } from "drizzle-orm/sqlite-core";
import type { RowPosition } from "../endpoint.ts";
import { updateAudited, writeAudited } from "./audit-entries.ts";
import type { Scope } from "./client.ts";

/** A table in which `id` names a row. The tables of teams and dead letters have no `teamId`. */
type NamedRows = SQLiteTable & { readonly id: SQLiteColumn; readonly teamId?: SQLiteColumn };
type DatedRows = NamedRows & { readonly createdAt: SQLiteColumn };

/** Makes the condition for the row with this id, if the row belongs to the scope's team. */
export function isRow({ id: ofRow, teamId }: NamedRows, scope: Scope, id: string): SQL | undefined {
  return and(teamId && eq(teamId, scope.teamId), eq(ofRow, id));
}

/**
 * Makes the condition that these columns of the row still have their values in `before`, so that a
 * write does not overwrite a concurrent change. `before` null: makes no condition.
 */
export function hasValues<Table extends SQLiteTable, Name extends keyof Table["_"]["columns"]>(
  table: Table,
  names: readonly Name[],
  before: Pick<Table["$inferSelect"], Name> | null,
): SQL | undefined {
  if (!before) return undefined;
  const columns = table as unknown as Table["_"]["columns"];
  const same = names.map((name) => {
    const column = columns[name];
    return sql`${column} IS ${sql.param(before[name], column)}`;
  });
  return sql.join(same, sql` AND `);
}

/**
 * Makes the condition for the rows after a position in a list that is sorted newest first. Compares
 * row values, so that an index skips the rows of previous pages.
 */
export function isAfter(
  time: SQLiteColumn,
  id: SQLiteColumn,
  after: RowPosition | null,
): SQL | undefined {
  return after ? sql`(${time}, ${id}) < (${after.createdAt}, ${after.id})` : undefined;
}

/** Lists up to `limit` rows of the team that are older than `after`, newest first. */
export async function listRowsOfTeam<Table extends DatedRows>(
  { db, teamId }: Scope,
  table: Table & { readonly teamId: SQLiteColumn },
  limit: number,
  after: RowPosition | null,
): Promise<Table["$inferSelect"][]> {
  return drizzle(db)
    .select()
    .from(table as DatedRows)
    .where(and(eq(table.teamId, teamId), isAfter(table.createdAt, table.id, after)))
    .orderBy(desc(table.createdAt), desc(table.id))
    .limit(limit);
}

/**
 * Merges the lists of several databases, and returns the first `limit` rows. `order`: the lists are
 * sorted by time and id in this order.
 */
export function mergeLists<Row extends { readonly id: string }>(
  lists: readonly (readonly Row[])[],
  limit: number,
  order: "oldest" | "newest",
  timeOf: (row: Row) => number,
): Row[] {
  const rows = lists
    .flat()
    .toSorted((left, right) => timeOf(left) - timeOf(right) || (left.id < right.id ? -1 : 1));
  return (order === "oldest" ? rows : rows.toReversed()).slice(0, limit);
}

/**
 * Changes a row, and returns its new values. Returns undefined and changes nothing if the row does
 * not exist or does not meet the condition `where`. `elsewhere` names changed members that the row
 * does not store.
 */
export async function updateRow<Table extends NamedRows>(
  scope: Scope,
  table: Table,
  id: string,
  set: Partial<Table["$inferSelect"]>,
  where?: SQL,
  elsewhere: readonly string[] = [],
): Promise<Table["$inferSelect"] | undefined> {
  const update = drizzle(scope.db)
    .update(table as NamedRows)
    .set(set)
    .where(and(isRow(table, scope, id), where))
    .returning();
  return (
    await updateAudited(scope, { target: id, changed: elsewhere }, { table, set }, update)
  )[0];
}

/** Deletes a row. Returns undefined in the same cases as updateRow(). */
export async function removeRow(
  scope: Scope,
  table: NamedRows,
  id: string,
  where?: SQL,
): Promise<{ readonly id: unknown } | undefined> {
  const remove = drizzle(scope.db)
    .delete(table)
    .where(and(isRow(table, scope, id), where))
    .returning({ id: table.id });
  return (await writeAudited(scope, { target: id }, remove))[0];
}
