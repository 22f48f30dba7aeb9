// Applies both databases' migrations once per test file, before its first test.
import { applyD1Migrations, type D1Migration } from "cloudflare:test";
import { env } from "cloudflare:workers";
import type { Env } from "../../src/env.ts";

const bindings = env as unknown as Env & { TEST_CORE_MIGRATIONS: D1Migration[]; TEST_HISTORY_MIGRATIONS: D1Migration[] };

await applyD1Migrations(bindings.DB, bindings.TEST_CORE_MIGRATIONS);
await applyD1Migrations(bindings.HISTORY_0, bindings.TEST_HISTORY_MIGRATIONS);
