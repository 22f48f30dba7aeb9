// Executes the house rules of the tree: who may import whom, what is pure, how large a file and a
// function may grow, how a file begins. Extend it with a rule; never weaken it to pass.
import { readFileSync } from "node:fs";
import { extname, join } from "node:path";
import ts from "typescript";
import { describe, expect, it } from "vitest";
import { cycles, graphOf, layersOf, roomOf } from "./tidy/import-graph.ts";
import { ownFiles, ROOT, withoutComments } from "./tidy/source-files.ts";
import { styleSheets } from "./tidy/stylesheet-rules.ts";

const FILE_LINES = 350;
const FUNCTION_LINES = 70;
/** Openings of a file's first comment. */
const BEGINNINGS: Readonly<Record<string, readonly string[]>> = {
  ".ts": ["//", "<!--"],
  ".tsx": ["//", "<!--"],
  ".css": ["/*"],
};

const files = ownFiles();
const src = files.filter(({ path }) => path.startsWith("src/"));
const layerOf = layersOf(src);

describe("the tree", () => {
  it("keeps every file within its size, begun by a comment that says what it decides", () => {
    const wrong = [...files, ...styleSheets()].flatMap(({ path, text }) => {
      const lines = text.split("\n").length - 1;
      return [
        ...(lines > FILE_LINES ? [`${path}: ${lines} lines`] : []),
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

  it("make no cycle of files, whether they import values or types", () => {
    expect(cycles(graphOf(files, (path) => path))).toEqual([]);
  });

  it("make no cycle of the rooms of src, whether they import values or types", () => {
    expect(cycles(graphOf(src, roomOf))).toEqual([]);
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
            (/(?:consumer|team-ledger|auth-failures|visit-filter|suppression-imports|webhook-outbox|webhook-replay|metrics\/metrics)\.ts$/.test(
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
      "schedule→lookup",
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
            ({ target }) =>
              !isSmtpClient(target) &&
              !(file.path.startsWith("bench/") && target.startsWith("harness/")),
          )
          .map((one) => `${file.path} → ${one.target}`),
      );
    expect(wrong).toEqual([]);
  });

  it("keep the SMTP client to itself: the worker, the gateway and the tools share it", () => {
    const wrong = files
      .filter(({ path }) => isSmtpClient(path))
      .flatMap((file) =>
        file.imports
          .filter(({ own, target }) =>
            own ? !isSmtpClient(target) : target !== "node:buffer" && file.path !== NODE_SOCKETS,
          )
          .map((one) => `${file.path} → ${one.target}`),
      );
    expect(wrong).toEqual([]);
  });

  it("reach from src into the gateway only for the SMTP client and the list of addresses that both refuse", () => {
    const reached = src.flatMap(({ imports }) =>
      imports
        .map(({ target }) => target)
        .filter((target) => target.startsWith("smtp-gateway/"))
        .filter((target) => target === NODE_SOCKETS || !isSmtpClient(target)),
    );
    expect(reached).toEqual(["smtp-gateway/src/outbound/non-public-addresses.ts"]);
  });

  it("keep set-up and the doctor to themselves but for the rules of DMARC, which are pure: they run against deployments, and HTTP is their contract", () => {
    const wrong = files
      .filter(({ path }) => path.startsWith("setup/"))
      .flatMap((file) =>
        file.imports
          .filter(({ own, target }) => own && !target.startsWith("setup/") && !isSmtpClient(target))
          .map((one) => `${file.path} → ${one.target}`),
      );
    expect(wrong.filter((one) => !DMARC_IN_DOCTOR.test(one))).toEqual([]);
  });

  it("keep the chaos machine to the harness and the local stack's processes", () => {
    const wrong = files
      .filter(({ path }) => path.startsWith("chaos/"))
      .flatMap((file) =>
        file.imports
          .filter(
            ({ own, target }) =>
              own && !/^(?:chaos|harness|dev)\//.test(target) && !isSmtpClient(target),
          )
          .map((one) => `${file.path} → ${one.target}`),
      );
    expect(wrong).toEqual([]);
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
  /** Rooms of which every file is pure. */
  const pureRooms = /^src\/(?:lib\/mime|mail\/compose|mail\/classify)\//;
  const isPure = (text: string): boolean => /\bPure\.\s*$/.test(headerOf(text));

  it("say so in their headers, which every file of a pure room does", () => {
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
  it("measures waits by a clock that never leaps: the wall clock only dates log lines, names the journal's first file and judges a client's HOLDUNTIL", () => {
    const readers = files.filter(
      ({ path, text }) =>
        path.startsWith("smtp-gateway/") && /\bDate\.now\b/.test(withoutComments(text)),
    );
    const known = ["gateway-log", "inbound/session", "journal/journal"];
    expect(readers.map(({ path }) => path).toSorted()).toEqual(
      known.map((name) => `smtp-gateway/src/${name}.ts`),
    );
  });
});

describe("the tests", () => {
  /** Files that measure on a clock which the test itself moves. */
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

/** The SMTP client's transport for Node, which the worker can't use. */
const DMARC_IN_DOCTOR = /check-domain\.ts → src\/.*\/policies\/dmarc-(?:lookups|policy)\.ts$/;
const NODE_SOCKETS = "smtp-gateway/src/smtp/socket-transport.ts";

/** The one SMTP client. It lies in the gateway's folder, which is deployed alone. */
function isSmtpClient(path: string): boolean {
  return path.startsWith("smtp-gateway/src/smtp/");
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

/** The comment that a file begins with. */
function headerOf(text: string): string {
  return /^(?:\/\/.*\n)*/.exec(text)?.[0] ?? "";
}
