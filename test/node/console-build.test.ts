// Compares the committed build of the console with its sources and its budget (docs/console.md): it
// is built from these sources, and its page has a strict content security policy.
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { describe, expect, it } from "vitest";
import { DIGEST_FILE, digestOfAssets, digestOfSources, PAGE } from "../../console/build/digests.ts";

const BUILD = join(import.meta.dirname, "../../public/console");
const FIRST_LOAD_BYTES = 180 * 1024;
const page = readFileSync(PAGE, "utf8");

/** Returns the scripts that the page loads before it shows anything. */
function firstScripts(): string[] {
  const named = page.matchAll(/(?:src|href)="\/console\/assets\/\w+\/([^"]+\.js)"/g);
  return Array.from(named, ([, name = ""]) => join("assets", name));
}

describe("the committed build of the console", () => {
  it("is made from these sources; otherwise run `npm run console`", () => {
    expect(readFileSync(DIGEST_FILE, "utf8").trim()).toBe(digestOfSources());
  });

  it("has all its files below its digest, and they name each other by relative paths", () => {
    const loaded = [...page.matchAll(/"\/console\/assets\/([^"]*)\/[^"/]+"/g)];
    expect(new Set(loaded.map(([, digest]) => digest))).toEqual(new Set([digestOfAssets()]));
    expect(page.match(/assets\//g)).toHaveLength(loaded.length);
    for (const name of readdirSync(join(BUILD, "assets")))
      expect(readFileSync(join(BUILD, "assets", name), "utf8")).not.toContain("/console/assets");
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
