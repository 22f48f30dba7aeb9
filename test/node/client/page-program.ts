// The snippets of a page in TypeScript as one program that uses the package as it is here.
import { readFileSync } from "node:fs";
import { join } from "node:path";

const ROOT = join(import.meta.dirname, "../../..");
const CLIENT = join(ROOT, "packages/postern/src/client/postern.ts");

export function programOf(page: string): string {
  const text = readFileSync(join(ROOT, page), "utf8");
  const snippets = Array.from(
    text.matchAll(/^```ts\n([^]*?)^```$/gm),
    ([, snippet = ""]) => snippet,
  );
  if (snippets.length === 0) throw new Error(`${page} has no snippets`);
  return snippets.join("\n").replaceAll('from "postern"', `from ${JSON.stringify(CLIENT)}`);
}
