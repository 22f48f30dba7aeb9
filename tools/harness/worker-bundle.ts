// Builds bundles for Miniflare as a deployment builds them: by `wrangler deploy --dry-run` into a
// temporary folder. A process builds each bundle only once, even if it runs several benches.
import { mkdir, readFile, writeFile } from "node:fs/promises";
import { homedir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { Child } from "./child.ts";
import { type Cleanup, temporaryFolder } from "./cleanup.ts";
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

/** The texts of the bundles that this process has built, by their source. */
const built = new Map<string, Promise<string>>();

/** Bundles the worker as it is deployed. `config` may belong to another tree. */
export async function bundleWorker(cleanup: Cleanup, config = CONFIG): Promise<Bundle> {
  const script = await buildOnce(cleanup, config, async (folder) => {
    await wrangler(cleanup, ["--config", config, "--outdir", folder]);
    return join(folder, "worker.js");
  });
  return { config, script };
}

/**
 * Bundles a worker that is made from the deployed one. `wrapped` is the JavaScript expression for
 * it, and `more` has additional lines of the entry script. They may use `worker`, `parts` (its
 * exports) and `added` (the exports of `module`, which runs before the worker's code).
 */
export function bundleWrapped(
  cleanup: Cleanup,
  module: string,
  wrapped: string,
  more: readonly string[] = [],
): Promise<Bundle> {
  const worker = JSON.stringify(join(ROOT, "src", "worker.ts"));
  const entry = [
    `import * as added from ${JSON.stringify(fileURLToPath(module))};`,
    `import worker, * as parts from ${worker};`,
    `export * from ${worker};`,
    ...more,
    `export default ${wrapped};`,
  ];
  return bundleEntry(cleanup, entry.join("\n"));
}

/** Bundles a worker without bindings. `worker` is the name under which `module` exports it. */
export async function bundleAlone(
  cleanup: Cleanup,
  module: string,
  worker: string,
): Promise<Bundle> {
  const config = join(await temporaryFolder(cleanup), "wrangler.json");
  const { date, flags } = COMPATIBILITY;
  const settings = { name: "bench", compatibility_date: date, compatibility_flags: flags };
  await writeFile(config, JSON.stringify(settings));
  const path = JSON.stringify(fileURLToPath(module));
  return bundleEntry(cleanup, `export { ${worker} as default } from ${path};`, config);
}

/**
 * Bundles any entry as wrangler does, but without minifying, so that stack traces can be read.
 * `config` has its bindings.
 */
export async function bundleEntry(
  cleanup: Cleanup,
  text: string,
  config = CONFIG,
): Promise<Bundle> {
  const source = `${await readFile(config, "utf8")}${text}`;
  const script = await buildOnce(cleanup, source, async (folder) => {
    const entry = join(folder, "source", ENTRY);
    await mkdir(join(folder, "source"));
    await writeFile(entry, text);
    await wrangler(cleanup, [entry, "--no-minify", "--config", config, "--outdir", folder]);
    return join(folder, ENTRY);
  });
  return { config, script };
}

/** Returns the path of the bundle. A bundle from a known source is not built again. */
async function buildOnce(
  cleanup: Cleanup,
  source: string,
  build: (folder: string) => Promise<string>,
): Promise<string> {
  const folder = await temporaryFolder(cleanup);
  const text = built.get(source) ?? build(folder).then((script) => readFile(script, "utf8"));
  built.set(source, text);
  const script = join(folder, "bundle.js");
  await writeFile(script, await text);
  return script;
}

async function wrangler(cleanup: Cleanup, args: readonly string[]): Promise<void> {
  const env = { HOME: homedir(), WRANGLER_SEND_METRICS: "false" };
  const command = [WRANGLER, "deploy", "--dry-run", ...args];
  await new Child(cleanup, process.execPath, command, { env }).succeeds(BUILD_TIMEOUT_MS);
}
