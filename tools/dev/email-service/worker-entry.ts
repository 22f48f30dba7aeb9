// Writes two files with which `wrangler dev` runs the worker with the double of the Email Service,
// the front, or both. One is an entry script that wraps src/worker.ts. The other is a copy of
// wrangler.toml that also binds the events' queue.
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { parse } from "smol-toml";
import { ROOT } from "../dev-settings.ts";
import { EVENTS_BINDING } from "./wrapped-worker.ts";

/** The worker identifies its queues by the ends of their names. */
const EVENTS_END = "-email-events";

interface WranglerConfig {
  readonly assets: { readonly directory: string };
  readonly queues: { readonly producers: readonly { readonly queue: string }[] };
  readonly durable_objects: { readonly bindings: readonly { readonly class_name: string }[] };
}

export interface EntryOptions {
  /** True: the worker sends through the double of the Email Service. */
  readonly hasEmailService: boolean;
  /** True: the limits of the platform also apply to the Durable Objects. */
  readonly isLimited?: boolean;
  /** The front's URL. Null: the worker's requests do not go through a front. */
  readonly frontUrl?: string | null;
  readonly source?: string;
}

/** Writes both files. Returns the path of the configuration, which names the entry script. */
export function writeWorkerEntry(
  directory: string,
  {
    hasEmailService,
    isLimited = false,
    frontUrl = null,
    source = join(ROOT, "wrangler.toml"),
  }: EntryOptions,
): string {
  mkdirSync(directory, { recursive: true });
  // The build command of wrangler.toml prepares a fresh clone. The copy has no build command,
  // because `npm start` has prepared the clone.
  const text = readFileSync(source, "utf8");
  const { build: _, ...config } = (
    source.endsWith(".json") ? JSON.parse(text) : parse(text)
  ) as WranglerConfig & { readonly build: unknown };
  const entry = join(directory, "entry.ts");
  writeFileSync(entry, entryScript(config, { hasEmailService, isLimited, frontUrl }));
  const path = join(directory, "wrangler.json");
  writeFileSync(
    path,
    JSON.stringify({ ...wrappedConfig(config, hasEmailService), main: entry }, null, 2),
  );
  return path;
}

function entryScript(
  { durable_objects: objects }: WranglerConfig,
  { hasEmailService, isLimited, frontUrl }: Required<Omit<EntryOptions, "source">>,
): string {
  const worker = JSON.stringify(join(ROOT, "src", "worker.ts"));
  const wrapping = pathOf(new URL("wrapped-worker.ts", import.meta.url));
  const classes = objects.bindings.map(({ class_name: name }) => name);
  const exported = isLimited
    ? [
        `import { limitedObject } from ${pathOf(new URL("../platform/limited-worker.ts", import.meta.url))};`,
        ...classes.map((name) => `export class ${name} extends limitedObject(parts.${name}) {}`),
      ]
    : [`export * from ${worker};`];
  const leading = pathOf(new URL("../front/outgoing-requests.ts", import.meta.url));
  const lines = [
    `import worker, * as parts from ${worker};`,
    ...(hasEmailService ? [`import { withEmailService } from ${wrapping};`] : []),
    ...(frontUrl === null
      ? []
      : [
          `import { leadThroughFront } from ${leading};`,
          `leadThroughFront(${JSON.stringify(frontUrl)});`,
        ]),
    ...exported,
    `export default ${hasEmailService ? "withEmailService(worker)" : "worker"};\n`,
  ];
  return lines.join("\n");
}

function pathOf(url: URL): string {
  return JSON.stringify(fileURLToPath(url));
}

/** Returns the worker's configuration, with the bindings that withEmailService() needs. */
function wrappedConfig(given: WranglerConfig, hasEmailService: boolean): Record<string, unknown> {
  const assets = { ...given.assets, directory: resolve(ROOT, given.assets.directory) };
  if (!hasEmailService) return { ...given, assets };
  const { producers } = given.queues;
  const queue = producers.find((one) => one.queue.endsWith(EVENTS_END))?.queue;
  const producer = { binding: EVENTS_BINDING, queue };
  return {
    ...given,
    assets,
    queues: { ...given.queues, producers: [...producers, producer] },
    // Durable Objects check that this binding exists. The handlers get the double's binding in its
    // place.
    send_email: [{ name: "EMAIL" }],
  };
}
