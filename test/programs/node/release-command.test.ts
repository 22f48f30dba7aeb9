// Tests what `npm run release` checks and writes with git: one version and one name in every file, and
// which tree may be released. test/node/release/release-files.test.ts tests the changelog and the bill
// of materials, and `npm run ci` runs the dry run itself.
import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { beforeEach, describe, expect, it, vi } from "vitest";
import { ROOT } from "../../../tools/dev/dev-settings.ts";
import { git } from "../../../tools/release/git.ts";
import { prepare } from "../../../tools/release/readiness.ts";
import { readRelease, unstamped } from "../../../tools/release/stamp.ts";
import { tagRelease } from "../../../tools/release/tag-release.ts";

const OTHER = {
  version: "7.8.9",
  published: { repository: "another/mail", package: "@another/mail" },
};

describe("the version and the published names", () => {
  const files = unstamped(ROOT, OTHER);
  const { published: old } = readRelease(ROOT);

  it("are the same in every file as in package.json (npm run stamp)", () => {
    expect([...unstamped(ROOT).keys()]).toEqual([]);
  });

  it.each([
    ["the repository", ["-F", old.repository], OTHER.published.repository],
    ["imports of the package", ["-F", `from "${old.package}"`], 'from "@another/mail"'],
    ["commands of the package", ["-E", `npx ${old.package}( |$)`], "npx @another/mail"],
    ["installs of the package", ["-E", `npm install ${old.package}( |$)`], "install @another/mail"],
  ])("are taken from a fork's setting in every file: %s", (_, pattern, becomes) => {
    const { stdout } = spawnSync(
      "git",
      [
        "grep",
        "-l",
        ...pattern,
        "--",
        ".",
        ":!CHANGELOG.md",
        ":!docs/decisions",
        ":!tools/release",
      ],
      { cwd: ROOT, encoding: "utf8" },
    );
    const named = stdout.split("\n").filter((path) => path !== "" && path !== "package.json");
    const [how = "", text = ""] = pattern;
    const remains = (path: string) =>
      how === "-F"
        ? files.get(path)?.includes(text)
        : new RegExp(text, "m").test(files.get(path) ?? "");
    expect(named.length).toBeGreaterThan(0);
    expect(named.filter((path) => !files.get(path)?.includes(becomes) || remains(path))).toEqual(
      [],
    );
  });

  it("are written into worker, gateway, package, lockfiles and the API's description", () => {
    const version = (path: string): unknown => {
      const text = files.get(path) ?? "";
      return path.endsWith(".json")
        ? ((value: { version?: string; info?: { version: string } }) =>
            value.version ?? value.info?.version)(JSON.parse(text))
        : /VERSION = "(.+)"/.exec(text)?.[1];
    };
    const places = [
      "packages/postern/package.json",
      "smtp-gateway/package.json",
      "smtp-gateway/package-lock.json",
      "package-lock.json",
      "public/api/openapi.json",
      "src/api/openapi.ts",
    ];
    expect(places.map(version)).toEqual(places.map(() => OTHER.version));
    const { packages } = JSON.parse(files.get("package-lock.json") ?? "") as {
      packages: Record<string, object>;
    };
    expect(packages["node_modules/@another/mail"]).toEqual({
      resolved: "packages/postern",
      link: true,
    });
    expect(packages["packages/postern"]).toMatchObject({ name: "@another/mail", version: "7.8.9" });
    expect(packages[""]).toMatchObject({ version: "7.8.9" });
  });
});

