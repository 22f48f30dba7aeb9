// Checks the rules for imports (docs/architecture.md): which rooms may import which, that no import
// goes up a layer, and that no imports form a circle.
import { describe, expect, it } from "vitest";
import { cycles, foldersOf, graphOf, layersOf, roomOf, siblingGraphs } from "./import-graph.ts";
import { generatedFiles, ownFiles, withoutComments } from "./source-files.ts";

const files = ownFiles();
const product = [...files, ...generatedFiles()].filter(({ path }) => !path.startsWith("test/"));
const src = files.filter(({ path }) => path.startsWith("src/"));
const layerOf = layersOf(src);

/** The SMTP client's transport for Node, which the worker can't use. */
const NODE_SOCKETS = "smtp-gateway/src/smtp/socket-transport.ts";

/** The only file of the local stack that may use the worker's rules: those of a check. */
const INBOX_CHECK = "tools/dev/inbox/inbox-check.ts";

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

  it("reach a core database only through src/db/core-shards.ts, which finds that of a team (decision 0032)", () => {
    const wrong = src
      .filter(({ path }) => path !== "src/db/core-shards.ts" && path !== "src/env.ts")
      .filter(({ text }) => /\b(?:DB|CORE_\d+)\b/.test(withoutComments(text)))
      .map(({ path }) => path);
    expect(wrong).toEqual([]);
  });

  it("reach a routes.ts only from api/app.ts, and consumers and Durable Objects only from worker.ts", () => {
    const wrong = src.flatMap((file) =>
      file.imports
        .filter((one) => one.own && !one.typeOnly)
        .filter(
          ({ target }) =>
            (target.endsWith("/routes.ts") && file.path !== "src/api/app.ts") ||
            (/(?:consumer|team-ledger|auth-failures|visit-filter|suppression-imports|request-log|webhook-outbox|webhook-replay|metrics\/metrics)\.ts$/.test(
              target,
            ) &&
              file.path !== "src/worker.ts"),
        )
        .map((one) => `${file.path} → ${one.target}`),
    );
    expect(wrong).toEqual([]);
  });

  it("get every Durable Object by src/object-of.ts, which knows the deployment's jurisdiction", () => {
    const wrong = src.filter(
      ({ path, text }) =>
        path !== "src/object-of.ts" && /\.(?:getByName|idFromName|newUniqueId)\(/.test(text),
    );
    expect(wrong.map(({ path }) => path)).toEqual([]);
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

  it("reach fast-check only in test/support/properties.ts, which sets its seed", () => {
    const wrong = files.filter(({ imports }) =>
      imports.some(({ target }) => target === "fast-check"),
    );
    expect(wrong.map(({ path }) => path)).toEqual(["test/support/properties.ts"]);
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
    const stageOf = (path: string) => /^src\/mail\/([a-z]+)\//.exec(path)?.[1];
    const wrong = src.flatMap((file) =>
      file.imports
        .map(({ target }) => ({ target, from: stageOf(file.path), to: stageOf(target) }))
        .filter(
          ({ from, to }) =>
            from !== undefined && to !== undefined && from !== to && !arrows.has(`${from}→${to}`),
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

  it("never reach from the gateway, the local stack, the harness or the benches into src or each other, except from tools into the harness and from the inbox into src/lint", () => {
    const wrong = files
      .filter(({ path }) => /^(?:smtp-gateway|tools\/(?:dev|harness|bench))\//.test(path))
      .flatMap((file) =>
        file.imports
          .filter(({ own, target }) => own && houseOf(target) !== houseOf(file.path))
          .filter(
            ({ target }) =>
              !isSmtpClient(target) &&
              !(file.path === INBOX_CHECK && /^src\/(?:lib|lint)\//.test(target)) &&
              !(/^tools\/(?:bench|dev)\//.test(file.path) && target.startsWith("tools/harness/")),
          )
          .map((one) => `${file.path} → ${one.target}`),
      );
    expect(wrong).toEqual([]);
  });

  it("keep src/lint to itself and to lib/: the worker, the inbox and the command line share it", () => {
    const wrong = src
      .filter(({ path }) => path.startsWith("src/lint/"))
      .flatMap((file) =>
        file.imports
          .filter(({ own, target }) => own && !/^src\/(?:lib|lint)\//.test(target))
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

  it("never reach from src into the tools, nor from the OpenAPI generator into other tools", () => {
    const wrong = [
      ...src,
      ...files.filter(({ path }) => path.startsWith("tools/openapi/")),
    ].flatMap((file) =>
      file.imports
        .filter(({ own, target }) => own && !/^(?:src|smtp-gateway)\//.test(target))
        .filter(({ target }) => houseOf(target) !== houseOf(file.path))
        .map((one) => `${file.path} → ${one.target}`),
    );
    expect(wrong).toEqual([]);
  });

  it("keep src/operator a room of data, which imports nothing above lib/ and which the console never imports", () => {
    const wrong = product.flatMap((file) =>
      file.imports
        .filter(({ own, target }) =>
          file.path.startsWith("src/operator/")
            ? own && !/^src\/(?:operator|lib)\//.test(target)
            : file.path.startsWith("console/") && target.startsWith("src/operator/"),
        )
        .map((one) => `${file.path} → ${one.target}`),
    );
    expect(wrong).toEqual([]);
  });

  it("keep set-up and the doctor to themselves, but for the operator's tables: they run against deployments, and HTTP is their contract", () => {
    const wrong = files
      .filter(({ path }) => path.startsWith("tools/setup/"))
      .flatMap((file) =>
        file.imports
          .filter(
            ({ own, target }) =>
              own && !/^(?:tools\/setup|src\/operator)\//.test(target) && !isSmtpClient(target),
          )
          .map((one) => `${file.path} → ${one.target}`),
      );
    expect(wrong).toEqual([]);
  });

  it("reach from the chaos machine only into the harness and the local stack's processes", () => {
    const wrong = files
      .filter(({ path }) => path.startsWith("tools/chaos/"))
      .flatMap((file) =>
        file.imports
          .filter(
            ({ own, target }) =>
              own && !/^tools\/(?:chaos|harness|dev)\//.test(target) && !isSmtpClient(target),
          )
          .map((one) => `${file.path} → ${one.target}`),
      );
    expect(wrong).toEqual([]);
  });
});

/** The package, the tool or the top folder that a file is part of. */
function houseOf(path: string): string | undefined {
  return /^(?:tools\/)?[^/]+/.exec(path)?.[0];
}

/**
 * True for files of the only SMTP client. It lies in the gateway's folder, because that folder is
 * deployed alone.
 */
function isSmtpClient(path: string): boolean {
  return path.startsWith("smtp-gateway/src/smtp/");
}
