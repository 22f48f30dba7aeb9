// Bundles the deployed worker with ledger-feed.ts around it, starts it on a folder of state, and
// asks its ledgers.
import { callApi } from "../harness/http-api.ts";
import { type Bundle, bundleWrapped } from "../../harness/worker-bundle.ts";
import type { Cleanup } from "../../harness/cleanup.ts";
import type { Worker } from "../../harness/workerd.ts";
import { FEED_PATH, type LedgerAsk } from "./ledger-feed.ts";

export function bundleWithFeed(cleanup: Cleanup, folder: string): Promise<Bundle> {
  return bundleWrapped(cleanup, folder, import.meta.resolve("./ledger-feed.ts"), "withLedgerFeed", [
    "export const TeamLedger = added.feedableLedger(parts.TeamLedger);",
  ]);
}

/** Returns how many of the team's scheduled messages are due at `at`, after it copied some. */
export async function askLedger({ origin }: Worker, ask: LedgerAsk): Promise<number> {
  const target = { origin, apiKey: "" };
  return (await callApi<{ due: number }>(target, "POST", FEED_PATH, ask)).due;
}
