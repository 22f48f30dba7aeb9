// Checks that the tests of the inner ring (`npm test`) start no program: they import no module that
// starts one, neither directly nor through other files.
import { expect, it } from "vitest";
import { ownFiles, type SourceFile } from "./source-files.ts";

const INNER = /^test\/(?:unit|api|pipeline|node|gateway|dev|setup|tidy)\/.*\.test\.ts$/;
const STARTERS = /^(?:node:)?(?:child_process|cluster|worker_threads|miniflare|wrangler|esbuild)$/;

const files = new Map(ownFiles().map((file) => [file.path, file]));

/** Returns the modules that a file imports as values, also those that it imports when it runs. */
function importedBy({ imports, text }: SourceFile): readonly string[] {
  const later = Array.from(text.matchAll(/\bimport\("([^"]+)"\)/g), ([, name = ""]) => name);
  return [...imports.filter(({ typeOnly }) => !typeOnly).map(({ target }) => target), ...later];
}

/** Returns the imports on the way from the file to a starter, or null if nothing leads there. */
function wayToStarter(file: SourceFile, seen: Set<string>): readonly string[] | null {
  seen.add(file.path);
  for (const target of importedBy(file)) {
    if (STARTERS.test(target)) return [file.path, target];
    const next = seen.has(target) ? undefined : files.get(target);
    const rest = next && wayToStarter(next, seen);
    if (rest) return [file.path, ...rest];
  }
  return null;
}

it("a test of the inner ring imports nothing that starts a program", () => {
  const inner = [...files.values()].filter(({ path }) => INNER.test(path));
  expect(inner.length).toBeGreaterThan(300);
  const ways = inner.flatMap((file) => wayToStarter(file, new Set())?.join(" → ") ?? []);
  expect(ways).toEqual([]);
});
