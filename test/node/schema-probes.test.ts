// Compares the probes of src/db/schema-probes.ts with the migrations: the newest migration of each
// kind of database makes what its probe reads.
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { expect, it } from "vitest";
import { CORE_PROBE, SHARD_PROBE } from "../../src/db/schema-probes.ts";

const ROOT = join(import.meta.dirname, "../../migrations");

it.each([
  ["core", CORE_PROBE],
  ["shard", SHARD_PROBE],
])("the probe of %s fails without the newest migration, and only then", (folder, probe) => {
  const files = readdirSync(join(ROOT, folder)).filter((file) => file.endsWith(".sql"));
  const database = new DatabaseSync(":memory:");
  for (const file of files.toSorted()) {
    expect(() => database.prepare(probe).all()).toThrow(/no such (?:table|column)/);
    database.exec(readFileSync(join(ROOT, folder, file), "utf8"));
  }
  expect(database.prepare(probe).all()).toBeDefined();
  database.close();
});
