// A condition for writes that must not replace what another request wrote meanwhile.
import { type SQL, sql } from "drizzle-orm";
import type { SQLiteTable } from "drizzle-orm/sqlite-core";

/** Makes the condition that a row still has the values of `before` in these columns. */
export function hasValues<Table extends SQLiteTable, Name extends keyof Table["_"]["columns"]>(
  table: Table,
  names: readonly Name[],
  before: Pick<Table["$inferSelect"], Name>,
): SQL {
  const columns = table as unknown as Table["_"]["columns"];
  const same = names.map((name) => {
    const column = columns[name];
    return sql`${column} IS ${sql.param(before[name], column)}`;
  });
  return sql.join(same, sql` AND `);
}
