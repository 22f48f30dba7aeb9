// Tests the packed package in projects of both module systems: what Node loads, and what compilers
// find under each `moduleResolution`. The type of a send must accept exactly the bodies that the
// API accepts. `npm run package` tries the packed file itself on Node, Deno and Bun.
import { execFile, spawnSync } from "node:child_process";
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { createServer } from "node:http";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { promisify } from "node:util";
import ts from "typescript";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { bundleBytes } from "../../../packages/postern/build/bundle-bytes.ts";
import {
  buildPackage,
  COMPILER,
  PACKED_BYTES,
} from "../../../packages/postern/build/build-package.ts";
import { listenOnLoopback } from "../../../tools/harness/loopback.ts";
import { snippetsOf } from "../../node/client/page-program.ts";
import { type SendCase, sendCases } from "./send-cases.ts";

const MODULES = join(import.meta.dirname, "../../../node_modules");
const PAGES = ["docs/client.md", "README.md", "packages/postern/README.md"];
const ENVIRONMENT = { POSTERN_API_KEY: "ps_key", POSTERN_URL: "https://api.example.com" };
/**
 * Loads the package as an ES module and as a CommonJS module, as a test runner may, and uses both
 * together.
 */
const MIXED = `const required = require("postern");
import("postern").then(async (imported) => {
  const fetch = async () => new Response("{}", { status: 404 });
  const caught = (kind) =>
    new kind.Postern(undefined, { fetch }).domains.list().page().catch((error) => error);
  const [one, other] = [await caught(required), await caught(imported)];
  class Own extends required.ApiError {}
  console.log(JSON.stringify({
    copies: required.AbsentError !== imported.AbsentError,
    crossed: [one, other].map((error) => [
      error instanceof required.AbsentError, error instanceof imported.AbsentError,
      error instanceof required.PosternError, error instanceof imported.ApiError, error.name,
    ]),
    others: [
      one instanceof imported.RateError, other instanceof Own, new Error() instanceof imported.PosternError,
      null instanceof required.PosternError, new imported.WebhookSignatureError("") instanceof required.ApiError,
    ],
  }));
});
`;
/** A program that uses the package's exports, both as values and as types. */
const CONSUMER = `import { AbsentError, Postern, verifyWebhook, type Domain } from "postern";
const postern: Postern = new Postern("ps_key", { baseUrl: "https://api.example.com" });
export async function use(body: string, headers: Headers, secret: string): Promise<string[]> {
  const domains: Domain[] = [];
  for await (const domain of postern.domains.list({ limit: 1 })) domains.push(domain);
  const template = await postern.templates.create({
    name: "Welcome", alias: "welcome", from: "a@example.com", reply_to: null, fallbacks: { name: "you" },
  });
  const { events } = await verifyWebhook(body, headers, secret);
  const event = await verifyWebhook(body, headers, secret, { format: "resend" });
  // @ts-expect-error: a request of the format resend has one event
  event.events;
  // @ts-expect-error: an event of the format batch has its time in occurred_at
  events[0]?.created_at;
  const cause = event.type === "email.bounced" ? event.data.bounce?.subType : event.created_at;
  const error: unknown = null;
  const status: number = error instanceof AbsentError ? error.status : 0;
  return [template.alias ?? "", cause ?? "", String(status + domains.length + events.length)];
}
`;

const project = mkdtempSync(join(tmpdir(), "postern-built-"));

beforeAll(async () => {
  await buildPackage(join(project, "node_modules/postern"));
  for (const name of ["react", "@types"])
    symlinkSync(join(MODULES, name), join(project, "node_modules", name));
});

afterAll(() => rmSync(project, { recursive: true }));

function runNode(...args: readonly string[]): string {
  const env = { PATH: process.env["PATH"], ...ENVIRONMENT };
  const { stdout, stderr, status } = spawnSync(process.execPath, args, { cwd: project, env });
  expect(status, stderr.toString()).toBe(0);
  return stdout.toString();
}

/** The Node that runs npm, such as Node 20: not the one that this repository installs. */
function machineNode(): string {
  const folders = (process.env["PATH"] ?? "").split(delimiter);
  const own = folders.filter((folder) => !folder.includes("node_modules"));
  return own.map((folder) => join(folder, "node")).find(existsSync) ?? process.execPath;
}

/** Returns the compiler's errors about these files, as `file(line,column): …`. */
function compile(
  files: Readonly<Record<string, string>>,
  compilerOptions: Readonly<Record<string, unknown>>,
): readonly string[] {
  const folder = join(project, String(compilerOptions["moduleResolution"]));
  mkdirSync(folder);
  for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text);
  const options = { target: "es2022", strict: true, noEmit: true, ...compilerOptions };
  const config = { compilerOptions: options, include: ["*"] };
  writeFileSync(join(folder, "tsconfig.json"), JSON.stringify(config));
  const { stdout } = spawnSync(process.execPath, [COMPILER, "-p", "."], { cwd: folder });
  return stdout
    .toString()
    .split("\n")
    .filter((line) => line.includes("error TS"));
}

