// Builds the worker as it is deployed, with its bindings made faulty (faulty-worker.ts): every
// class that wrangler.toml names as an object is wrapped.
import { fileURLToPath } from "node:url";
import { join } from "node:path";
import { type Bundle, bundleEntry, CONFIG, ROOT } from "../bench/harness/worker-bundle.ts";
import type { Cleanup } from "../bench/harness/cleanup.ts";

/** Those with an alarm, and the names that their alarms have in a plan. */
const ALARMING: Readonly<Record<string, string>> = {
  TeamLedger: "ledger",
  WebhookOutbox: "outbox",
};

/** `folder` is an existing one, for this bundle alone. */
export async function bundleFaultyWorker(cleanup: Cleanup, folder: string): Promise<Bundle> {
  const worker = JSON.stringify(join(ROOT, "src", "worker.ts"));
  const faults = JSON.stringify(fileURLToPath(import.meta.resolve("./faulty-worker.ts")));
  const entry = [
    `import worker, * as classes from ${worker};`,
    `import { faultyHandlers, faultyObject } from ${faults};`,
    `export { AuthFailures, Metrics, SuppressionImports, Visits, WebhookReplay } from ${worker};`,
    ...Object.entries(ALARMING).map(
      ([name, alarm]) =>
        `export class ${name} extends faultyObject(classes.${name}, "${alarm}") {}`,
    ),
    `export default faultyHandlers(worker);`,
  ];
  return bundleEntry(cleanup, folder, entry.join("\n"), CONFIG);
}
