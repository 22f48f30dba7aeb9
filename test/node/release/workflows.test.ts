// Tests the files that GitHub reads and that no other test runs. Every file parses. Workflows call
// only programs of the tree, have the fewest rights, and pin their actions. Updates of dependencies
// wait a week.
import { existsSync, globSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, it } from "vitest";
import { parse } from "yaml";
import { ROOT } from "../../../tools/dev/dev-settings.ts";

interface Step {
  readonly uses?: string;
  readonly run?: string;
  readonly "working-directory"?: string;
  readonly with?: Record<string, string | number | boolean>;
}

interface Job {
  readonly permissions?: Record<string, string>;
  readonly needs?: string | readonly string[];
  readonly "timeout-minutes"?: number;
  readonly steps: readonly Step[];
}

interface Workflow {
  readonly on: Record<string, unknown>;
  readonly permissions?: Record<string, string>;
  readonly jobs: Record<string, Job>;
}

/** Programs that GitHub's machines have. */
const PROGRAMS = new Set(["cd", "docker", "echo", "gh", "jq", "npm", "sha256sum"]);
/** Matches the paths of files that the workflows' jobs create. */
const MADE = /^\.release(?:\/|$)|^image\.json$/;

const read = (path: string) => readFileSync(join(ROOT, path), "utf8");
const manifest = JSON.parse(read("package.json")) as {
  scripts: Record<string, string>;
  engines: { node: string };
  published: { repository: string };
};
const files = globSync(".github/**/*.yml", { cwd: ROOT }).toSorted();
const parsed = new Map(files.map((path) => [path, parse(read(path), { strict: true }) as unknown]));
const workflows = [...parsed].filter((entry): entry is [string, Workflow] =>
  entry[0].startsWith(".github/workflows/"),
);
const release = parsed.get(".github/workflows/release.yml") as Workflow;
const jobs = workflows.flatMap(([path, { jobs: all }]) =>
  Object.entries(all).map(([name, job]) => [`${path} ${name}`, job] as const),
);

