// Selects a whole row as JSON, for statements that can return only single values.
import { getTableColumns, type InferSelectModel, type SQL, sql, type Table } from "drizzle-orm";

/** Returns the SQL expression for the row's JSON. Its members have the columns' names in code. */
export function jsonOfRow(table: Table): SQL {
  const members = Object.entries(getTableColumns(table)).map(
    ([name, column]) => `'${name}', ${column.name}`,
  );
  return sql.raw(`json_object(${members.join(", ")})`);
}

export function rowFromJson<Of extends Table>(table: Of, json: string): InferSelectModel<Of> {
  const values = JSON.parse(json) as Record<string, unknown>;
  const members = Object.entries(getTableColumns(table)).map(([name, column]) => {
    const value = values[name] ?? null;
    return [name, value === null ? null : column.mapFromDriverValue(value)];
  });
  return Object.fromEntries(members) as InferSelectModel<Of>;
}
