// Ties the promises of docs/threat-model.md to tests. Each row names at least one test. The named
// file has a test with the named title, and this test is not skipped.
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import ts from "typescript";
import { describe, expect, it } from "vitest";
import { INNER, STACKS } from "../rings/rings.ts";
import { titlesOfTests } from "./comment-rules.ts";
import { ROOT } from "./source-files.ts";

const PROMISES_MIN = 15;

const page = readFileSync(join(ROOT, "docs/threat-model.md"), "utf8");
const [, part = ""] = page.split("\n## The promises\n");
const rows = (part.split("\n## ", 1)[0] ?? "")
  .split("\n")
  .filter((line) => /^\| \d+ \|/.test(line));

interface NamedTest {
  readonly path: string;
  readonly title: string;
}

/**
 * Returns the tests that a row names. Text that names no test is returned as a path that does not
 * exist.
 */
function namedIn(row: string): NamedTest[] {
  const [, , tests = ""] = row.replace(/ \|$/, "").split(" | ");
  return tests.split("; ").flatMap((text) => {
    const [, path = text, titles = '"?"'] = /^`([^`]+)`: ("[^"]+"(?:, "[^"]+")*)$/.exec(text) ?? [];
    return [...titles.matchAll(/"([^"]+)"/g)].map(([, title = ""]) => ({ path, title }));
  });
}

/**
 * Returns the titles of a file's tests that are not skipped, as written. A missing file has no
 * titles.
 */
function titlesOf(path: string): string[] {
  if (!existsSync(join(ROOT, path))) return [];
  const text = readFileSync(join(ROOT, path), "utf8");
  const tree = ts.createSourceFile(path, text, ts.ScriptTarget.ESNext);
  return titlesOfTests(tree, ["it"], ["each"]);
}

describe("the promises of docs/threat-model.md", () => {
  it("are numbered", () => {
    expect(rows.length).toBeGreaterThanOrEqual(PROMISES_MIN);
    expect(rows.map((row) => Number(row.split(" | ")[0]?.slice(2)))).toEqual(
      rows.map((_, index) => index + 1),
    );
  });

  it("say which ring runs their tests", () => {
    const ringsOf = (row: string) =>
      [INNER, STACKS]
        .filter(({ steps }) =>
          namedIn(row).some(({ path }) =>
            steps.some(({ folders }) => folders.some((folder) => path.startsWith(`${folder}/`))),
          ),
        )
        .map(({ name }) => name)
        .join(", ");
    const said = (row: string) => row.replace(/ \|$/, "").split(" | ")[3];
    expect(rows.map(said)).toEqual(rows.map(ringsOf));
  });

  it("name tests that are in their files under these titles and are not skipped", () => {
    const wrong = rows
      .flatMap(namedIn)
      .filter(({ path, title }) => !titlesOf(path).includes(title));
    expect(wrong).toEqual([]);
  });
});
