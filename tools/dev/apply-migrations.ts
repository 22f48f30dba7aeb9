// Applies the missing migrations to each local database, or only to the databases with the given
// bindings: `node tools/dev/apply-migrations.ts <wrangler's state directory> <settings file to
// write> [<binding>…]`. One process migrates all databases, because wrangler's own command takes
// one to two seconds for each. The table of applied migrations is the same as wrangler's, so
// wrangler's commands also work on these databases.
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { getPlatformProxy, unstable_readConfig, unstable_splitSqlQuery } from "wrangler";
import { ROOT } from "./dev-settings.ts";

const APPLIED = "d1_migrations";
const NEW_TABLE =
  `CREATE TABLE IF NOT EXISTS ${APPLIED} (id INTEGER PRIMARY KEY AUTOINCREMENT, name TEXT ` +
  "UNIQUE, applied_at TIMESTAMP DEFAULT CURRENT_TIMESTAMP NOT NULL)";

/** The members of a D1 database that this program uses. */
interface Database {
  prepare(sql: string): Statement;
  batch(statements: readonly Statement[]): Promise<unknown>;
}

interface Statement {
  bind(...values: readonly string[]): Statement;
  run(): Promise<unknown>;
  all(): Promise<{ readonly results: readonly { readonly name: string }[] }>;
}

const [persistTo = "", configPath = "", ...bindings] = process.argv.slice(2);
const { d1_databases: databases, compatibility_date: date } = unstable_readConfig({
  config: join(ROOT, "wrangler.toml"),
});
// The settings file omits the rest of wrangler.toml, because wrangler warns about Durable Objects
// if the script does not export them.
writeFileSync(
  configPath,
  JSON.stringify({ name: "postern", compatibility_date: date, d1_databases: databases }),
);
const { env, dispose } = await getPlatformProxy<Record<string, Database>>({
  configPath,
  persist: { path: join(persistTo, "v3") },
});
try {
  for (const { binding, migrations_dir: folder = "migrations" } of databases)
    if (bindings.length === 0 || bindings.includes(binding))
      await bringUp(env[binding] as Database, join(ROOT, folder));
} finally {
  await dispose();
}

/** Runs each migration in one transaction, as wrangler does. */
async function bringUp(database: Database, folder: string): Promise<void> {
  await database.prepare(NEW_TABLE).run();
  const applied = new Set(
    (await database.prepare(`SELECT name FROM ${APPLIED}`).all()).results.map(({ name }) => name),
  );
  const missing = readdirSync(folder).filter((file) => file.endsWith(".sql") && !applied.has(file));
  for (const file of missing.toSorted()) {
    const statements = unstable_splitSqlQuery(readFileSync(join(folder, file), "utf8")).map((sql) =>
      database.prepare(sql),
    );
    await database.batch([
      ...statements,
      database.prepare(`INSERT INTO ${APPLIED} (name) VALUES (?)`).bind(file),
    ]);
  }
}
