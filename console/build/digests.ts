// Computes two digests for the console's build: one of its source files, and one of the built
// files. A digest depends only on the names and contents of the files.
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
const BUILD = "public/console";
const DIGITS = 16;

export const PAGE = join(ROOT, BUILD, "index.html");

/** The file with the digest of the sources from which the committed build was made. */
export const DIGEST_FILE = join(ROOT, BUILD, "sources.sha256");

/** Returns the digest as hexadecimal digits. */
export function digestOfSources(): string {
  return digestOf(SOURCES);
}

export function digestOfAssets(): string {
  return digestOf([`${BUILD}/assets`]).slice(0, DIGITS);
}

function digestOf(paths: readonly string[]): string {
  const hash = createHash("sha256");
  for (const path of paths.flatMap(filesAt).toSorted()) {
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
