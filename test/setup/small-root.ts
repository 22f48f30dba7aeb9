// A root directory for the runs of set-up: this repository's wrangler.toml and migrations, and few
// sources, because set-up reads all sources of a deployment in each run.
import { copyFileSync, mkdirSync, mkdtempSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

const ROOT = join(import.meta.dirname, "../..");

export const SMALL_ROOT = mkdtempSync(join(tmpdir(), "small-root-"));

for (const name of ["src", "public"]) {
  mkdirSync(join(SMALL_ROOT, name));
  writeFileSync(join(SMALL_ROOT, name, "one"), name);
}
for (const name of ["wrangler.toml", "package-lock.json"])
  copyFileSync(join(ROOT, name), join(SMALL_ROOT, name));
symlinkSync(join(ROOT, "migrations"), join(SMALL_ROOT, "migrations"));
