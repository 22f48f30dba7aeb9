// Builds bundles for Miniflare as a deployment builds them: by `wrangler deploy --dry-run` into a
// temporary folder. A process builds each bundle only once, even if it runs several benches.
import { mkdir, readFile, writeFile } from "node:fs/promises";
import { homedir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { Child } from "./child.ts";
import type { Cleanup } from "./cleanup.ts";
import { COMPATIBILITY, CONFIG, ROOT } from "./compatibility.ts";

export interface Bundle {
  /** Path of the wrangler configuration with the worker's bindings. */
  readonly config: string;
  /** Path of the bundle, which is one JavaScript file. */
  readonly script: string;
}

/** Wrangler's program. Its launcher would only start this program as another process. */
const WRANGLER = fileURLToPath(import.meta.resolve("wrangler"));
const ENTRY = "entry.js";
const BUILD_TIMEOUT_MS = 10 * 60_000;

/** The scripts that this process has built. The key is the source of the script. */
const built = new Map<string, Promise<string>>();

/**
 * Bundles the worker as it is deployed. `folder` must exist and contain only this bundle. `config`
 * may belong to another tree, such as an earlier commit.
 */
export async function bundleWorker(
  cleanup: Cleanup,
  folder: string,
  config = CONFIG,
): Promise<Bundle> {
  const script = join(folder, "worker.js");
  await buildOnce(config, script, () =>
    wrangler(cleanup, ["--config", config, "--outdir", folder]),
  );
  return { config, script };
}

/**
 * Bundles parts of the worker. `parts` has their paths in src. `workerAround`, an export of the
 * bench's module, makes a worker from the parts' exports. The bundle has the worker's settings.
 */
export async function bundleParts(
  cleanup: Cleanup,
  folder: string,
  parts: readonly string[],
  module: string,
): Promise<Bundle> {
  const imports = parts.map(
    (part, index) => `import * as part${index} from ${JSON.stringify(join(ROOT, "src", part))};`,
  );
  const entry = [
    ...imports,
    `import { workerAround } from ${JSON.stringify(fileURLToPath(module))};`,
    `export default workerAround({ ${parts.map((_, index) => `...part${index}`).join(", ")} });`,
  ];
  return bundleAlone(cleanup, folder, entry.join("\n"));
}

/**
 * Bundles the worker. `wrapper`, an export of `module`, wraps the worker's handlers. `more` has
 * additional lines of the entry script. They may use `parts` (the worker's exports) and `added`
 * (the exports of `module`).
 */
export function bundleWrapped(
  cleanup: Cleanup,
  folder: string,
  module: string,
  wrapper: string,
  more: readonly string[] = [],
): Promise<Bundle> {
  const worker = JSON.stringify(join(ROOT, "src", "worker.ts"));
  const entry = [
    `import worker, * as parts from ${worker};`,
    `import * as added from ${JSON.stringify(fileURLToPath(module))};`,
    `export * from ${worker};`,
    ...more,
    `export default added.${wrapper}(worker);`,
  ];
  return bundleEntry(cleanup, folder, entry.join("\n"), CONFIG);
}

/** Bundles a worker without bindings. */
export async function bundleAlone(cleanup: Cleanup, folder: string, text: string): Promise<Bundle> {
  const config = join(folder, "wrangler.json");
  const settings = {
    name: "bench",
    main: ENTRY,
    compatibility_date: COMPATIBILITY.date,
    compatibility_flags: COMPATIBILITY.flags,
  };
  await writeFile(config, JSON.stringify(settings));
  return bundleEntry(cleanup, folder, text, config);
}

/**
 * Bundles any entry as wrangler does, but without minifying, so that stack traces can be read.
 * `config` has its bindings.
 */
export async function bundleEntry(
  cleanup: Cleanup,
  folder: string,
  text: string,
  config: string,
): Promise<Bundle> {
  const script = join(folder, "dist", ENTRY);
  const entry = join(folder, ENTRY);
  const args = [entry, "--no-minify", "--config", config, "--outdir", join(folder, "dist")];
  await buildOnce(`${await readFile(config, "utf8")}${text}`, script, async () => {
    await writeFile(entry, text);
    await wrangler(cleanup, args);
  });
  return { config, script };
}

/** Builds `script`, or writes the text of an earlier build from the same source. */
async function buildOnce(from: string, script: string, build: () => Promise<void>): Promise<void> {
  const known = built.get(from);
  if (known === undefined) {
    const building = build().then(() => readFile(script, "utf8"));
    built.set(from, building);
    await building;
  } else {
    await mkdir(dirname(script), { recursive: true });
    await writeFile(script, await known);
  }
}

async function wrangler(cleanup: Cleanup, args: readonly string[]): Promise<void> {
  const env = { HOME: homedir(), WRANGLER_SEND_METRICS: "false" };
  const child = new Child(cleanup, process.execPath, [WRANGLER, "deploy", "--dry-run", ...args], {
    env,
  });
  await child.succeeds(BUILD_TIMEOUT_MS);
}
