// Bundles the deployed worker with ledger-feed.ts around it, starts it on a folder of state, and
// asks its ledgers.
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { callApi } from "../harness/http-api.ts";
import { type Bundle, bundleEntry } from "../../harness/worker-bundle.ts";
import { CONFIG, ROOT } from "../../harness/compatibility.ts";
import type { Cleanup } from "../../harness/cleanup.ts";
import type { Worker } from "../../harness/workerd.ts";
import { FEED_PATH, type LedgerAsk } from "./ledger-feed.ts";

export async function bundleWithFeed(cleanup: Cleanup, folder: string): Promise<Bundle> {
  const worker = JSON.stringify(join(ROOT, "src", "worker.ts"));
  const feed = JSON.stringify(fileURLToPath(import.meta.resolve("./ledger-feed.ts")));
  const entry = [
    `import worker, { TeamLedger as Base } from ${worker};`,
    `import { feedableLedger, withLedgerFeed } from ${feed};`,
    `export * from ${worker};`,
    "export const TeamLedger = feedableLedger(Base);",
    "export default withLedgerFeed(worker);",
  ];
  return bundleEntry(cleanup, folder, entry.join("\n"), CONFIG);
}

/** Returns how many of the team's scheduled messages are due at `at`, after it copied some. */
export async function askLedger({ origin }: Worker, ask: LedgerAsk): Promise<number> {
  const target = { origin, apiKey: "" };
  return (await callApi<{ due: number }>(target, "POST", FEED_PATH, ask)).due;
}
