// `npm run package`: builds and packs the package. It then checks what an installing project gets:
// the files and sizes, the exports (publint, arethetypeswrong), and that the package works on Node,
// Deno and Bun. Leaves postern-<version>.tgz in packages/postern/dist. `-- --untried` skips the
// checks on the runtimes.
import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { buildPackage, PACKAGE, PACKED_BYTES } from "./build-package.ts";
import { bundleBytes } from "./bundle-bytes.ts";
import { tryOnRuntimes } from "./try-on-runtimes.ts";

const BIN = join(PACKAGE, "../../node_modules/.bin");
const DIST = join(PACKAGE, "dist");
const BUNDLE_BYTES = 12 * 1024;
const FILES =
  /^(?:package\.json|README\.md|LICENSE|bin\/postern\.js|dist\/(?:postern\.(?:js|cjs|d\.ts|d\.cts)|client\.js|cli\/main\.js|types\/.+\.d\.cts))$/;

interface Packed {
  readonly filename: string;
  readonly size: number;
  readonly files: readonly { readonly path: string }[];
}

await buildPackage(PACKAGE);
const packed = pack();
const tarball = join(DIST, packed.filename);
const strangers = packed.files.filter(({ path }) => !FILES.test(path));
if (strangers.length > 0) fail(`unexpected files: ${strangers.map(({ path }) => path).join(", ")}`);
report("packed", packed.size, PACKED_BYTES);
if (process.argv.includes("--untried")) process.exit();
report("a Worker that sends and verifies, gzipped", await bundleBytes(), BUNDLE_BYTES);
run("publint", ["run", tarball, "--strict"]);
run("attw", [tarball]);
await tryOnRuntimes(tarball);
console.log(`\n${tarball}`);

function pack(): Packed {
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
