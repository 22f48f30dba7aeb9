// The snippets of a page in TypeScript as one program.
import { readFileSync } from "node:fs";
import { join } from "node:path";

const ROOT = join(import.meta.dirname, "../../..");
const CLIENT = join(ROOT, "packages/postern/src/client/postern.ts");

/** Returns the program as the page has it. */
export function snippetsOf(page: string): string {
  const text = readFileSync(join(ROOT, page), "utf8");
  const snippets = Array.from(
    text.matchAll(/^```ts\n([^]*?)^```$/gm),
    ([, snippet = ""]) => snippet,
  );
  if (snippets.length === 0) throw new Error(`${page} has no snippets`);
  return snippets.join("\n");
}

/** Returns the program with the package as it is here, which needs no build. */
export function programOf(page: string): string {
  return snippetsOf(page).replaceAll('from "postern"', `from ${JSON.stringify(CLIENT)}`);
}
