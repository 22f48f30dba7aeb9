// `npm run operator`: writes the operator's tables (src/operator) into the files that repeat them.
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { GENERATED } from "./generated-text.ts";

const ROOT = join(import.meta.dirname, "../..");

for (const [path, edit] of Object.entries(GENERATED)) {
  const text = readFileSync(join(ROOT, path), "utf8");
  const edited = edit(text);
  if (edited === text) continue;
  writeFileSync(join(ROOT, path), edited);
  process.stdout.write(`${path}\n`);
}
