// Step: the databases exist and have the current schema. This step comes before the worker's
// deployment, because the worker needs the schema. wrangler finds the databases by name, so
// wrangler.toml has no ids.
import type { Context, Step } from "../setup-context.ts";
import { jurisdictionArguments } from "./jurisdiction-arguments.ts";
import type { Database } from "../deploy-config.ts";
import { member } from "../json-call.ts";
import { NEEDS_D1, pendingMigrations } from "../account/applied-migrations.ts";
import { complaintOf, printed, type Wrangler } from "../run-wrangler.ts";
import { SetupProblem } from "../setup-problem.ts";

export const databases: Step = {
  name: "databases",
  plan: ({ config }) => [
    "create the missing databases, and apply the missing migrations to each: " +
      config.databases.map(({ name, migrations }) => `${name} (${migrations.length})`).join(", "),
  ],
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
      if (!isThere) await create(context, database);
      if (pending.length > 0)
        await wrangler.must(["d1", "migrations", "apply", database.binding, "--remote"], NEEDS_D1);
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
  const rows = await wrangler.json(["d1", "list", "--json"], NEEDS_D1);
  return new Set((Array.isArray(rows) ? rows : []).map((row) => String(member(row, "name"))));
}

async function create({ wrangler, settings }: Context, { name }: Database): Promise<void> {
  const ran = await wrangler.run(["d1", "create", name, ...jurisdictionArguments(settings)]);
  if (ran.code === 0 || printed(ran, /already exists/i)) return;
  throw new SetupProblem(
    `the database ${name}: ${complaintOf(ran)}`,
    `wrangler's login needs ${NEEDS_D1}; then run this again`,
  );
}

function count(migrations: number): string {
  return migrations === 1 ? "1 migration" : `${migrations} migrations`;
}
