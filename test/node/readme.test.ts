// Keeps test/README.md true: every path that it names exists, and every section of the contract and
// endpoint of the OpenAPI document has its row.
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { openApiDocument } from "./openapi-document.ts";

const TESTS = join(import.meta.dirname, "..");
const page = readFileSync(join(TESTS, "README.md"), "utf8");
const rows = page.split("\n").filter((line) => line.startsWith("| "));
const named = new Set(
  rows.flatMap((row) =>
    [...row.matchAll(/`((?:api|unit|pipeline|gateway|dev|e2e|node)\/[^`]+)`/g)].map(
      ([, path]) => path ?? "",
    ),
  ),
);

describe("test/README.md", () => {
  it("names only existing files", () => {
    expect(named.size).toBeGreaterThan(50);
    expect([...named].filter((path) => !existsSync(join(TESTS, path)))).toEqual([]);
  });

  it("has a row for every section of the contract, and cites no others", () => {
    const headings = readFileSync(join(TESTS, "../docs/contract.md"), "utf8").matchAll(
      /^(##+) [\d.]+ (.+)$/gm,
    );
    const sections = [...headings].map(([, marks = "", words = ""]) => ({
      isPart: marks === "##",
      words,
    }));
    const tested = new Set(
      rows.flatMap((row) =>
        [...(row.split("|")[1] ?? "").matchAll(/§([\w' -]+\w)/g)].map(([, words = ""]) => words),
      ),
    );
    const names = new Set(sections.map(({ words }) => words));
    expect([...tested].filter((words) => !names.has(words))).toEqual([]);
    // A part with sections is covered by them.
    const leaves = sections.filter(
      ({ isPart }, at) => !isPart || (sections[at + 1]?.isPart ?? true),
    );
    expect(leaves.map(({ words }) => words).filter((words) => !tested.has(words))).toEqual([]);
  });

  it("has a row for every endpoint", async () => {
    const { paths } = (await openApiDocument("https://api.postern.test")) as {
      paths: Record<string, object>;
    };
    const endpoints = Object.entries(paths).flatMap(([path, methods]) =>
      Object.keys(methods).map((method) => `${method.toUpperCase()} ${path}`),
    );
    expect(
      endpoints.filter((endpoint) => !rows.some((row) => row.startsWith(`| ${endpoint} |`))),
    ).toEqual([]);
  });
});
