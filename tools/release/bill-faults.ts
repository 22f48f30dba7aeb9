// Checks a bill of materials (CycloneDX) against its lockfile: each package that can be installed must
// be a component.
export interface MaterialsBill {
  readonly bomFormat: string;
  readonly specVersion: string;
  readonly metadata: { readonly component: Component };
  readonly components?: readonly Component[];
}

interface Component {
  readonly "bom-ref": string;
  readonly purl?: string;
}

export interface Lockfile {
  readonly packages: Record<string, { name?: string; version?: string; link?: boolean }>;
}

/** Returns the faults of a bill for this lockfile. */
export function faultsOf(
  { bomFormat, specVersion, metadata, components = [] }: MaterialsBill,
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
