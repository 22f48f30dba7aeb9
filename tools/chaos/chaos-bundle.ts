// Builds the worker as it is deployed, but with bindings that inject faults (faulty-worker.ts).
// Every class that wrangler.toml names as a Durable Object is wrapped.
import { join } from "node:path";
import { type Bundle, bundleEntry } from "../harness/worker-bundle.ts";
import { ROOT } from "../harness/compatibility.ts";
import type { Cleanup } from "../harness/cleanup.ts";

/** Classes with an alarm, and the name of their alarm in a plan. */
const ALARMING: Readonly<Record<string, string>> = {
  TeamLedger: "ledger",
  WebhookOutbox: "outbox",
};

export function bundleFaultyWorker(cleanup: Cleanup): Promise<Bundle> {
  const worker = JSON.stringify(join(ROOT, "src", "worker.ts"));
  const faults = JSON.stringify(new URL(import.meta.resolve("./faulty-worker.ts")).pathname);
  const entry = [
    `import worker, * as classes from ${worker};`,
    `import { faultyHandlers, faultyObject } from ${faults};`,
    `export { AuthFailures, Metrics, RequestLog } from ${worker};`,
    `export { SuppressionImports, Visits, WebhookReplay } from ${worker};`,
    ...Object.entries(ALARMING).map(
      ([name, alarm]) =>
        `export class ${name} extends faultyObject(classes.${name}, "${alarm}") {}`,
    ),
    `export default faultyHandlers(worker);`,
  ];
  return bundleEntry(cleanup, entry.join("\n"));
}
