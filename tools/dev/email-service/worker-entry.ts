// Writes two files with which `wrangler dev` runs the worker with the double of the Email Service.
// One is an entry script that wraps src/worker.ts. The other is a copy of wrangler.toml that also
// binds the events' queue.
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { parse } from "smol-toml";
import { EVENTS_BINDING } from "./wrapped-worker.ts";

const ROOT = fileURLToPath(new URL("../../..", import.meta.url));
const QUEUE = "postern-email-events";

interface WranglerConfig {
  readonly assets: { readonly directory: string };
  readonly queues: { readonly producers: readonly unknown[] };
}

/** Writes both files. Returns the path of the configuration, which names the entry script. */
export function writeWorkerEntry(directory: string): string {
  mkdirSync(directory, { recursive: true });
  const worker = JSON.stringify(join(ROOT, "src", "worker.ts"));
  const wrapping = JSON.stringify(fileURLToPath(new URL("wrapped-worker.ts", import.meta.url)));
  const lines = [
    `import worker from ${worker};`,
    `import { withEmailService } from ${wrapping};`,
    `export * from ${worker};`,
    "export default withEmailService(worker);\n",
  ];
  const entry = join(directory, "entry.ts");
  writeFileSync(entry, lines.join("\n"));
  const path = join(directory, "wrangler.json");
  writeFileSync(path, JSON.stringify({ ...wrappedConfig(), main: entry }, null, 2));
  return path;
}

/** Returns the worker's configuration, with the bindings that withEmailService() needs. */
function wrappedConfig(): Record<string, unknown> {
  // The build command of wrangler.toml prepares a fresh clone. It is left out here, because `npm
  // start` has done this already.
  const { build: _, ...given } = parse(
    readFileSync(join(ROOT, "wrangler.toml"), "utf8"),
  ) as unknown as WranglerConfig & { readonly build: unknown };
  const producer = { binding: EVENTS_BINDING, queue: QUEUE };
  return {
    ...given,
    assets: { ...given.assets, directory: join(ROOT, given.assets.directory) },
    queues: { ...given.queues, producers: [...given.queues.producers, producer] },
    // Durable Objects check that this binding exists. The handlers get the double's binding
    // instead.
    send_email: [{ name: "EMAIL" }],
  };
}
