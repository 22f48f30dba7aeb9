// The bundles that only benches need: the worker without its ledger, and the reference worker.
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { Cleanup } from "../../harness/cleanup.ts";
import { type Bundle, bundleAlone, bundleEntry } from "../../harness/worker-bundle.ts";
import { CONFIG, ROOT } from "../../harness/compatibility.ts";

/** Bundles the worker with its ledger stubbed (stubbed-ledger.ts). */
export async function bundleStubbedWorker(cleanup: Cleanup, folder: string): Promise<Bundle> {
  const worker = JSON.stringify(join(ROOT, "src", "worker.ts"));
  const stub = JSON.stringify(fileURLToPath(import.meta.resolve("./stubbed-ledger.ts")));
  const entry = [
    `import worker from ${worker};`,
    `import { withStubbedLedger } from ${stub};`,
    `export * from ${worker};`,
    `export default withStubbedLedger(worker);`,
  ];
  return bundleEntry(cleanup, folder, entry.join("\n"), CONFIG);
}

/** Bundles the reference worker (reference-worker.ts), with the worker's compatibility settings. */
export async function bundleReferenceWorker(cleanup: Cleanup, folder: string): Promise<Bundle> {
  const app = JSON.stringify(fileURLToPath(import.meta.resolve("./reference-worker.ts")));
  return bundleAlone(cleanup, folder, `export { app as default } from ${app};`);
}
