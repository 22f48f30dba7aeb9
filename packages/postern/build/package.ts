// `npm run package`: builds and packs the package, and checks what a project gets that installs it:
// its files and sizes, its exports (publint, arethetypeswrong), and that it works on Node, Deno and
// Bun. Leaves postern-<version>.tgz in packages/postern/dist. `-- --untried` stops when it is packed.
import { spawnSync } from "node:child_process";
import { mkdirSync, renameSync, rmSync } from "node:fs";
import { join } from "node:path";
import { bundleBytes } from "./bundle-bytes.ts";
import { tryOnRuntimes } from "./try-on-runtimes.ts";

const PACKAGE = join(import.meta.dirname, "..");
const BIN = join(PACKAGE, "../../node_modules/.bin");
const DIST = join(PACKAGE, "dist");
const PACKED_BYTES = 60 * 1024;
const BUNDLE_BYTES = 12 * 1024;
const FILES = /^(?:package\.json|README\.md|LICENSE|bin\/postern\.js|dist\/.+\.(?:js|d\.ts))$/;
/** Only the client has types: nothing imports the command line. */
const WITHOUT_TYPES = /^dist\/cli\/.+\.d\.ts$/;

interface Packed {
  readonly filename: string;
  readonly size: number;
  readonly files: readonly { readonly path: string }[];
}

rmSync(DIST, { recursive: true, force: true });
run("tsc", ["-p", "tsconfig.build.json"]);
run(
  "tsc",
  "-p tsconfig.json --noEmit false --declaration --emitDeclarationOnly --rootDir src --outDir dist".split(
    " ",
  ),
);
bundleCommandLine();
const packed = pack();
const tarball = join(DIST, packed.filename);
const strangers = packed.files.filter(({ path }) => !FILES.test(path) || WITHOUT_TYPES.test(path));
if (strangers.length > 0) fail(`what is ${strangers.map(({ path }) => path).join(", ")}?`);
report("packed", packed.size, PACKED_BYTES);
if (process.argv.includes("--untried")) process.exit();
report("send and verify in a Worker, gzipped", await bundleBytes(), BUNDLE_BYTES);
run("publint", ["run", tarball, "--strict"]);
run("attw", [tarball, "--profile", "esm-only"]);
await tryOnRuntimes(tarball);
console.log(`\n${tarball}`);

/** Makes one file of the command line: packed, its forty small ones have 6 KB more. */
function bundleCommandLine(): void {
  const [folder, bundle] = [join(DIST, "cli"), join(DIST, "bundle")];
  run("esbuild", [
    "dist/cli/main.js",
    "--bundle",
    "--platform=node",
    "--format=esm",
    "--minify-whitespace",
    "--minify-syntax",
    "--charset=utf8",
    "--external:./dist/client/*",
    "--outfile=dist/bundle/main.js",
    "--log-level=warning",
  ]);
  rmSync(folder, { recursive: true });
  renameSync(bundle, folder);
}

function pack(): Packed {
  mkdirSync(DIST, { recursive: true });
  const text = run(
    "npm",
    ["pack", "--json", "--loglevel=error", "--pack-destination", "dist"],
    true,
  );
  const told = JSON.parse(text) as Packed[] | Record<string, Packed>;
  const [one] = Object.values(told);
  if (!one) throw new Error("npm packed nothing");
  return one;
}

function report(what: string, bytes: number, most: number): void {
  console.log(`${what}: ${(bytes / 1024).toFixed(1)} KB of ${most / 1024}`);
  if (bytes > most) fail(`${what} is too large`);
}

function run(program: string, args: readonly string[], isRead = false): string {
  const { status, stdout } = spawnSync(program, args, {
    cwd: PACKAGE,
    env: { ...process.env, PATH: `${BIN}:${process.env["PATH"]}` },
    stdio: ["ignore", isRead ? "pipe" : "inherit", "inherit"],
  });
  if (status !== 0) fail(`${program} ${args.join(" ")} failed`);
  return isRead ? stdout.toString() : "";
}

function fail(message: string): never {
  console.error(`postern: ${message}`);
  process.exit(1);
}
