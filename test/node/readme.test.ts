// Keeps README.md's table of what to open true: each file in a row exists, and declares the row's
// endpoint. Keeps vectors/README.md complete.
import { existsSync, globSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, it } from "vitest";
import { readDocument } from "../../tools/openapi/read-document.ts";

const TESTS = join(import.meta.dirname, "..");
it("README.md and examples/ send a user agent wherever a library's own is refused", () => {
  const cwd = join(TESTS, "..");
  const files = globSync(["README.md", "docs/*.md", "examples/**/*.{py,go,php,rb}"], { cwd });
  const speaking = files.filter((file) =>
    /urllib\.request\.Request\(|http\.NewRequest\(|curl_init\(|Net::HTTP/.test(
      readFileSync(join(cwd, file), "utf8"),
    ),
  );
  expect(speaking.length).toBeGreaterThan(3);
  const silent = speaking.filter(
    (file) => !/user-agent/i.test(readFileSync(join(cwd, file), "utf8")),
  );
  expect(silent).toEqual([]);
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

  it("names only existing files; a name without a folder belongs to a folder that its row names", () => {
    const wrong = signposts.flatMap((row) => {
      const names = pathsOf(row.replaceAll("<noun>", "*"));
      const folders = names.flatMap((name) => (name.includes("/") ? [name, dirname(name)] : []));
      return names.filter(
        (name) => !["", ...folders].some((folder) => isFilled(join(root, folder, name))),
      );
    });
    expect(signposts.length).toBeGreaterThan(20);
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
