// Writes the type imports of the generated files. Types that the operator's files share with the
// team's API are imported from the package.

/** The types that the package exports. */
export interface PackageTypes {
  readonly names: ReadonlySet<string>;
  /** The path from the written file to the package. */
  readonly path: string;
}

/**
 * Returns the import statements for these types. Types without a file of their own come from the
 * package.
 */
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
