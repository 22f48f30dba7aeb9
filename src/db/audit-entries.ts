// Writes an entry of the audit trail (audit.ts) in the transaction of the change. The core
// databases and the shards have the same table. The statement after an insertion or a deletion
// stores the entry if a row was affected. The statement before an update compares the row with its
// new values and stores the entry. The statement after the update deletes the entry if no row was
// affected.
import { getTableColumns, type SQL, sql } from "drizzle-orm";
import type { BatchItem } from "drizzle-orm/batch";
import { drizzle } from "drizzle-orm/d1";
import type { SQLiteColumn, SQLiteTable } from "drizzle-orm/sqlite-core";
import { type AuditEntry, entryBy } from "../audit.ts";
import type { Scope } from "./client.ts";
import { auditEntries } from "./core-schema.ts";

/** Names what a request changed. */
export interface AuditTarget {
  readonly target: string | null;
  /** Names of members that the entry lists as changed in any case. */
  readonly changed?: readonly string[];
}

interface UpdatedRow<Table extends SQLiteTable> {
  readonly table: Table;
  /** The new values, by the row's member names. */
  readonly set: Readonly<Record<string, unknown>>;
  /** The condition under which the update changes these columns. */
  readonly where?: SQL;
}

/** A row before its update. `values` has the new values, by the names of the table's columns. */
interface ComparedRow {
  readonly table: string;
  readonly key: string;
  readonly id: string;
  readonly values: Readonly<Record<string, string | number | null>>;
  /** The member names that differ from the column's name, by column. */
  readonly members?: Readonly<Record<string, string>>;
  /**
   * A table with the same columns. A new row is compared with the row of the same id in this table,
   * because it begins as a copy of that row.
   */
  readonly copied?: string;
}

const JOINED = sql`(SELECT json_group_array(value) FROM (
  SELECT value FROM json_each(${auditEntries.changed}) UNION
  SELECT value FROM json_each(excluded.changed)))`;

/** Runs an insertion or a deletion, and stores its entry. Returns the result of `write`. */
export async function writeAudited<Write extends BatchItem<"sqlite">>(
  scope: Scope,
  about: AuditTarget,
  write: Write,
): Promise<Write["_"]["result"]> {
  const [result] = await drizzle(scope.db).batch([write, ...entriesAfter(scope, about)]);
  return result;
}

/**
 * Runs an update of one row, and stores its entry. `changed` of the entry names the columns of
 * `set` whose value differs from the row's. Returns the result of `write`.
 */
export async function updateAudited<Write extends BatchItem<"sqlite">, Table extends SQLiteTable>(
  scope: Scope,
  about: AuditTarget & { readonly target: string },
  { table, set, where }: UpdatedRow<Table>,
  write: Write,
): Promise<Write["_"]["result"]> {
  const { author } = scope;
  const orm = drizzle(scope.db);
  if (!author) return (await orm.batch([write]))[0];
  const entry = entryBy(author, about.target, about.changed);
  const columns = getTableColumns(table) as Record<string, SQLiteColumn>;
  const tests = Object.entries(set).flatMap(([name, value]) => {
    const column = columns[name];
    if (!column || column.name === "updated_at") return [];
    return [sql`iif(${column} IS NOT ${sql.param(value, column)}, ${column.name}, NULL)`];
  });
  const id = columns["id"]!;
  const names = jsonList([...tests, ...literals(entry.changed)]);
  const before = insertEntry(
    scope,
    selectEntry(scope.teamId, entry, {
      changed: sql`changed`,
      from: sql`FROM (SELECT ${names} AS changed FROM ${table}
        WHERE ${id} = ${about.target} AND ${where ?? sql`true`}) WHERE changed <> '[]'`,
    }),
  );
  const [, result] = await orm.batch([before, write, takeBack(scope, entry.id)]);
  return result;
}

/**
 * Returns a list with the statement that stores an entry. In the batch, this statement must follow
 * the insertion or deletion. Returns an empty list if the scope has no author.
 */
export function entriesAfter(scope: Scope, { target, changed }: AuditTarget) {
  if (!scope.author) return [];
  const entry = entryBy(scope.author, target, changed);
  const select = selectEntry(scope.teamId, entry, {
    changed: sql`${JSON.stringify(entry.changed)}`,
    from: sql`WHERE changes() > 0`,
  });
  return [insertEntry(scope, select)];
}

