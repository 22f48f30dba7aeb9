// Finds the migrations of a database that were not applied yet. Changes nothing.
import type { Database } from "../deploy-config.ts";
import { member } from "../json-call.ts";
import { complaintOf, parseOutput, type Wrangler } from "../run-wrangler.ts";
import { CallProblem } from "../setup-problem.ts";

export const NEEDS_D1 = "Account · D1 · Edit";
const QUERY = "SELECT name FROM d1_migrations";

/** Returns the names of the migrations. Throws a CallProblem if the database can't be read. */
export async function pendingMigrations(
  wrangler: Wrangler,
  { binding, name, migrations }: Database,
): Promise<readonly string[]> {
  const ran = await wrangler.run([
    "d1",
    "execute",
    binding,
    "--remote",
    "--json",
    "--command",
    QUERY,
  ]);
  const text = `${ran.stdout}${ran.stderr}`;
  if (ran.code !== 0) {
    if (/no such table/i.test(text)) return migrations;
    throw new CallProblem(
      `the migrations of ${name}: ${complaintOf(ran)}`,
      `wrangler's login needs ${NEEDS_D1}; then run this again`,
    );
  }
  const applied = new Set(rowsOf(ran.stdout).map((row) => String(member(row, "name"))));
  return migrations.filter((migration) => !applied.has(migration));
}

/**
 * Parses the output of `d1 execute --json`, and returns the rows of the first statement. Before the
 * JSON there may be lines with wrangler's messages.
 */
export function rowsOf(stdout: string): unknown[] {
  const results = parseOutput(stdout, "[", "wrangler d1 execute");
  const rows = member(Array.isArray(results) ? results[0] : undefined, "results");
  return Array.isArray(rows) ? rows : [];
}
