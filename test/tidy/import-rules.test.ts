// Checks the rules for imports (docs/architecture.md): which rooms may import which, that no import
// goes up a layer, and that no imports form a circle.
import { describe, expect, it } from "vitest";
import { cycles, foldersOf, graphOf, layersOf, roomOf, siblingGraphs } from "./import-graph.ts";
import { generatedFiles, ownFiles, type SourceFile, withoutComments } from "./source-files.ts";

const files = ownFiles();
const product = [...files, ...generatedFiles()].filter(({ path }) => !path.startsWith("test/"));
const src = files.filter(({ path }) => path.startsWith("src/"));
const layerOf = layersOf(src);

/**
 * The only SMTP client. It lies in the gateway's folder, because that folder is deployed alone.
 */
const SMTP_CLIENT = "smtp-gateway/src/smtp/";
/** The SMTP client's transport for Node, which the worker can't use. */
const NODE_SOCKETS = "smtp-gateway/src/smtp/socket-transport.ts";

/** The only file of the local stack that may use the worker's rules: those of a check. */
const INBOX_CHECK = "tools/dev/inbox/inbox-check.ts";

/** Consumers and Durable Objects. */
const ENTRIES =
  /(?:consumer|team-ledger|auth-failures|visit-filter|suppression-imports|request-log|webhook-outbox|webhook-replay|metrics\/metrics)\.ts$/;
/** The stages of src/mail that import another. */
const ARROWS = new Set([
  "accept→content",
  "check→accept",
  "check→compose",
  "check→deliver",
  "content→record",
  "deliver→compose",
  "deliver→record",
  "feedback→record",
  "lookup→record",
  "schedule→lookup",
]);

type Import = SourceFile["imports"][number];
type Rule = readonly [
  title: string,
  files: readonly SourceFile[],
  isWrong: (one: Import, path: string) => boolean,
];
const below = (...folders: readonly string[]): readonly SourceFile[] =>
  files.filter(({ path }) => folders.some((folder) => path.startsWith(folder)));
/** Tells whether an import leaves these folders of ours. */
const leaves = ({ own, target }: Import, ...folders: readonly string[]): boolean =>
  own && !folders.some((folder) => target.startsWith(folder));

