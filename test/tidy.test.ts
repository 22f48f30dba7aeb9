// Executes the house rules of the tree: who may import whom, what is pure, how large a file and a
// function may grow, how a file begins. Extend it with a rule; never weaken it to pass.
import { readdirSync, readFileSync } from "node:fs";
import { dirname, join, normalize, relative } from "node:path";
import ts from "typescript";
import { describe, expect, it } from "vitest";
import { brokenCitations, brokenReferences, missingFiles, pages } from "./support/citations.ts";

const ROOT = join(import.meta.dirname, "..");
const FILE_LINES = 400;
const FUNCTION_LINES = 70;

interface Import {
  readonly target: string; // path relative to the root for own files, else the package
  readonly own: boolean;
  readonly typeOnly: boolean;
}

interface SourceFile {
  readonly path: string;
  readonly text: string;
  readonly tree: ts.SourceFile;
  readonly imports: readonly Import[];
}

const files = [
  "src",
  "smtp-gateway/src",
  "dev",
  "harness",
  "bench",
  "chaos",
  "shards",
  "setup",
  "test",
]
  .flatMap(sourcesBelow)
  .map(load);
const src = files.filter(({ path }) => path.startsWith("src/"));

describe("the tree", () => {
  it("keeps every file within its size, begun by a comment that says what it decides", () => {
    const wrong = files.flatMap(({ path, text }) => {
      const lines = text.split("\n").length - 1;
      return [
        ...(lines > FILE_LINES ? [`${path}: ${lines} lines`] : []),
        ...(text.startsWith("//") || text.startsWith("<!--")
          ? []
          : [`${path}: does not begin with a comment`]),
      ];
    });
    expect(wrong).toEqual([]);
  });

  it("keeps every function within its size", () => {
    const wrong = files.flatMap(({ path, tree }) =>
      longFunctions(tree).map(([name, lines]) => `${path}: ${name} has ${lines} lines`),
    );
    expect(wrong.filter((entry) => !entry.startsWith("test/"))).toEqual([]);
  });

  it("has no file named for nothing", () => {
    const meaningless = /(?:^|[/-])(?:utils?|helpers?|managers?|services?|common|misc|index)\.ts$/;
    expect(files.map(({ path }) => path).filter((path) => meaningless.test(path))).toEqual([]);
  });

  it("has no barrel", () => {
    const barrels = src.filter(
      ({ path, tree }) =>
        path !== "src/worker.ts" &&
        tree.statements.every((statement) => ts.isExportDeclaration(statement)),
    );
    expect(barrels.map(({ path }) => path)).toEqual([]);
  });
});

