// Runs before every test file of the worker. The files share a workerd and its isolate, so each
// begins with migrated, empty databases, and ends by silencing the worker and emptying the store.
// A file that used no store leaves it to the next file. Each test ends by restoring its mocks and
// its clock.
import { type D1Migration, reset } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { afterAll, afterEach, expect, vi } from "vitest";
import { shardDatabases } from "../../src/db/client.ts";
import { allCores, teamNumbersOf } from "../../src/db/core-shards.ts";
import type { Env } from "../../src/env.ts";
import { takeDeliveryProblems } from "./delivery-harness.ts";
import { keepWorkerModule } from "./isolate.ts";

const bindings = env as unknown as Env & {
  TEST_CORE_MIGRATIONS: D1Migration[];
  TEST_SHARD_MIGRATIONS: D1Migration[];
};
const shards = shardDatabases(bindings);
const cores = allCores(bindings);

/** The most teams that one test file creates on one core shard. */
const TEAMS_PER_FILE = 300;

const isolate = globalThis as {
  filesBefore?: number;
  vitestConsole?: Console;
  /** True once a test, or work that it began, has used a database, an object or the bucket. */
  isStoreUsed?: boolean;
};

keepWorkerModule();

if (isolate.isStoreUsed !== false) {
  await migrateAll().catch(async () => {
    // If the file before this one could not be loaded, its afterAll() has not emptied the store.
    await emptyStore();
    await migrateAll();
  });
  await reserveNumbers();
  if (isolate.isStoreUsed === undefined) watchStore();
  isolate.isStoreUsed = false;
}

// Work of a test file, such as an alarm or a queue batch, may go on after the file has ended and
// Vitest's connection is closed. A line that it then sent to Vitest would fail the run.
globalThis.console = isolate.vitestConsole ??= globalThis.console;
const silent = new Proxy(globalThis.console, { get: () => () => undefined });

// Vitest runs a test file's own hooks before this hook.
afterEach(() => {
  restoreMocks();
  expect(takeDeliveryProblems()).toEqual([]);
});

afterAll(async () => {
  restoreMocks();
  globalThis.console = silent;
  if (isolate.isStoreUsed) await emptyStore();
});

function restoreMocks(): void {
  vi.useRealTimers();
  vi.restoreAllMocks();
  vi.unstubAllGlobals();
}

/**
 * Gives each test file team numbers that no earlier file has used, because an isolate caches for a
 * minute which team has which number.
 */
async function reserveNumbers(): Promise<void> {
  isolate.filesBefore = (isolate.filesBefore ?? -1) + 1;
  const seen = isolate.filesBefore * TEAMS_PER_FILE;
  await Promise.all(
    cores.map((core, shard) =>
      core
        .prepare("INSERT INTO sqlite_sequence (name, seq) VALUES ('teams', ?)")
        .bind(teamNumbersOf(shard).first + seen - 1)
        .run(),
    ),
  );
}

/**
 * Notes each use of a binding that stores something. All bindings of a kind share their methods.
 */
function watchStore(): void {
  for (const binding of [bindings.DB, bindings.TEAM_LEDGER, bindings.CONTENT]) {
    const methods = Object.getPrototypeOf(binding) as Record<string, unknown>;
    for (const name of ["prepare", "batch", "exec", "withSession", "get", "getByName", "put"]) {
      const method = methods[name];
      if (typeof method !== "function") continue;
      methods[name] = function noting(...given: unknown[]): unknown {
        isolate.isStoreUsed = true;
        return Reflect.apply(method, this, given) as unknown;
      };
    }
  }
}

async function migrateAll(): Promise<void> {
  await Promise.all(cores.map((core) => migrate(core, bindings.TEST_CORE_MIGRATIONS)));
  await Promise.all(shards.map((shard) => migrate(shard, bindings.TEST_SHARD_MIGRATIONS)));
}

/** Runs all statements in one transaction, which is much faster than one by one. */
async function migrate(database: D1Database, migrations: readonly D1Migration[]): Promise<void> {
  await database.batch(
    migrations.flatMap(({ queries }) => queries.map((query) => database.prepare(query))),
  );
}

/**
 * Deletes all databases, and all objects that are awake. `reset` skips what workerd has put to
 * sleep, so the databases are woken first.
 */
async function emptyStore(): Promise<void> {
  await Promise.all([...cores, ...shards].map((database) => database.prepare("SELECT 1").run()));
  await reset();
}
