// Migrates every database once per test file, before its first test: all statements in one transaction, which is a good deal faster than one by one.
import type { D1Migration } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { historyShards } from "../../src/db/client.ts";
import type { Env } from "../../src/env.ts";

const bindings = env as unknown as Env & { TEST_CORE_MIGRATIONS: D1Migration[]; TEST_HISTORY_MIGRATIONS: D1Migration[] };

await Promise.all([
  migrate(bindings.DB, bindings.TEST_CORE_MIGRATIONS),
  ...historyShards(bindings).map((shard) => migrate(shard, bindings.TEST_HISTORY_MIGRATIONS)),
]);

async function migrate(database: D1Database, migrations: readonly D1Migration[]): Promise<void> {
  await database.batch(migrations.flatMap(({ queries }) => queries.map((query) => database.prepare(query))));
}
