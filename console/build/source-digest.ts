// Computes the digest of everything that the console's build is made from.
import { createHash } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const ROOT = fileURLToPath(new URL("../..", import.meta.url));
const SOURCES = [
  ...["index.html", "package.json", "vite.config.ts", "src", "public"].map(
    (one) => `console/${one}`,
  ),
  "packages/postern/src/generated",
  "packages/postern/src/request",
];

/** The file that the digest of the committed build's sources is in. */
export const DIGEST_FILE = fileURLToPath(
  new URL("../../public/console/sources.sha256", import.meta.url),
);

/** Returns the digest as hexadecimal digits. It depends on names and content alone. */
export function digestOfSources(): string {
  const hash = createHash("sha256");
  for (const path of SOURCES.flatMap(filesAt).toSorted()) {
    hash.update(`${path}\0`);
    hash.update(readFileSync(join(ROOT, path)));
  }
  return hash.digest("hex");
}

function filesAt(path: string): string[] {
  if (path.includes(".")) return [path];
  return readdirSync(join(ROOT, path), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(ROOT.length));
}
