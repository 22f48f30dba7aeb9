// Makes the bill of materials (CycloneDX) of a lockfile with npm, and checks it against the
// lockfile: each package that can be installed must be a component.
import { spawnSync } from "node:child_process";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";

interface Bill {
  readonly bomFormat: string;
  readonly specVersion: string;
  readonly metadata: { readonly component: Component };
  readonly components?: readonly Component[];
}

interface Component {
  readonly "bom-ref": string;
  readonly purl?: string;
}

interface Lockfile {
  readonly packages: Record<string, { name?: string; version?: string; link?: boolean }>;
}

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
  const wrong = faultsOf(JSON.parse(stdout) as Bill, JSON.parse(lockfile) as Lockfile);
  if (wrong.length > 0) throw new Error(`the bill of materials ${wrong.join(", ")}`);
  return stdout;
}

/** Returns what is wrong or missing in a bill of this lockfile. */
export function faultsOf(
  { bomFormat, specVersion, metadata, components = [] }: Bill,
  { packages }: Lockfile,
): string[] {
  const references = [metadata.component, ...components].map((one) => one["bom-ref"]);
  const there = new Set(references);
  const missing = Object.entries(packages)
    .filter(([path, { link }]) => path.includes("node_modules/") && link !== true)
    .map(
      ([path, { name, version }]) => `${name ?? path.replace(/^.*node_modules\//, "")}@${version}`,
    )
    .filter((reference) => !there.has(reference));
  return [
    ...(bomFormat === "CycloneDX" && /^1\.\d$/.test(specVersion) ? [] : ["is not CycloneDX 1"]),
    ...(components.length > 0 ? [] : ["has no components"]),
    ...(there.size === references.length ? [] : ["has the same reference twice"]),
    ...components
      .filter(({ purl }) => purl === undefined)
      .map((one) => `lacks the purl of ${one["bom-ref"]}`),
    ...missing.map((reference) => `lacks ${reference}`),
  ];
}
