// Joins the TypeScript snippets of a documentation page into one program.
import { readFileSync } from "node:fs";
import { join } from "node:path";

const ROOT = join(import.meta.dirname, "../../..");
const CLIENT = join(ROOT, "packages/postern/src/client/postern.ts");

/**
 * Joins the TypeScript snippets of a documentation page into one program, without changing them.
 */
export function snippetsOf(page: string): string {
  const text = readFileSync(join(ROOT, page), "utf8");
  const snippets = Array.from(
    text.matchAll(/^```ts\n([^]*?)^```$/gm),
    ([, snippet = ""]) => snippet,
  );
  if (snippets.length === 0) throw new Error(`${page} has no snippets`);
  return snippets.join("\n");
}

/**
 * Returns the program with the package's sources in place of the package, so that no build is
 * needed.
 */
export function programOf(page: string): string {
  return snippetsOf(page).replaceAll('from "postern"', `from ${JSON.stringify(CLIENT)}`);
}