describe("a release", () => {
  let root: string;
  const write = (path: string, text: string) => writeFileSync(join(root, path), text);
  const problems = (isDry = false, mayBeDirty = false) =>
    prepare(root, { isDry, mayBeDirty }).problems;

  beforeEach(() => {
    vi.stubEnv("GITHUB_REF_TYPE", "branch");
    root = mkdtempSync(join(tmpdir(), "release-"));
    git(root, "init", "--quiet");
    for (const folder of ["changes", "packages/postern", "smtp-gateway"])
      mkdirSync(join(root, folder), { recursive: true });
    for (const path of ["package.json", "packages/postern/package.json"])
      write(path, readFileSync(join(ROOT, path), "utf8"));
    for (const path of ["package-lock.json", "smtp-gateway/package-lock.json"])
      write(path, '{"packages":{}}');
    const manifest = JSON.parse(readFileSync(join(root, "package.json"), "utf8")) as object;
    write("package.json", JSON.stringify({ ...manifest, ...OTHER }, null, 2));
    for (const [path, text] of unstamped(root)) write(path, text);
    write("CHANGELOG.md", "# Changelog\n");
    write("changes/sending-one.md", "One.\n");
    for (const name of ["name", "email"]) git(root, "config", `user.${name}`, "a@example.com");
    git(root, "config", "commit.gpgsign", "false");
    git(root, "add", ".");
    git(root, "commit", "--quiet", "--message", "first");
  });

  it("gathers the entries, commits and tags, once", () => {
    const prepared = prepare(root, { isDry: false, mayBeDirty: false });
    expect(prepared.problems).toEqual([]);
    expect(tagRelease(root, prepared)).toBe("v7.8.9");
    expect(git(root, "tag", "--points-at", "HEAD")).toBe("v7.8.9\n");
    expect(git(root, "show", "HEAD:CHANGELOG.md")).toContain("## 7.8.9\n\n### Sending\n\n- One.\n");
    expect(existsSync(join(root, "changes/sending-one.md"))).toBe(false);
    expect(git(root, "status", "--porcelain")).toBe("");
    expect(problems(true)).toEqual([]);
    expect(problems()).toEqual([expect.stringMatching(/^v7\.8\.9 is tagged already/)]);
  });

  it("needs a tree without changes, unless a dry run allows them", () => {
    write("left.md", "x");
    expect(problems()).toEqual([expect.stringMatching(/^the tree has changes.*\n.*left\.md/)]);
    expect(problems(true)).toHaveLength(1);
    expect(problems(true, true)).toEqual([]);
  });

  it("needs at least one entry", () => {
    rmSync(join(root, "changes"), { recursive: true });
    expect(problems(true, true)).toEqual([expect.stringMatching(/has an entry about 7\.8\.9$/)]);
  });

  it("needs entries of the right form, and files that say what package.json says", () => {
    write("changes/sending-two.md", "# Two\n");
    write(
      "package.json",
      readFileSync(join(root, "package.json"), "utf8").replace("7.8.9", "8.0.0"),
    );
    expect(problems(true, true)).toEqual([
      "packages/postern/package.json differs from package.json: npm run stamp",
      "package-lock.json differs from package.json: npm run stamp",
      "smtp-gateway/package-lock.json differs from package.json: npm run stamp",
      expect.stringMatching(/^changes\/sending-two\.md: /),
    ]);
  });

  it("started by a tag needs the tag of its version, in the repository that it names", () => {
    const started = { GITHUB_REF_NAME: "main", GITHUB_REPOSITORY: "elsewhere/mail" };
    for (const [name, value] of Object.entries(started)) vi.stubEnv(name, value);
    expect(problems(true)).toEqual([]);
    vi.stubEnv("GITHUB_REF_TYPE", "tag");
    vi.stubEnv("GITHUB_REF_NAME", "v7.8.8");
    expect(problems(true)).toEqual([
      "the tag is v7.8.8, but package.json says 7.8.9",
      'package.json publishes another/mail, but this repository is elsewhere/mail: set "published"',
    ]);
    vi.stubEnv("GITHUB_REF_NAME", "v7.8.9");
    vi.stubEnv("GITHUB_REPOSITORY", "another/mail");
    expect(problems(true)).toEqual([]);
  });

  it("needs the name of a repository in place of the placeholder", () => {
    const own = readFileSync(join(root, "package.json"), "utf8");
    write("package.json", own.replaceAll("another/mail", "OWNER/mail"));
    for (const [path, text] of unstamped(root)) write(path, text);
    git(root, "commit", "--quiet", "--all", "--message", "placeholder");
    expect(problems(true)).toEqual([]);
    expect(problems()).toEqual([expect.stringMatching(/^package\.json publishes a placeholder/)]);
  });
});