describe("the built package", () => {
  it("has errors that are instances of both modules' classes", () => {
    writeFileSync(join(project, "mixed.cjs"), MIXED);
    const crossed = [true, true, true, true, "AbsentError"];
    expect(JSON.parse(runNode("mixed.cjs"))).toEqual({
      copies: true,
      crossed: [crossed, crossed],
      others: [false, false, false, false, false],
    });
  });

  it("runs the program of README.md with the machine's own Node, copied as send.mjs into a folder that `npm install` left as CommonJS", async () => {
    const folder = mkdtempSync(join(tmpdir(), "postern-first-send-"));
    mkdirSync(join(folder, "node_modules"));
    symlinkSync(join(project, "node_modules/postern"), join(folder, "node_modules/postern"));
    writeFileSync(join(folder, "package.json"), JSON.stringify({ dependencies: { postern: "*" } }));
    const answer = { id: "email_1", created_at: "2026-11-21T09:30:00.000Z" };
    const api = createServer((_, response) => {
      response.writeHead(202, { "Content-Type": "application/json" }).end(JSON.stringify(answer));
    });
    const port = await listenOnLoopback(api);
    const text = snippetsOf("README.md").replace("127.0.0.1:8787", `127.0.0.1:${port}`);
    writeFileSync(join(folder, "send.mjs"), text);
    const env = { PATH: process.env["PATH"], POSTERN_API_KEY: "ps_key" };
    for (const node of [process.execPath, machineNode()]) {
      const { stdout } = await promisify(execFile)(node, ["send.mjs"], { cwd: folder, env });
      expect(JSON.parse(stdout)).toEqual(answer);
    }
    api.close();
    rmSync(folder, { recursive: true });
  });

  it("is at most 136 KB when it is packed", () => {
    const { stdout } = spawnSync("tar", ["-cz", "node_modules/postern"], { cwd: project });
    expect(stdout.length).toBeGreaterThan(10_000);
    expect(stdout.length).toBeLessThanOrEqual(PACKED_BYTES);
  });

  it("adds at most 12 KB of gzip to a Worker that sends and verifies", async () => {
    expect(await bundleBytes()).toBeLessThanOrEqual(12 * 1024);
  });

  it("has a command line that says the package's version", () => {
    const about = join(project, "node_modules/postern/package.json");
    const { version } = JSON.parse(readFileSync(about, "utf8")) as { version: string };
    expect(runNode("node_modules/postern/bin/postern.js", "--version")).toBe(`${version}\n`);
  });
});

describe("the built package's types", () => {
  it("accept and refuse the bodies that the API does, and accept the pages' programs, in ES modules and CommonJS", () => {
    const cases = sendCases();
    const pages = PAGES.map((page, index) => [`page-${index}.mts`, snippetsOf(page)]);
    const errors = compile(
      {
        "consumer.mts": CONSUMER,
        "consumer.cts": CONSUMER,
        "cases.cts": casesProgram(cases),
        ...(Object.fromEntries(pages) as Readonly<Record<string, string>>),
      },
      {
        module: "nodenext",
        moduleResolution: "nodenext",
        types: ["node"],
        exactOptionalPropertyTypes: true,
        skipLibCheck: true,
      },
    );
    const refused = new Set(
      errors.flatMap((line) => /^cases\.cts\((\d+),/.exec(line)?.[1] ?? []).map(Number),
    );
    const wrong = cases.filter(({ isTaken }, index) => isTaken === refused.has(index + 2));
    expect(wrong).toEqual([]);
    expect(cases.filter(({ isTaken }) => isTaken).length).toBeGreaterThan(100);
    expect(errors.filter((line) => !line.startsWith("cases.cts"))).toEqual([]);
  });

  it("are found by a bundler, and have no errors of their own", () => {
    const options = { module: "esnext", moduleResolution: "bundler", types: [] };
    expect(compile({ "consumer.ts": CONSUMER }, options)).toEqual([]);
  });

  // Type checks with TypeScript's older API, because TypeScript 7 no longer supports `node10`.
  it("are found by moduleResolution node10", () => {
    const file = join(project, "consumer.ts");
    writeFileSync(file, CONSUMER);
    const program = ts.createProgram([file], {
      target: ts.ScriptTarget.ES2022,
      module: ts.ModuleKind.CommonJS,
      moduleResolution: ts.ModuleResolutionKind.Node10,
      types: [],
      strict: true,
      noEmit: true,
      skipLibCheck: true,
    });
    const found = ts.getPreEmitDiagnostics(program);
    expect(
      found.map(({ messageText }) => ts.flattenDiagnosticMessageText(messageText, " ")),
    ).toEqual([]);
  });
});

/** Makes a program with each case on a line of its own. The first case is on line 2. */
function casesProgram(cases: readonly SendCase[]): string {
  const start = 'import { Postern } from "postern"; const postern = new Postern();';
  return [start, ...cases.map(({ call }) => call)].join("\n");
}
