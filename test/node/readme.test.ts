// Keeps test/README.md and test/endpoints.md true: every path in them exists, and every section of
// the contract and every endpoint of the OpenAPI document has a row. Keeps README.md's table of
// what to open true: each file in a row exists, and declares the row's endpoint. Keeps
// vectors/README.md complete.
import { existsSync, globSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, it } from "vitest";
import { readDocument } from "../../tools/openapi/read-document.ts";

const TESTS = join(import.meta.dirname, "..");
const page = ["README.md", "endpoints.md"]
  .map((name) => readFileSync(join(TESTS, name), "utf8"))
  .join("\n");
const rows = page.split("\n").filter((line) => line.startsWith("| "));
const named = new Set(
  rows.flatMap((row) =>
    [
      ...row.matchAll(
        /`((?:api|unit|pipeline|gateway|dev|e2e|node|programs|setup|stack|tidy)\/[^`]+)`/g,
      ),
    ].map(([, path]) => path ?? ""),
  ),
);

describe("test/README.md and test/endpoints.md", () => {
  it("names only existing files", () => {
    expect(named.size).toBeGreaterThan(50);
    expect([...named].filter((path) => !existsSync(join(TESTS, path)))).toEqual([]);
  });

  it("has a row for every section of the contract, and cites no others", () => {
    const headings = globSync("../docs/contract/*.md", { cwd: TESTS }).flatMap((chapters) => [
      ...readFileSync(join(TESTS, chapters), "utf8").matchAll(/^(##+) [\d.]+ (.+)$/gm),
    ]);
    const sections = headings.map(([, marks = "", words = ""]) => ({
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
    // A part of the contract that has sections needs no row in the table, because each of its
    // sections has one.
    const leaves = sections.filter(
      ({ isPart }, at) => !isPart || (sections[at + 1]?.isPart ?? true),
    );
    expect(leaves.map(({ words }) => words).filter((words) => !tested.has(words))).toEqual([]);
  });

  it("has a row for every endpoint", () => {
    const { paths } = readDocument("https://api.postern.test") as {
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

describe("vectors/README.md", () => {
  const folder = join(TESTS, "../vectors");
  const files = globSync("*.json", { cwd: folder });

  it("explains each file of vectors, and a test reads each", () => {
    const readme = readFileSync(join(folder, "README.md"), "utf8");
    const tests = globSync("**/*.ts", { cwd: TESTS, exclude: ["node_modules"] })
      .map((path) => readFileSync(join(TESTS, path), "utf8"))
      .join("\n");
    expect(files.length).toBeGreaterThan(5);
    expect(files.filter((file) => !readme.includes(`\n## ${file}\n`))).toEqual([]);
    expect(files.filter((file) => !tests.includes(`vectors/${file}" with`))).toEqual([]);
  });
});

describe("README.md's table of what to open", () => {
  const root = join(TESTS, "..");
  const table = readFileSync(join(root, "README.md"), "utf8")
    .split("\n## ")
    .find((part) => part.startsWith("I want to change X"));
  const signposts = (table ?? "").split("\n").filter((line) => /^\| .+`/.test(line));

  it("names only existing files; a bare name is in the folder of a path of its row", () => {
    const wrong = signposts.flatMap((row) => {
      const names = pathsOf(row.replaceAll("<noun>", "*"));
      const folders = names.flatMap((name) => (name.includes("/") ? [name, dirname(name)] : []));
      return names.filter(
        (name) => !["", ...folders].some((folder) => isFilled(join(root, folder, name))),
      );
    });
    expect(signposts.length).toBeGreaterThan(30);
    expect(wrong).toEqual([]);
  });

  it("leads to the file that declares the endpoint, for every endpoint of /v1", () => {
    const { paths } = readDocument("https://api.postern.test") as { paths: object };
    const wrong = Object.keys(paths).filter((path) => {
      if (!path.startsWith("/v1/")) return false;
      const own = signposts.filter((row) => endpointsOf(row).some((one) => path.startsWith(one)));
      const leading = own.length > 0 ? own : signposts.filter((row) => row.includes("<noun>"));
      const declared = `path: "${path.replaceAll(/\{(\w+)\}/g, ":$1")}"`;
      return !leading
        .flatMap(pathsOf)
        .map((name) => join(root, name.replace("<noun>", path.split("/")[2] ?? "")))
        .some((name) => existsSync(name) && readFileSync(name, "utf8").includes(declared));
    });
    expect(wrong).toEqual([]);
  });
});

/** Returns the paths of endpoints in the first column of a row. */
function endpointsOf(row: string): string[] {
  return [...(row.split("|")[1] ?? "").matchAll(/`(\/v1\/[^`<]+)`/g)].map(([, path = ""]) => path);
}

/** Returns the files and folders in the second column of a row, with braces expanded. */
function pathsOf(row: string): string[] {
  return [...(row.split("|")[2] ?? "").matchAll(/`([^` ]+(?:\.ts|\/[^` ]*))`/g)].flatMap(
    ([, name = ""]) => {
      const [, start = "", choices, end = ""] = /^(.*)\{(.*)\}(.*)$/.exec(name) ?? [];
      return choices?.split(",").map((choice) => start + choice + end) ?? [name];
    },
  );
}

function isFilled(pattern: string): boolean {
  return globSync(pattern).length > 0;
}
