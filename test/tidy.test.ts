// Executes the house rules for the tree: which files are pure, how large a file, a function and a
// line may be, how a file begins. The rules for imports, names, words and styles are in test/tidy/.
// They run in one process, so that the sources are read and parsed once. Add rules; never weaken
// one to make a test pass.
import { readdirSync, readFileSync } from "node:fs";
import { extname, join } from "node:path";
import ts from "typescript";
import { describe, expect, it } from "vitest";
import { malformed, readEntries } from "../tools/release/changes.ts";
import { nodesOf, ownFiles, ROOT, withoutComments } from "./tidy/source-files.ts";
import { styleSheets } from "./tidy/stylesheet-rules.ts";

const FILE_LINES = 350;
/** A file of one subject may be longer, if its header says so in these words. */
const ONE_SUBJECT = /^(?:\/\/ .*\n)*\/\/ .*One subject/;
const LONGEST_LINES = 500;
const FUNCTION_LINES = 70;
const LINE_COLUMNS = 100;
/** Long texts that a line break would not improve: addresses, tables, expressions. */
const LONG_LINES_PER_THOUSAND = 5;
/** Openings of a file's first comment. */
const BEGINNINGS: Readonly<Record<string, readonly string[]>> = {
  ".ts": ["//", "<!--"],
  ".tsx": ["//", "<!--"],
  ".css": ["/*"],
};

for (const name of readdirSync(join(ROOT, "test/tidy")))
  if (name.endsWith(".test.ts")) await import(join(ROOT, "test/tidy", name));

const files = ownFiles();
const src = files.filter(({ path }) => path.startsWith("src/"));

describe("the tree", () => {
  it("limits the size of every file, and begins each with a comment", () => {
    const wrong = [...files, ...styleSheets()].flatMap(({ path, text }) => {
      const lines = text.split("\n").length - 1;
      return [
        ...(lines > (ONE_SUBJECT.test(text) ? LONGEST_LINES : FILE_LINES)
          ? [`${path}: ${lines} lines`]
          : []),
        ...(BEGINNINGS[extname(path)]?.some((one) => text.startsWith(one))
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

  it.each([
    ["in src and the gateway", files.filter(({ path }) => /^(?:src|smtp-gateway)\//.test(path))],
    ["everywhere", files],
  ])(`keeps lines %s within ${LINE_COLUMNS} columns, but for a few in a thousand`, (_, some) => {
    const lines = some.flatMap(({ text }) => text.split("\n"));
    const long = lines.filter((line) => line.length > LINE_COLUMNS);
    expect((long.length / lines.length) * 1_000).toBeLessThanOrEqual(LONG_LINES_PER_THOUSAND);
  });

  it("has no file name without a meaning", () => {
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

describe("the changelog's entries", () => {
  it("have a section, one paragraph and a full stop (CONTRIBUTING.md)", () => {
    expect(malformed(readEntries(ROOT))).toEqual([]);
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
  it("all share their workerds, because a workerd takes seconds and test/support/setup.ts empties the store for each file", () => {
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
  /** Folders in which every file is pure. */
  const pureRooms = /^src\/(?:lib\/mime|mail\/compose|classify)\//;
  const isPure = (text: string): boolean => /\bPure\.\s*$/.test(headerOf(text));

  it("say so in their headers, as does every file of a folder with only pure files", () => {
    const silent = src.filter(({ path, text }) => pureRooms.test(path) && !isPure(text));
    expect(silent.map(({ path }) => path)).toEqual([]);
  });

  it("take the time, randomness and the environment as arguments", () => {
    const impure =
      /\bDate\.now\(|\bnew Date\(\)|\bMath\.random\(|\bgetRandomValues\(|\brandomUUID\(|\bfetch\(|\bEnv\b|\benv\.[A-Z]/;
    const wrong = src
      .filter(({ text }) => isPure(text))
      .filter(({ text }) => impure.test(withoutComments(text)))
      .map(({ path }) => path);
    expect(wrong).toEqual([]);
  });
});

describe("the gateway", () => {
  it("measures waits by a monotonic clock; the wall clock only dates log lines, names the journal's first file and judges a client's HOLDUNTIL", () => {
    const readers = files.filter(
      ({ path, text }) =>
        path.startsWith("smtp-gateway/") && /\bDate\.now\b/.test(withoutComments(text)),
    );
    const known = ["gateway-log", "inbound/inbound-session", "journal/journal"];
    expect(readers.map(({ path }) => path).toSorted()).toEqual(
      known.map((name) => `smtp-gateway/src/${name}.ts`),
    );
  });
});

describe("the tests", () => {
  /** Files that measure with a clock which the test itself moves. */
  const moved = new Set(["test/unit/lib/shared-timer.test.ts"]);
  const stopwatches =
    /\bperformance\.now\b|\bhrtime\b|\bDate\.now\(\)\s*-\s*[a-z]|[\w)\]]\s*-\s*Date\.now\(\)|\b(?:latency_?ms|elapsed|duration)["'\]]*\)\s*\.toBe(?:Less|Greater)Than/i;
  const accounts = /\b(?:threadCpuUsage|cpuUsage|resourceUsage)\b/;

  it("compare no times by the wall clock: test/support/processor-time.ts measures linear work, and a moved clock tests deadlines", () => {
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

function longFunctions(tree: ts.SourceFile): [name: string, lines: number][] {
  return nodesOf(tree).flatMap((node): [string, number][] => {
    if (!ts.isFunctionLike(node) || !("body" in node) || !node.body) return [];
    const first = tree.getLineAndCharacterOfPosition(node.getStart()).line;
    const lines = tree.getLineAndCharacterOfPosition(node.end).line - first + 1;
    return lines > FUNCTION_LINES ? [[`line ${first + 1}`, lines]] : [];
  });
}

/** Returns the comment at the beginning of a file. */
function headerOf(text: string): string {
  return /^(?:\/\/.*\n)*/.exec(text)?.[0] ?? "";
}
