// Makes the bill of materials (CycloneDX) of a lockfile with npm.
import { spawnSync } from "node:child_process";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { type MaterialsBill, faultsOf, type Lockfile } from "./bill-faults.ts";

/**
 * Returns the text of the bill. `folder` has the lockfile. `work` is an empty folder, because npm
 * describes the whole workspace if it runs inside it. `name` names the subject of the bill: the
 * repository and its package have the same name, but references must be unique.
 */
export function billOfMaterials(folder: string, work: string, name: string): string {
  const there = join(work, name);
  mkdirSync(there);
  const manifest = JSON.parse(readFileSync(join(folder, "package.json"), "utf8")) as object;
  writeFileSync(join(there, "package.json"), JSON.stringify({ ...manifest, name }));
  const lockfile = readFileSync(join(folder, "package-lock.json"), "utf8");
  writeFileSync(join(there, "package-lock.json"), lockfile);
  const { status, stdout, stderr } = spawnSync(
    "npm",
    ["sbom", "--sbom-format=cyclonedx", "--package-lock-only", "--loglevel=error"],
    { cwd: there, encoding: "utf8", maxBuffer: 2 ** 26 },
  );
  if (status !== 0) throw new Error(`npm sbom failed: ${stderr}`);
  const wrong = faultsOf(JSON.parse(stdout) as MaterialsBill, JSON.parse(lockfile) as Lockfile);
  if (wrong.length > 0) throw new Error(`the bill of materials ${wrong.join(", ")}`);
  return stdout;
}
