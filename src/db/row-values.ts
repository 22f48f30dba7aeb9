// Makes the condition for writes that must not overwrite a concurrent change of the row.
import { type SQL, sql } from "drizzle-orm";
import type { SQLiteTable } from "drizzle-orm/sqlite-core";

/** Returns the condition that these columns of the row still have their values in `before`. */
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
