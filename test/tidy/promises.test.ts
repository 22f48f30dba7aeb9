// Keeps the promises of docs/threat-model.md tied to tests: each row names at least one, which is
// in its file under that title and is not left out of the run.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import ts from "typescript";
import { describe, expect, it } from "vitest";
import { ownFiles, ROOT } from "./source-files.ts";

const PROMISES_MIN = 15;

const page = readFileSync(join(ROOT, "docs/threat-model.md"), "utf8");
const [, part = ""] = page.split("\n## The promises\n");
const rows = (part.split("\n## ", 1)[0] ?? "")
  .split("\n")
  .filter((line) => /^\| \d+ \|/.test(line));
const files = new Map(ownFiles().map((file) => [file.path, file]));

/** The tests that a row names, as a path and a title. */
function namedIn(row: string): { path: string; title: string }[] {
  const tests = row.split(" | ")[2] ?? "";
  return [...tests.matchAll(/`([^`]+)`: ((?:"[^"]+"(?:, )?)+)/g)].flatMap(
    ([, path = "", titles = ""]) =>
      [...titles.matchAll(/"([^"]+)"/g)].map(([, title = ""]) => ({ path, title })),
  );
}

/** The titles of a file's tests that run, as they are written. */
function titlesOf(tree: ts.SourceFile): Set<string> {
  const titles = new Set<string>();
  const visit = (node: ts.Node): void => {
    const [title] = ts.isCallExpression(node) && isRun(node.expression) ? node.arguments : [];
    if (title && ts.isStringLiteralLike(title)) titles.add(title.text);
    ts.forEachChild(node, visit);
  };
  visit(tree);
  return titles;
}

/** True for `it` and its forms that run, such as `it.each(table)`. */
function isRun(callee: ts.Expression): boolean {
  if (ts.isIdentifier(callee)) return callee.text === "it";
  if (ts.isPropertyAccessExpression(callee))
    return callee.name.text === "each" && isRun(callee.expression);
  return ts.isCallExpression(callee) && isRun(callee.expression);
}

describe("the promises of docs/threat-model.md", () => {
  it("are numbered, and each names a test", () => {
    expect(rows.length).toBeGreaterThanOrEqual(PROMISES_MIN);
    expect(rows.map((row) => Number(row.split(" | ")[0]?.slice(2)))).toEqual(
      rows.map((_, index) => index + 1),
    );
    expect(rows.filter((row) => namedIn(row).length === 0)).toEqual([]);
  });

  it("name only tests that are in their files under these titles, and run", () => {
    const wrong = rows.flatMap(namedIn).filter(({ path, title }) => {
      const file = files.get(path);
      return !file || !titlesOf(file.tree).has(title);
    });
    expect(wrong).toEqual([]);
  });
});