const RULES: readonly Rule[] = [
  [
    "point down: worker → api → routes → rules → store → db → lib",
    src,
    ({ own, typeOnly, target }, path) => own && !typeOnly && layerOf(target) > layerOf(path),
  ],
  [
    "reach drizzle-orm and schema values only in stores and db/",
    src.filter(({ path }) => !path.startsWith("src/db/") && !path.endsWith("/store.ts")),
    ({ typeOnly, target }) =>
      !typeOnly && (target.startsWith("drizzle-orm") || /^src\/db\/.*-schema\.ts$/.test(target)),
  ],
  [
    "reach a routes.ts only from api/app.ts, and consumers and Durable Objects only from worker.ts",
    src,
    ({ own, typeOnly, target }, path) =>
      own &&
      !typeOnly &&
      ((target.endsWith("/routes.ts") && path !== "src/api/app.ts") ||
        (ENTRIES.test(target) && path !== "src/worker.ts")),
  ],
  [
    "reach hono only in api/ and routes.ts",
    src.filter(({ path }) => !path.startsWith("src/api/") && !path.endsWith("/routes.ts")),
    ({ target }) => /^(?:hono(?:\/|$)|@hono\/)/.test(target),
  ],
  [
    "reach fast-check only in test/support/properties.ts, which sets its seed",
    files.filter(({ path }) => path !== "test/support/properties.ts"),
    ({ target }) => target === "fast-check",
  ],
  [
    "never reach mail/ from a resource",
    below("src/resources/"),
    ({ target }) => target.startsWith("src/mail/"),
  ],
  [
    "reach from one stage into another only along the allowed arrows",
    below("src/mail/"),
    ({ target }, path) => {
      const [from, to] = [stageOf(path), stageOf(target)];
      return from !== undefined && to !== undefined && from !== to && !ARROWS.has(`${from}→${to}`);
    },
  ],
  ["keep lib/ free of everything above it", below("src/lib/"), (one) => leaves(one, "src/lib/")],
  [
    "never reach from the gateway, the local stack, the harness or the benches into src or each other, except from tools into the harness and from the inbox into src/lint",
    below("smtp-gateway/", "tools/dev/", "tools/harness/", "tools/bench/"),
    ({ own, target }, path) =>
      own &&
      houseOf(target) !== houseOf(path) &&
      !isSmtpClient(target) &&
      !(path === INBOX_CHECK && /^src\/(?:lib|lint)\//.test(target)) &&
      !(/^tools\/(?:bench|dev)\//.test(path) && target.startsWith("tools/harness/")),
  ],
  [
    "keep src/lint to itself and to lib/: the worker, the inbox and the command line share it",
    below("src/lint/"),
    (one) => leaves(one, "src/lib/", "src/lint/"),
  ],
  [
    "keep the SMTP client to itself: the worker, the gateway and the tools share it",
    below(SMTP_CLIENT),
    ({ own, target }, path) =>
      own ? !isSmtpClient(target) : target !== "node:buffer" && path !== NODE_SOCKETS,
  ],
  [
    "reach from src into the gateway only for the SMTP client and the list of addresses that both refuse",
    src,
    ({ target }) =>
      target.startsWith("smtp-gateway/") &&
      target !== "smtp-gateway/src/outbound/non-public-addresses.ts" &&
      (target === NODE_SOCKETS || !isSmtpClient(target)),
  ],
  [
    "never reach from src into the tools, nor from the OpenAPI generator into other tools",
    below("src/", "tools/openapi/"),
    (one, path) => leaves(one, "src/", "smtp-gateway/") && houseOf(one.target) !== houseOf(path),
  ],
  [
    "keep src/operator a room of data, which imports nothing above lib/ and which the console never imports",
    product,
    (one, path) =>
      path.startsWith("src/operator/")
        ? leaves(one, "src/operator/", "src/lib/")
        : path.startsWith("console/") && one.target.startsWith("src/operator/"),
  ],
  [
    "keep set-up and the doctor to themselves, but for the operator's tables: they run against deployments, and HTTP is their contract",
    below("tools/setup/"),
    (one) => leaves(one, "tools/setup/", "src/operator/", SMTP_CLIENT),
  ],
  [
    "reach from the chaos machine only into the harness and the local stack's processes",
    below("tools/chaos/"),
    (one) => leaves(one, "tools/chaos/", "tools/harness/", "tools/dev/", SMTP_CLIENT),
  ],
];

describe("imports", () => {
  it.each(RULES)("%s", (_title, some, isWrong) => {
    expect(some.length).toBeGreaterThan(0);
    const wrong = some.flatMap(({ path, imports }) =>
      imports.filter((one) => isWrong(one, path)).map(({ target }) => `${path} → ${target}`),
    );
    expect(wrong).toEqual([]);
  });

  it("make no cycle of files, whether they import values or types", () => {
    expect(cycles(graphOf(files, (path) => path))).toEqual([]);
  });

  it("make no cycle of the rooms of src, whether they import values or types", () => {
    expect(cycles(graphOf(src, roomOf))).toEqual([]);
  });

  it("make no cycle of the folders beside each other in any package, whether they import values or types", () => {
    const ofPackages = product.map((file) => ({
      ...file,
      imports: file.imports.filter(({ target }) => !target.startsWith("test/")),
    }));
    const graphs = [...siblingGraphs(ofPackages).values()];
    expect(graphs.flatMap((graph) => cycles(foldersOf(graph)))).toEqual([]);
  });

  it("make no cycle of a folder and the files beside it, in src and in the gateway", () => {
    const graphs = [...siblingGraphs(product)].filter(([folder]) =>
      /^(?:src|smtp-gateway)\//.test(folder),
    );
    expect(graphs.flatMap(([, graph]) => cycles(graph))).toEqual([]);
  });

  it("reach a core database only through src/db/core-shards.ts, which finds that of a team (decision 0032)", () => {
    const wrong = src
      .filter(({ path }) => path !== "src/db/core-shards.ts" && path !== "src/env.ts")
      .filter(({ text }) => /\b(?:DB|CORE_\d+)\b/.test(withoutComments(text)))
      .map(({ path }) => path);
    expect(wrong).toEqual([]);
  });

  it("get every Durable Object by src/object-of.ts, which knows the deployment's jurisdiction", () => {
    const wrong = src.filter(
      ({ path, text }) =>
        path !== "src/object-of.ts" && /\.(?:getByName|idFromName|newUniqueId)\(/.test(text),
    );
    expect(wrong.map(({ path }) => path)).toEqual([]);
  });
});

/** The stage of a file in src/mail. */
function stageOf(path: string): string | undefined {
  return /^src\/mail\/([a-z]+)\//.exec(path)?.[1];
}

/** The package, the tool or the top folder that a file is part of. */
function houseOf(path: string): string | undefined {
  return /^(?:tools\/)?[^/]+/.exec(path)?.[0];
}

function isSmtpClient(path: string): boolean {
  return path.startsWith(SMTP_CLIENT);
}
