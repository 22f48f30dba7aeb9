// Holds the committed build of the console to its sources and to its budget (docs/console.md): it is
// built from what is here, and its page obeys a strict policy.
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { describe, expect, it } from "vitest";
import { DIGEST_FILE, digestOfSources } from "../../console/build/source-digest.ts";

const BUILD = join(import.meta.dirname, "../../public/console");
const FIRST_LOAD_BYTES = 180 * 1024;
const page = readFileSync(join(BUILD, "index.html"), "utf8");

/** The scripts that the page loads before it shows anything. */
function firstScripts(): string[] {
  const named = [...page.matchAll(/(?:src|href)="\/console\/(assets\/[^"]+\.js)"/g)];
  return named.map(([, path = ""]) => path);
}

describe("the committed build of the console", () => {
  it("is made from the sources that are here: else run `npm run console`", () => {
    expect(readFileSync(DIGEST_FILE, "utf8").trim()).toBe(digestOfSources());
  });

  it("loads at most 180 KB of gzipped script before its first paint", () => {
    const scripts = firstScripts();
    expect(scripts.length).toBeGreaterThan(0);
    const bytes = scripts.map((path) => gzipSync(readFileSync(join(BUILD, path))).length);
    expect(bytes.reduce((sum, one) => sum + one, 0)).toBeLessThanOrEqual(FIRST_LOAD_BYTES);
  });

  it("has no inline script or style, and nothing from another origin", () => {
    expect(page).not.toMatch(/<script(?![^>]*\ssrc=)[^>]*>|<style|\son[a-z]+=|style="/i);
    expect(page).not.toMatch(/(?:src|href)="(?!\/console\/)/);
    const styles = readdirSync(join(BUILD, "assets")).filter((name) => name.endsWith(".css"));
    for (const name of styles)
      expect(readFileSync(join(BUILD, "assets", name), "utf8")).not.toMatch(/url\((?!["']?data:)/);
  });
});