/** Returns the commands of a step that run neither a known program nor a file of the tree. */
function strangeCalls(script: string): string[] {
  const assigned = /^\w+=\S*$/;
  const commands = script
    .split(/\n|&&|\||\$\(/)
    .map((command) => command.trim())
    .filter((command) => command !== "" && !assigned.test(command));
  return commands.filter((command) => {
    const [program = "", ...rest] = command.split(/\s+/);
    const isThere = program.includes("/")
      ? existsSync(join(ROOT, program))
      : PROGRAMS.has(program) || program in manifest.scripts;
    const [, called] = /^npm (?:run |run -s )([\w:]+)/.exec(command) ?? [];
    const paths = rest
      .map((word) => word.replace(/^\.\//, "").replaceAll(/["');]/g, ""))
      .filter((word) => /^[\w.][\w.*-]*\/[\w.*/-]+$|^smtp-gateway$/.test(word));
    return (
      !isThere ||
      (called !== undefined && !(called in manifest.scripts)) ||
      paths.some((path) => !MADE.test(path) && !existsSync(join(ROOT, path)))
    );
  });
}

describe("the files of .github", () => {
  it("are workflows, updates and forms, which all parse", () => {
    const forms = ["bug", "config", "feature"].map((name) => `ISSUE_TEMPLATE/${name}.yml`);
    const all = [...forms, "dependabot.yml", "workflows/ci.yml", "workflows/release.yml"];
    expect(files).toEqual(all.map((path) => `.github/${path}`));
    expect([...parsed.values()].map((value) => typeof value)).toEqual(files.map(() => "object"));
  });

  it.each(["bug", "feature"])("include a form of a %s that names each field once", (form) => {
    const { name, description, body } = parsed.get(`.github/ISSUE_TEMPLATE/${form}.yml`) as {
      name: string;
      description: string;
      body: { type: string; id?: string; attributes: { label?: string; options?: string[] } }[];
    };
    expect([name, description].every((text) => text.length > 0)).toBe(true);
    const fields = body.filter(({ type }) => type !== "markdown");
    expect(new Set(fields.map(({ id }) => id)).size).toBe(fields.length);
    for (const { type, attributes } of fields) {
      expect(["input", "textarea", "dropdown"]).toContain(type);
      expect(attributes.label).toBeTruthy();
      if (type === "dropdown") expect(attributes.options?.length).toBeGreaterThan(1);
    }
  });
});

describe("a report of a vulnerability", () => {
  it("leads from the issue forms to the policy of the published repository", () => {
    const config = parsed.get(".github/ISSUE_TEMPLATE/config.yml");
    const url = `https://github.com/${manifest.published.repository}/security/policy`;
    expect(config).toMatchObject({ blank_issues_enabled: false, contact_links: [{ url }] });
  });
});

describe("workflows", () => {
  it.each(jobs)("%s calls only what is in the tree", (_, { steps }) => {
    expect(steps.flatMap(({ run = "" }) => strangeCalls(run))).toEqual([]);
  });

  it.each([
    ["npm run no-such-script", 1],
    [".ci/no-such-file", 1],
    ["node tools/no-such.ts", 1],
    ["curl https://example.com/install.sh | sh", 2],
    ["cd .release && npm run release", 0],
  ])("a step that runs %j has %i calls of unknown programs", (script, strange) => {
    expect(strangeCalls(script)).toHaveLength(strange);
  });

  it.each(jobs)("%s has a time limit and pins each action by its commit", (_, job) => {
    expect(job["timeout-minutes"]).toBeLessThanOrEqual(60);
    for (const { uses, run } of job.steps) {
      expect([uses, run].filter((one) => one !== undefined)).toHaveLength(1);
      if (uses !== undefined) expect(uses).toMatch(/^actions\/[\w-]+@[0-9a-f]{40}$/);
    }
  });

  it.each(workflows.map(([path]) => path))("%s names the version of each pinned commit", (path) => {
    const uses = read(path).match(/uses: .*/g) ?? [];
    expect(uses.filter((line) => !/@[0-9a-f]{40} # v\d+\.\d+\.\d+$/.test(line))).toEqual([]);
  });

  it("run .ci/run on the oldest supported Node, for pushes and pull requests", () => {
    const ci = parsed.get(".github/workflows/ci.yml") as Workflow;
    expect(Object.keys(ci.on)).toEqual(["push", "pull_request"]);
    const running = [ci.jobs["check"], release.jobs["build"]];
    for (const { steps } of running.filter((job) => job !== undefined)) {
      expect(steps.map(({ run }) => run)).toContain(".ci/run");
      const versions = steps.flatMap((step) => step.with?.["node-version"] ?? []);
      expect(versions.map((version) => `>=${String(version)}`)).toEqual([manifest.engines.node]);
    }
  });

  it("ask npm for known vulnerabilities of each lockfile", () => {
    const { steps } = (parsed.get(".github/workflows/ci.yml") as Workflow).jobs["audit"]!;
    const audits = steps.filter(({ run }) => run?.startsWith("npm audit --package-lock-only "));
    const folders = audits.map((step) => step["working-directory"] ?? ".");
    const lockfiles = globSync("{.,*}/package-lock.json", { cwd: ROOT });
    expect(folders.toSorted()).toEqual(lockfiles.map((path) => dirname(path)).toSorted());
  });

  it("may only read, except the jobs that publish; those run no file of the tree", () => {
    for (const [path, { permissions }] of workflows)
      expect([path, Object.values(permissions ?? { all: "write" })]).toEqual([
        path,
        path.endsWith("/ci.yml") ? ["read"] : [],
      ]);
    const { build, ...publishing } = release.jobs;
    expect(build?.permissions).toEqual({ contents: "read" });
    for (const [name, { needs, permissions, steps }] of Object.entries(publishing)) {
      expect([needs].flat().every((one) => one !== undefined)).toBe(true);
      expect([name, permissions?.["id-token"]]).toEqual([name, "write"]);
      expect(steps.filter(({ run = "" }) => /npm (?:run|ci|install)|node /.test(run))).toEqual([]);
    }
  });

  it("publish the package with its provenance, the image with attestations, and every file", () => {
    const scripts = Object.values(release.jobs).flatMap(({ steps }) => steps.map(({ run }) => run));
    const all = scripts.join("\n");
    expect(release.on).toEqual({ push: { tags: ["v*"] } });
    expect(all).toContain("npm run release -- --dry-run\n");
    expect(all).toMatch(/npm publish \.\/\.release\/\*\.tgz --provenance/);
    expect(all).toMatch(/buildx build --push --provenance=mode=max --sbom=true .* smtp-gateway$/m);
    const created = /gh release create .* --notes-file \.release\/RELEASE_NOTES\.md \.release\/\*/;
    expect(all).toMatch(created);
  });
});

describe("updates of dependencies", () => {
  it("wait for a week, and cover every file with dependencies", () => {
    type Update = Record<"package-ecosystem" | "directory", string> & {
      cooldown?: { "default-days": number };
    };
    const { updates } = parsed.get(".github/dependabot.yml") as { updates: Update[] };
    const ofPrograms = { npm: "package-lock.json", docker: "Dockerfile" };
    const named = { ...ofPrograms, "github-actions": ".github/workflows" };
    expect(updates.map((one) => one["package-ecosystem"])).toEqual(Object.keys(named));
    for (const { "package-ecosystem": system, directory, cooldown } of updates) {
      expect(cooldown?.["default-days"]).toBeGreaterThanOrEqual(7);
      expect(existsSync(join(ROOT, directory, named[system as keyof typeof named]))).toBe(true);
    }
  });
});