describe("imports", () => {
  it("point down: worker → api → routes → rules → store → db → lib", () => {
    const wrong = src.flatMap((file) =>
      file.imports
        .filter((one) => one.own && !one.typeOnly && layerOf(one.target) > layerOf(file.path))
        .map((one) => `${file.path} → ${one.target}`),
    );
    expect(wrong).toEqual([]);
  });

  it("make no cycle", () => {
    expect(cycles(src)).toEqual([]);
  });

  it("reach drizzle-orm and schema values only in stores and db/", () => {
    const allowed = (path: string) => path.startsWith("src/db/") || path.endsWith("/store.ts");
    const wrong = src
      .filter(({ path }) => !allowed(path))
      .flatMap((file) =>
        file.imports
          .filter(
            (one) =>
              !one.typeOnly &&
              (one.target.startsWith("drizzle-orm") || /^src\/db\/.*-schema\.ts$/.test(one.target)),
          )
          .map((one) => `${file.path} → ${one.target}`),
      );
    expect(wrong).toEqual([]);
  });

  it("reach a routes.ts only from api/app.ts, and consumers and Durable Objects only from worker.ts", () => {
    const wrong = src.flatMap((file) =>
      file.imports
        .filter((one) => one.own && !one.typeOnly)
        .filter(
          ({ target }) =>
            (target.endsWith("/routes.ts") && file.path !== "src/api/app.ts") ||
            (/(?:consumer|team-ledger|auth-failures|visits|suppression-imports|webhook-outbox|webhook-replay|metrics\/metrics)\.ts$/.test(
              target,
            ) &&
              file.path !== "src/worker.ts"),
        )
        .map((one) => `${file.path} → ${one.target}`),
    );
    expect(wrong).toEqual([]);
  });

  it("reach hono only in api/ and routes.ts", () => {
    const wrong = src
      .filter(({ path }) => !path.startsWith("src/api/") && !path.endsWith("/routes.ts"))
      .filter(({ imports }) =>
        imports.some(
          ({ target }) =>
            target === "hono" || target.startsWith("hono/") || target.startsWith("@hono/"),
        ),
      );
    expect(wrong.map(({ path }) => path)).toEqual([]);
  });

  it("never reach mail/ from a resource", () => {
    const wrong = src
      .filter(({ path }) => path.startsWith("src/resources/"))
      .flatMap((file) =>
        file.imports
          .filter(({ target }) => target.startsWith("src/mail/"))
          .map((one) => `${file.path} → ${one.target}`),
      );
    expect(wrong).toEqual([]);
  });

  it("reach from one stage into another only along the allowed arrows", () => {
    const arrows = new Set([
      "deliver→compose",
      "deliver→record",
      "feedback→record",
      "lookup→record",
    ]);
    const stageOf = (path: string) => /^src\/mail\/([a-z]+)\//.exec(path)?.[1];
    // No stage, but what stages share, like the files above them.
    const shared = "classify";
    const wrong = src.flatMap((file) =>
      file.imports
        .map(({ target }) => ({ target, from: stageOf(file.path), to: stageOf(target) }))
        .filter(
          ({ from, to }) =>
            from !== undefined &&
            to !== undefined &&
            from !== to &&
            to !== shared &&
            !arrows.has(`${from}→${to}`),
        )
        .map(({ target }) => `${file.path} → ${target}`),
    );
    expect(wrong).toEqual([]);
  });

  it("keep lib/ free of everything above it", () => {
    const wrong = src
      .filter(({ path }) => path.startsWith("src/lib/"))
      .flatMap((file) =>
        file.imports
          .filter(({ own, target }) => own && !target.startsWith("src/lib/"))
          .map((one) => `${file.path} → ${one.target}`),
      );
    expect(wrong).toEqual([]);
  });

  it("keep the gateway, the local stack, the harness and the benches out of src, and each other", () => {
    const wrong = files
      .filter(({ path }) => /^(?:smtp-gateway|dev|harness|bench)\//.test(path))
      .flatMap((file) =>
        file.imports
          .filter(({ own, target }) => own && target.split("/")[0] !== file.path.split("/")[0])
          .filter(
            ({ target }) => !(file.path.startsWith("bench/") && target.startsWith("harness/")),
          )
          .map((one) => `${file.path} → ${one.target}`),
      );
    expect(wrong).toEqual([]);
  });

  it("reach from src into the gateway only for the list of addresses that both refuse", () => {
    const reached = src.flatMap(({ imports }) =>
      imports
        .filter(({ target }) => target.startsWith("smtp-gateway/"))
        .map(({ target }) => target),
    );
    expect(reached).toEqual(["smtp-gateway/src/outbound/non-public-addresses.ts"]);
  });

  it("keep set-up and the doctor to themselves: they run against deployments, and HTTP is their contract", () => {
    const wrong = files
      .filter(({ path }) => path.startsWith("setup/"))
      .flatMap((file) =>
        file.imports
          .filter(({ own, target }) => own && !target.startsWith("setup/"))
          .map((one) => `${file.path} → ${one.target}`),
      );
    expect(wrong).toEqual([]);
  });

  it("keep the chaos machine to the harness and the local stack's processes", () => {
    const wrong = files
      .filter(({ path }) => path.startsWith("chaos/"))
      .flatMap((file) =>
        file.imports
          .filter(({ own, target }) => own && !/^(?:chaos|harness|dev)\//.test(target))
          .map((one) => `${file.path} → ${one.target}`),
      );
    expect(wrong).toEqual([]);
  });
});

describe("comments and pages", () => {
  it("cite only documents, headings and decisions that are in the repository", () => {
    expect(files.flatMap(({ path, text }) => brokenCitations(path, text))).toEqual([]);
    expect(pages().flatMap(brokenReferences)).toEqual([]);
  });

  it("name only files that are in the repository", () => {
    const paths = files.map(({ path }) => path);
    expect(pages().flatMap((page) => missingFiles(page, paths))).toEqual([]);
  });

  it("would be found with a citation that leads nowhere", () => {
    // Spelled so that this file does not cite them itself.
    const spell = (text: string) => text.replaceAll("%", ".md").replace("decided", "decision");
    const cited = spell(
      "// Refuses (contract% §Failed authentication, contract%\n// §No such heading; none%; decided 0000).\nconst A = 1; // wire% §Any",
    );
    expect(brokenCitations("src/any.ts", cited)).toEqual(
      ["contract% §No such heading", "none%", "wire% §Any", "decided 0000"].map(
        (broken) => `src/any.ts: ${spell(broken)}`,
      ),
    );
  });
});

describe("the lockfile", () => {
  it("names the builds of every platform, or `npm ci` refuses it (npm run lockfile)", () => {
    const { packages } = JSON.parse(readFileSync(join(ROOT, "package-lock.json"), "utf8")) as {
      packages: Record<string, { optionalDependencies?: Record<string, string> }>;
    };
    const named = new Set(
      Object.keys(packages).map((path) =>
        path.slice(path.lastIndexOf("node_modules/") + "node_modules/".length),
      ),
    );
    const optional = Object.values(packages).flatMap(({ optionalDependencies = {} }) =>
      Object.keys(optionalDependencies),
    );
    expect(optional.filter((name) => !named.has(name))).toEqual([]);
  });
});

describe("the worker's tests", () => {
  it("share their workerds, all of them, since a workerd costs seconds and test/support/setup.ts gives each file an empty store", () => {
    const config = readFileSync(join(ROOT, "vitest.config.ts"), "utf8").replaceAll(/\s+/g, "");
    expect(config.match(/cloudflareTest\(/g)).toHaveLength(1);
    expect(config).toMatch(
      /include:\["test\/unit\/\*\*\/\*.test.ts","test\/api\/\*\*\/\*.test.ts","test\/pipeline\/\*\*\/\*.test.ts",?\]/,
    );
    expect(config).toContain("isolate:false");
    expect(config).not.toContain("exclude:");
  });
});

describe("pure files", () => {
  const pure = [
    /^src\/ledger\/(?:rate|quota|labels|pacing)\.ts$/,
    /^src\/lib\/mime\//,
    /^src\/mail\/compose\//,
    /^src\/mail\/classify\//,
    /^src\/mail\/deliver\/(?:schedule|judge|exchange|simulation|simulated-replies)\.ts$/,
    /^src\/mail\/feedback\/(?:fields|mime|part-text|same-address|report|dsn|arf|refusal|plain-bounce|bounce-texts|finding)\.ts$/,
    /^src\/mail\/record\/effects\.ts$/,
    /^src\/resources\/stats\/(?:counts|entries|window)\.ts$/,
    /^src\/resources\/webhooks\/(?:batches|circuit|event|retry|signature|test-event)\.ts$/,
  ];

  it("take the time, randomness and the environment as arguments", () => {
    const impure =
      /\bDate\.now\(|\bnew Date\(\)|\bMath\.random\(|\bgetRandomValues\(|\brandomUUID\(|\bfetch\(|\benv\b/;
    const wrong = src
      .filter(({ path }) => pure.some((pattern) => pattern.test(path)))
      .filter(({ text }) => impure.test(withoutComments(text)))
      .map(({ path }) => path);
    expect(wrong).toEqual([]);
  });
});

describe("the gateway", () => {
  it("measures waits by a clock that never leaps: the wall clock only dates log lines and names the journal's first file", () => {
    const readers = files.filter(
      ({ path, text }) =>
        path.startsWith("smtp-gateway/") && /\bDate\.now\b/.test(withoutComments(text)),
    );
    expect(new Set(readers.map(({ path }) => path))).toEqual(
      new Set(["smtp-gateway/src/journal/journal.ts", "smtp-gateway/src/gateway-log.ts"]),
    );
  });
});

describe("the tests", () => {
  /** On a clock that the test itself moves. */
  const moved = new Set(["test/unit/lib/deadlines.test.ts"]);
  const stopwatches =
    /\bperformance\.now\b|\bhrtime\b|\bDate\.now\(\)\s*-\s*[a-z]|[\w)\]]\s*-\s*Date\.now\(\)|\b(?:latency_?ms|elapsed|duration)["'\]]*\)\s*\.toBe(?:Less|Greater)Than/i;
  const accounts = /\b(?:threadCpuUsage|cpuUsage|resourceUsage)\b/;

  it("compare no time by the clock on the wall: linear is what test/support/processor-time.ts measures, late is what a moved clock shows", () => {
    const wrong = files
      .filter(
        ({ path }) => path.startsWith("test/") && path !== "test/tidy.test.ts" && !moved.has(path),
      )
      .flatMap(({ path, text }) => {
        const code = withoutComments(text);
        const isMeasure = path === "test/support/processor-time.ts";
        return [stopwatches, ...(isMeasure ? [] : [accounts])].flatMap((pattern) => {
          const [found] = pattern.exec(code) ?? [];
          return found === undefined ? [] : [`${path}: ${found}`];
        });
      });
    expect(wrong).toEqual([]);
  });
});

function sourcesBelow(folder: string): string[] {
  return readdirSync(join(ROOT, folder), { recursive: true, withFileTypes: true })
    .filter(
      (entry) =>
        entry.isFile() && entry.name.endsWith(".ts") && !entry.parentPath.includes("node_modules"),
    )
    .map((entry) => relative(ROOT, join(entry.parentPath, entry.name)));
}

function load(path: string): SourceFile {
  const text = readFileSync(join(ROOT, path), "utf8");
  const tree = ts.createSourceFile(path, text, ts.ScriptTarget.ESNext, true);
  const imports = tree.statements.flatMap((statement): Import[] => {
    if (!ts.isImportDeclaration(statement) && !ts.isExportDeclaration(statement)) return [];
    if (!statement.moduleSpecifier || !ts.isStringLiteral(statement.moduleSpecifier)) return [];
    const specifier = statement.moduleSpecifier.text;
    const own = specifier.startsWith(".");
    return [
      {
        target: own ? normalize(join(dirname(path), specifier)) : specifier,
        own,
        typeOnly: isTypeOnly(statement),
      },
    ];
  });
  return { path, text, tree, imports };
}

function isTypeOnly(statement: ts.ImportDeclaration | ts.ExportDeclaration): boolean {
  if (ts.isExportDeclaration(statement)) return statement.isTypeOnly;
  const clause = statement.importClause;
  if (!clause) return false;
  if (clause.isTypeOnly) return true;
  const named = clause.namedBindings;
  return (
    !clause.name &&
    named !== undefined &&
    ts.isNamedImports(named) &&
    named.elements.every((element) => element.isTypeOnly)
  );
}

/** The higher, the further from the ground; an import may only go to its own layer or below. */
function layerOf(path: string): number {
  if (path === "src/worker.ts") return 7;
  if (path.startsWith("src/api/")) return 6;
  if (path.endsWith("/routes.ts")) return 5;
  if (path.endsWith("/store.ts")) return 3;
  if (path.startsWith("src/db/")) return 2;
  if (["src/limits.ts", "src/refusal.ts", "src/env.ts", "src/endpoint.ts"].includes(path)) return 1;
  if (path.startsWith("src/lib/")) return 0;
  return isGround(path) ? 2 : 4;
}

/**
 * A rule that itself rests on nothing above db/, such as a row's shape: its store may stand on it.
 */
function isGround(path: string): boolean {
  const file = src.find((one) => one.path === path);
  return (
    file?.imports.every(({ own, typeOnly, target }) => !own || typeOnly || layerOf(target) <= 2) ??
    false
  );
}

function cycles(sources: readonly SourceFile[]): string[] {
  const graph = new Map(
    sources.map(({ path, imports }) => [
      path,
      imports.filter(({ own, typeOnly }) => own && !typeOnly).map(({ target }) => target),
    ]),
  );
  const found: string[] = [];
  const done = new Set<string>();
  const walk = (path: string, trail: readonly string[]): void => {
    if (trail.includes(path)) {
      found.push([...trail.slice(trail.indexOf(path)), path].join(" → "));
      return;
    }
    if (done.has(path)) return;
    for (const next of graph.get(path) ?? []) walk(next, [...trail, path]);
    done.add(path);
  };
  for (const path of graph.keys()) walk(path, []);
  return found;
}

function longFunctions(tree: ts.SourceFile): [name: string, lines: number][] {
  const long: [string, number][] = [];
  const visit = (node: ts.Node): void => {
    if (ts.isFunctionLike(node) && "body" in node && node.body) {
      const first = tree.getLineAndCharacterOfPosition(node.getStart()).line;
      const lines = tree.getLineAndCharacterOfPosition(node.end).line - first + 1;
      if (lines > FUNCTION_LINES) long.push([`line ${first + 1}`, lines]);
    }
    ts.forEachChild(node, visit);
  };
  visit(tree);
  return long;
}

function withoutComments(text: string): string {
  return text.replace(/\/\*[\s\S]*?\*\//g, "").replace(/^\s*\/\/.*$/gm, "");
}
