// Writes the imports of types in the generated files. The operator's files take what a team's API
// has too from the package.

/** The types that the package exports. */
export interface PackageTypes {
  readonly names: ReadonlySet<string>;
  /** The path from the written file to the package's. */
  readonly path: string;
}

/** Returns the text that imports these types, those without a file of their own from the package. */
export function importTypes(
  names: readonly string[],
  ownPath: string,
  shared: PackageTypes | undefined,
): string {
  const groups = Map.groupBy(names.toSorted(), (name) =>
    shared?.names.has(name) ? shared.path : ownPath,
  );
  return [...groups]
    .map(
      ([path, own]) =>
        `import type {\n${own.map((one) => `  ${one},\n`).join("")}} from "${path}";`,
    )
    .toSorted()
    .join("\n");
}
