// Runs before every test file of the worker. The files share a workerd and its isolate, so each begins by bringing empty databases to the present schema (all
// statements in one transaction, which is much faster than one by one) and ends by taking back what it has replaced and deleting every database and object.
import { type D1Migration, reset } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { afterAll, vi } from "vitest";
import { historyShards } from "../../src/db/client.ts";
import type { Env } from "../../src/env.ts";
import "./rsa-keys.ts";

const bindings = env as unknown as Env & { TEST_CORE_MIGRATIONS: D1Migration[]; TEST_HISTORY_MIGRATIONS: D1Migration[] };

await Promise.all([
  migrate(bindings.DB, bindings.TEST_CORE_MIGRATIONS),
  ...historyShards(bindings).map((shard) => migrate(shard, bindings.TEST_HISTORY_MIGRATIONS)),
]);

afterAll(async () => {
  vi.useRealTimers();
  vi.restoreAllMocks();
  vi.unstubAllGlobals();
  await reset();
});

async function migrate(database: D1Database, migrations: readonly D1Migration[]): Promise<void> {
  await database.batch(migrations.flatMap(({ queries }) => queries.map((query) => database.prepare(query))));
}
