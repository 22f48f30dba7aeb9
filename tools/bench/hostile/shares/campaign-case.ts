// Compares two runs. A team sends password resets and a campaign in one run, and only the resets in
// the other. The team sends one reset of high priority a second. The mail goes through a worker's
// ledger and its gateway to a provider that accepts five connections.
import { type Cleanup, withOwnCleanup } from "../../../harness/cleanup.ts";
import { BATCH, MESSAGE } from "../../../harness/sample-message.ts";
import { createTenant, type Tenant } from "../../../harness/tenant.ts";
import type { Bundle } from "../../../harness/worker-bundle.ts";
import { percentile, spread, type BenchRow } from "../../harness/bench-result.ts";
import { startWorkerFor } from "../../system/bench-system.ts";
import { callApi } from "../../harness/http-api.ts";
import { startGateway, toDnsServers } from "../../smtp/gateway-process.ts";
import { missing } from "../hostile-rows.ts";
import { ShareServers } from "./share-servers.ts";
import { measureSingles } from "./single-messages.ts";

interface CampaignPlan {
  /** Number of recipients of the campaign. */
  readonly flood: number;
  readonly seconds: number;
}

/**
 * The team's delivery rate, in messages a minute. The provider can't take so many, so the campaign
 * waits in the ledger and in the gateway.
 */
const RATE_PER_MINUTE = 6_000;
const LATER_AT_MOST_MS = 1_000;
const ZONE = "five.example";

export function campaignRow(
  cleanup: Cleanup,
  bundle: Bundle,
  { flood, seconds }: CampaignPlan,
): Promise<BenchRow> {
  return withOwnCleanup(cleanup, async (own) => {
    const servers = await ShareServers.start(own);
    const gateway = await startGateway(own, toDnsServers(servers.dnsPort, servers.port));
    const worker = await startWorkerFor(own, bundle, gateway.origin);
    own.add(() => servers.hangUp());
    const team = await createTenant(worker, RATE_PER_MINUTE);
    const sendReset = (_sender: number, recipient: string): Promise<unknown> =>
      callApi(team, "POST", "/v1/email", { ...MESSAGE, to: [recipient], priority: "high" });
    const plan = { zone: ZONE, senders: 1, seconds };
    const alone = await measureSingles(servers, plan, sendReset);
    await sendCampaign(team, flood);
    const before = servers.arrivals.size;
    const beside = await measureSingles(servers, plan, sendReset);
    const arrived = servers.arrivals.size - before;
    const [calm, p99] = [alone, beside].map(({ latencies }) => percentile(latencies, 0.99));
    return {
      work: `a reset of high priority each second beside the team's campaign of ${flood.toLocaleString("en-US")}`,
      measured: `${spread(beside.latencies, 0.5, 0.99)}${missing(beside)}`,
      against: `alone: ${spread(alone.latencies, 0.99)}; ${arrived} messages arrived meanwhile`,
      goal: `p99 ≤ ${LATER_AT_MOST_MS} ms more than alone`,
      met: beside.missing === 0 && p99! <= calm! + LATER_AT_MOST_MS,
    };
  });
}

async function sendCampaign(team: Tenant, flood: number): Promise<void> {
  const { to: _, ...message } = MESSAGE;
  const defaults = { ...message, campaign: "news" };
  for (let sent = 0; sent < flood; sent += BATCH.messages) {
    const length = Math.min(BATCH.messages, flood - sent);
    const emails = Array.from({ length }, (__, at) => ({ to: [`reader-${sent + at}@${ZONE}`] }));
    await callApi(team, "POST", BATCH.path, { defaults, emails });
  }
}
