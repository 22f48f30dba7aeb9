// Brings the local databases to the current schema (apply-migrations.ts). Does nothing if they
// already have it.
import { createHash } from "node:crypto";
import { existsSync, mkdirSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { Child } from "../harness/child.ts";
import { readStateFile, writeStateFile } from "./state-file.ts";
import { ROOT, StartProblem } from "./dev-settings.ts";
import { wranglerEnvironment } from "./local-wrangler.ts";

const APPLY = fileURLToPath(import.meta.resolve("./apply-migrations.ts"));

/** The binding and the migrations folder of each database. The number of shards may be any. */
const DATABASES = Array.from(
  readFileSync(join(ROOT, "wrangler.toml"), "utf8").matchAll(
    /^binding = "(DB|(?:CORE|SHARD)_\d+)"/gm,
  ),
  ([, binding = ""]) => ({
    binding,
    directory: binding.startsWith("SHARD_") ? "migrations/shard" : "migrations/core",
  }),
);

export interface MigrationPaths {
  /** Directory for wrangler's own files. */
  readonly state: string;
  /** Directory where wrangler keeps the databases. */
  readonly persistTo: string;
  /** The file that records the schema after the last migration. */
  readonly record: string;
}

/**
 * Returns true if the databases had to be migrated. Throws a StartProblem with the database's error
 * text if a migration fails or `stop` aborts it.
 */
export async function migrate(place: MigrationPaths, stop: AbortSignal): Promise<boolean> {
  const schema = fingerprint();
  const known = readStateFile(place.record) as { schema: string } | undefined;
  if (known?.schema === schema && existsSync(join(place.persistTo, "v3", "d1"))) return false;
  await applyMigrations(place, stop);
  writeStateFile(place.record, { schema });
  return true;
}

function fingerprint(): string {
  const hash = createHash("sha256");
  for (const { binding, directory } of DATABASES) {
    hash.update(`${binding}\n`);
    const files = readdirSync(join(ROOT, directory)).filter((file) => file.endsWith(".sql"));
    for (const file of files.toSorted())
      hash.update(`${directory}/${file}\n`).update(readFileSync(join(ROOT, directory, file)));
  }
  return hash.digest("hex");
}

/** Applies the missing migrations to these databases, or to all if `bindings` is empty. */
export async function applyMigrations(
  { state, persistTo }: Omit<MigrationPaths, "record">,
  stop: AbortSignal,
  bindings: readonly string[] = [],
): Promise<void> {
  mkdirSync(state, { recursive: true });
  const args = ["--no-warnings", APPLY, persistTo, join(state, "databases.json"), ...bindings];
  const env = wranglerEnvironment(state);
  const child = new Child(null, process.execPath, args, { env, inherits: true });
  const kill = (): void => child.kill();
  stop.addEventListener("abort", kill);
  if (stop.aborted) kill();
  const code = await child.ended;
  stop.removeEventListener("abort", kill);
  if (code !== 0)
    throw new StartProblem(
      `the databases could not be migrated:\n${child.lines.join("\n").trim()}`,
    );
}