/** Returns the statements of entriesAfter(), prepared. */
export function prepareEntryAfter(scope: Scope, about: AuditTarget): D1PreparedStatement[] {
  return entriesAfter(scope, about).map((entry) => prepare(scope, entry));
}

/**
 * Returns the statements to run before and after an update of this row. Both lists are empty if the
 * scope has no author. An update that inserts a missing row counts as a change.
 */
export function prepareComparison(
  scope: Scope,
  about: AuditTarget,
  { table, key, id, values, members = {}, copied }: ComparedRow,
): { readonly before: D1PreparedStatement[]; readonly after: D1PreparedStatement[] } {
  const { author } = scope;
  if (!author) return { before: [], after: [] };
  const entry = entryBy(author, about.target, about.changed);
  const tests = Object.entries(values).map(([column, value]) => {
    const name = sql.identifier(column);
    const stored = copied
      ? sql`iif(isNew, (SELECT ${name} FROM ${sql.identifier(copied)} WHERE id = ${id}),
          row.${name})`
      : sql`row.${name}`;
    return sql`iif(${stored} IS NOT ${value}, ${members[column] ?? column}, NULL)`;
  });
  const found = sql`(SELECT 1 AS one) LEFT JOIN ${sql.identifier(table)} row
    ON row.${sql.identifier(key)} = ${id}`;
  const row = sql`(SELECT row.*, row.${sql.identifier(key)} IS NULL AS isNew FROM ${found}) row`;
  const names = jsonList([...tests, ...literals(entry.changed)]);
  const from = sql`FROM (SELECT isNew, ${names} AS changed FROM ${row})
    WHERE isNew OR changed <> '[]'`;
  const select = selectEntry(scope.teamId, entry, { changed: sql`changed`, from });
  return {
    before: [prepare(scope, insertEntry(scope, select))],
    after: [prepare(scope, takeBack(scope, entry.id))],
  };
}

/**
 * Stores the entry of a change that another database or object has made. Does not replace an entry
 * that is already stored.
 */
export async function storeEntry({ db, teamId }: Scope, entry: AuditEntry): Promise<void> {
  const { actor, ...facts } = entry;
  const { kind: actorKind, id: actorId, name: actorName } = actor;
  await drizzle(db)
    .insert(auditEntries)
    .values({ ...facts, teamId, actorKind, actorId, actorName })
    .onConflictDoNothing();
}

/**
 * Makes the insertion of an entry. A request has one entry, so a second change in the request adds
 * its names to the entry.
 */
function insertEntry(scope: Scope, select: SQL) {
  return drizzle(scope.db)
    .insert(auditEntries)
    .select(select)
    .onConflictDoUpdate({ target: auditEntries.id, set: { changed: JOINED } });
}

/** Selects the values of an entry, in the order of the table's columns. */
function selectEntry(
  teamId: string,
  { id, at, actor, via, operation, target, requestId }: AuditEntry,
  { changed, from }: { readonly changed: SQL; readonly from: SQL },
): SQL {
  return sql`SELECT ${id}, ${teamId}, ${at}, ${actor.kind}, ${actor.id}, ${actor.name}, ${via},
    ${operation}, ${target}, ${changed}, ${requestId} ${from}`;
}

/** Makes the statement that deletes the entry if the previous statement changed no row. */
function takeBack(scope: Scope, id: string) {
  return drizzle(scope.db)
    .delete(auditEntries)
    .where(sql`${auditEntries.id} = ${id} AND changes() = 0`);
}

function literals(names: readonly string[]): SQL[] {
  return names.map((name) => sql`${name}`);
}

/** Returns the JSON array of the values that are not null. */
function jsonList(values: readonly SQL[]): SQL {
  const all = sql.join([...values], sql`, `);
  return sql`(SELECT json_group_array(value) FROM json_each(json_array(${all}))
    WHERE value IS NOT NULL)`;
}

function prepare(scope: Scope, statement: { toSQL(): { sql: string; params: unknown[] } }) {
  const { sql: text, params } = statement.toSQL();
  return scope.db.prepare(text).bind(...params);
}
