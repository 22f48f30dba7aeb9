// Compares two runs. In one, a team sends password resets and a campaign. In the other, it sends
// only the resets. The team sends one reset of high priority a second. The mail goes through a
// worker's ledger and its gateway to a provider that accepts five connections.
import { join } from "node:path";
import { Cleanup, temporaryFolder } from "../../../harness/cleanup.ts";
import { MESSAGE } from "../../../harness/sample-message.ts";
import { createTenant, newDkimKey, VARS } from "../../../harness/tenant.ts";
import type { Bundle } from "../../../harness/worker-bundle.ts";
import { startWorker } from "../../../harness/workerd.ts";
import { milliseconds, percentile, type BenchRow } from "../../harness/bench-result.ts";
import { callApi } from "../../harness/http-api.ts";
import { startGatewayByDns } from "../../smtp/gateway-process.ts";
import { ShareServers } from "./share-servers.ts";
import { measureSingles, type Singles } from "./single-messages.ts";

interface CampaignPlan {
  /** Number of recipients. */
  readonly flood: number;
  readonly seconds: number;
}

/**
 * The team's delivery rate, in messages a minute. The provider can't take so many, so the campaign
 * waits in the ledger and in the gateway.
 */
const RATE_PER_MINUTE = 6_000;
const PART = 100;
const LATER_AT_MOST_MS = 1_000;
const ZONE = "five.example";

export async function campaignRow(
  cleanup: Cleanup,
  bundle: Bundle,
  { flood, seconds }: CampaignPlan,
): Promise<BenchRow> {
  const own = new Cleanup(cleanup.lifetimeSeconds);
  cleanup.add(() => own.run());
  const servers = await ShareServers.start(own);
  try {
    const target = await startTeam(own, bundle, servers);
    const sendReset = (_sender: number, recipient: string): Promise<unknown> =>
      callApi(target, "POST", "/v1/email", { ...MESSAGE, to: [recipient], priority: "high" });
    const plan = { zone: ZONE, senders: 1, seconds };
    const alone = await measureSingles(servers, plan, sendReset);
    for (let sent = 0; sent < flood; sent += PART) {
      const emails = Array.from({ length: Math.min(PART, flood - sent) }, (_, at) => ({
        to: [`reader-${sent + at}@${ZONE}`],
      }));
      const { to: _, ...defaults } = MESSAGE;
      await callApi(target, "POST", "/v1/email/batch", {
        defaults: { ...defaults, campaign: "news" },
        emails,
      });
    }
    const before = servers.arrivals.size;
    const beside = await measureSingles(servers, plan, sendReset);
    const arrived = servers.arrivals.size - before;
    console.error(`a campaign of ${flood}: ${arrived} of its messages arrived during the run`);
    return rowOf(flood, alone, beside, arrived);
  } finally {
    servers.hangUp();
    await own.run();
  }
}

async function startTeam(own: Cleanup, bundle: Bundle, servers: ShareServers) {
  const root = await temporaryFolder(own);
  const egress = join(root, "egress");
  const gateway = await startGatewayByDns(own, servers.dnsPort, servers.port, egress);
  const vars = { ...VARS, EGRESS_URL: gateway.origin };
  const worker = await startWorker(own, bundle, { state: join(root, "state"), vars });
  const { apiKey } = await createTenant(worker, RATE_PER_MINUTE, newDkimKey());
  return { origin: worker.origin, apiKey };
}

function rowOf(flood: number, alone: Singles, beside: Singles, arrived: number): BenchRow {
  const [p50, p99] = [0.5, 0.99].map((one) => percentile(beside.latencies, one)) as [
    number,
    number,
  ];
  const calm = percentile(alone.latencies, 0.99);
  const missing = beside.missing > 0 ? `, ${beside.missing} had not arrived at the end` : "";
  return {
    work: `a reset of high priority each second beside the team's campaign of ${flood.toLocaleString("en-US")}`,
    measured: `p50 ${milliseconds(p50)}, p99 ${milliseconds(p99)}${missing}`,
    against: `alone: p99 ${milliseconds(calm)}; ${arrived} messages arrived meanwhile`,
    ratio: null,
    goal: `p99 ≤ ${LATER_AT_MOST_MS} ms more than alone`,
    met: beside.missing === 0 && p99 <= calm + LATER_AT_MOST_MS,
  };
}
