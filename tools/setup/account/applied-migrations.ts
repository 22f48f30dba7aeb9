// Finds the migrations of a database that were not applied yet. Changes nothing.
import type { Database } from "../deploy-config.ts";
import { member } from "../json-call.ts";
import {
  type CommandResult,
  complaintOf,
  parseOutput,
  printed,
  type Wrangler,
} from "../run-wrangler.ts";
import { CallProblem } from "../setup-problem.ts";

export const NEEDS_D1 = "Account · D1 · Edit";
const QUERY = "SELECT name FROM d1_migrations";

/** Returns the names of the migrations. Throws a CallProblem if the database can't be read. */
export async function pendingMigrations(
  wrangler: Wrangler,
  { binding, name, migrations }: Database,
): Promise<readonly string[]> {
  const ran = await executeSql(wrangler, binding, QUERY);
  if (ran.code !== 0) {
    if (printed(ran, /no such table/i)) return migrations;
    throw new CallProblem(
      `the migrations of ${name}: ${complaintOf(ran)}`,
      `wrangler's login needs ${NEEDS_D1}; then run this again`,
    );
  }
  const applied = new Set(rowsOf(ran).map((row) => String(member(row, "name"))));
  return migrations.filter((migration) => !applied.has(migration));
}

/** Runs a statement on a database, and returns the result, even if the statement failed. */
export function executeSql(
  wrangler: Wrangler,
  binding: string,
  sql: string,
): Promise<CommandResult> {
  return wrangler.run(["d1", "execute", binding, "--remote", "--json", "--command", sql]);
}

/** Returns the rows of executeSql(). Before them, the output may have wrangler's messages. */
export function rowsOf({ stdout }: CommandResult): unknown[] {
  const results = parseOutput(stdout, "[", "wrangler d1 execute");
  const rows = member(Array.isArray(results) ? results[0] : undefined, "results");
  return Array.isArray(rows) ? rows : [];
}
