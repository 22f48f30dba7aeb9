// Builds the bundles that only benches need: the worker without its ledger, and the reference
// worker.
import { fileURLToPath } from "node:url";
import type { Cleanup } from "../../harness/cleanup.ts";
import { type Bundle, bundleAlone, bundleWrapped } from "../../harness/worker-bundle.ts";

/** Bundles the worker with its ledger stubbed (stubbed-ledger.ts). */
export function bundleStubbedWorker(cleanup: Cleanup, folder: string): Promise<Bundle> {
  const stub = import.meta.resolve("./stubbed-ledger.ts");
  return bundleWrapped(cleanup, folder, stub, "withStubbedLedger");
}

/** Bundles the reference worker (reference-worker.ts), with the worker's compatibility settings. */
export async function bundleReferenceWorker(cleanup: Cleanup, folder: string): Promise<Bundle> {
  const app = JSON.stringify(fileURLToPath(import.meta.resolve("./reference-worker.ts")));
  return bundleAlone(cleanup, folder, `export { app as default } from ${app};`);
}
