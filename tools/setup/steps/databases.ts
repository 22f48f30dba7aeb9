// Step: the databases exist and have the present schema. This step comes before the worker's
// deployment, because the worker needs the schema. wrangler finds the databases by name, so
// wrangler.toml has no ids.
import type { Context, Step } from "../setup-context.ts";
import type { Database } from "../deploy-config.ts";
import { member } from "../json-call.ts";
import { complaintOf, type Wrangler } from "../run-wrangler.ts";
import { CallProblem, SetupProblem } from "../setup-problem.ts";

const NEEDS = "Account · D1 · Edit";

export const databases: Step = {
  name: "databases",
  plan: ({ config }) => ({
    detail:
      "create the missing databases, and apply the missing migrations to each: " +
      config.databases.map(({ name, migrations }) => `${name} (${migrations.length})`).join(", "),
  }),
  async run(context) {
    const { wrangler, config, dryRun } = context;
    context.databases = await present(wrangler);
    const done: string[] = [];
    const would: string[] = [];
    for (const database of config.databases) {
      const isThere = context.databases.has(database.name);
      const pending = isThere ? await pendingMigrations(wrangler, database) : database.migrations;
      const what = [
        ...(isThere ? [] : [`create ${database.name}`]),
        ...(pending.length > 0
          ? [`apply ${pending.join(", ")} to ${isThere ? database.name : "it"}`]
          : []),
      ];
      if (what.length === 0) continue;
      would.push(what.join(" and "));
      if (dryRun) continue;
      if (!isThere) await create(wrangler, database);
      if (pending.length > 0)
        await wrangler.must(["d1", "migrations", "apply", database.binding, "--remote"], NEEDS);
      done.push(`${database.name}: ${isThere ? "" : "created, "}${count(pending.length)} applied`);
    }
    const names = config.databases.map(({ name }) => name).join(" and ");
    if (would.length === 0) return { kind: "already", detail: `${names}, with the present schema` };
    if (dryRun) return { kind: "would", detail: would.join("; ") };
    return { kind: isNew(context) ? "done" : "changed", detail: done.join("; ") };
  },
};

function isNew({ config, databases: before }: Context): boolean {
  return config.databases.some(({ name }) => !before.has(name));
}

async function present(wrangler: Wrangler): Promise<Set<string>> {
  const rows = await wrangler.json(["d1", "list", "--json"], NEEDS);
  return new Set((Array.isArray(rows) ? rows : []).map((row) => String(member(row, "name"))));
}

async function create(wrangler: Wrangler, { name }: Database): Promise<void> {
  const ran = await wrangler.run(["d1", "create", name]);
  if (ran.code === 0 || /already exists/i.test(`${ran.stdout}${ran.stderr}`)) return;
  throw new SetupProblem(
    `the database ${name}: ${complaintOf(ran)}`,
    `wrangler's login needs ${NEEDS}; then run this again`,
  );
}

/**
 * Returns the migrations that were not applied yet. A dry run may call this, because it changes
 * nothing.
 */
async function pendingMigrations(
  wrangler: Wrangler,
  database: Database,
): Promise<readonly string[]> {
  const query = [
    "d1",
    "execute",
    database.binding,
    "--remote",
    "--json",
    "--command",
    "SELECT name FROM d1_migrations",
  ];
  const ran = await wrangler.run(query);
  const text = `${ran.stdout}${ran.stderr}`;
  if (ran.code !== 0) {
    if (/no such table/i.test(text)) return database.migrations;
    throw new CallProblem(
      `the migrations of ${database.name}: ${complaintOf(ran)}`,
      `wrangler's login needs ${NEEDS}; then run this again`,
    );
  }
  const applied = new Set(rowsOf(ran.stdout).map((row) => String(member(row, "name"))));
  return database.migrations.filter((migration) => !applied.has(migration));
}

/**
 * Parses the output of `d1 execute --json`, and returns the rows of the first statement. Before the
 * JSON there may be lines with wrangler's messages.
 */
export function rowsOf(stdout: string): unknown[] {
  const start = stdout.indexOf("[");
  const results = start === -1 ? [] : (JSON.parse(stdout.slice(start)) as unknown);
  const rows = member(Array.isArray(results) ? results[0] : undefined, "results");
  return Array.isArray(rows) ? rows : [];
}

function count(migrations: number): string {
  return migrations === 1 ? "1 migration" : `${migrations} migrations`;
}
