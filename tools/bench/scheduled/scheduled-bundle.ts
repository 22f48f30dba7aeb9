// Bundles the deployed worker with the call that ledger-feed.ts adds to the ledger, and makes this
// call.
import { callApi } from "../harness/http-api.ts";
import { type Bundle, bundleWrapped } from "../../harness/worker-bundle.ts";
import type { Cleanup } from "../../harness/cleanup.ts";
import type { Worker } from "../../harness/workerd.ts";
import { FEED_PATH, type LedgerFeedRequest } from "./ledger-feed.ts";

export function bundleWithFeed(cleanup: Cleanup, folder: string): Promise<Bundle> {
  return bundleWrapped(cleanup, folder, import.meta.resolve("./ledger-feed.ts"), "withLedgerFeed", [
    "export const TeamLedger = added.feedableLedger(parts.TeamLedger);",
  ]);
}

/** Makes the copies, then returns how many of the team's scheduled messages are due at `at`. */
export async function askLedger({ origin }: Worker, ask: LedgerFeedRequest): Promise<number> {
  const target = { origin, apiKey: "" };
  return (await callApi<{ due: number }>(target, "POST", FEED_PATH, ask)).due;
}
