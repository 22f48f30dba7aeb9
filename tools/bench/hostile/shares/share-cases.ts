// The cases of `bench hostile` about shares of connections. Single messages are sent while other
// teams flood a hosting company that hangs, or a provider that accepts five connections. The cases
// also count how often the provider refuses a connection.
import { type Cleanup, withOwnCleanup } from "../../../harness/cleanup.ts";
import type { Bundle } from "../../../harness/worker-bundle.ts";
import type { BenchSize } from "../../bench-options.ts";
import { percentile, spread, type BenchRow } from "../../harness/bench-result.ts";
import { missing } from "../hostile-rows.ts";
import { campaignRow } from "./campaign-case.ts";
import { ShareServers } from "./share-servers.ts";
import { type ShareSide, startGatewaySide, startPostfixShareSide } from "./share-sides.ts";
import { measureSingles, type Singles } from "./single-messages.ts";

interface SharePlan {
  /** Number of recipients of the other teams' mail. */
  readonly flood: number;
  readonly seconds: number;
  /** Seconds within which the gateway should learn the provider's limit. */
  readonly learnSeconds: number;
}

const PLANS: Readonly<Record<BenchSize, SharePlan>> = {
  full: { flood: 100_000, seconds: 90, learnSeconds: 60 },
  quick: { flood: 5_000, seconds: 15, learnSeconds: 5 },
  smoke: { flood: 200, seconds: 2, learnSeconds: 1 },
};
/** The number of domains of the hosting company that hangs. */
const DOMAINS = 10_000;
const TEAMS = 3;
const LATER_AT_MOST_MS = 1_000;
const REFUSED_AT_MOST = 0.01;

type StartSide = (own: Cleanup, servers: ShareServers) => Promise<ShareSide | string>;

export async function shareRows(
  cleanup: Cleanup,
  bundle: Bundle,
  size: BenchSize,
): Promise<BenchRow[]> {
  const plan = PLANS[size];
  const ours = await rowsOf(cleanup, plan, startGatewaySide, true);
  const campaign = await campaignRow(cleanup, bundle, plan);
  const postfix = await rowsOf(cleanup, plan, startPostfixShareSide, false);
  return [...ours, campaign, ...postfix];
}

async function rowsOf(
  cleanup: Cleanup,
  plan: SharePlan,
  start: StartSide,
  isOurs: boolean,
): Promise<BenchRow[]> {
  const name = isOurs ? "" : "Postfix: ";
  const domains = Math.min(DOMAINS, plan.flood);
  const flooded = `${name}single messages beside ${plan.flood.toLocaleString("en-US")} messages`;
  const rows: BenchRow[] = [];
  for (const zone of ["good.example", "five.example"]) {
    const hangs = zone === "good.example";
    const flood = Array.from({ length: plan.flood }, (_, at) =>
      hangs ? `reader@d${at % domains}.hangs.example` : `reader-${at}@d${at % TEAMS}.five.example`,
    );
    const alone = await run(cleanup, start, plan, zone, []);
    if (typeof alone === "string") return [{ work: name, measured: alone }];
    const beside = await run(cleanup, start, plan, zone, flood);
    if (typeof beside === "string") return [{ work: name, measured: beside }];
    const where = hangs
      ? `${domains} domains on one IP address that hangs`
      : "a provider that accepts five connections";
    rows.push(singlesRow(`${flooded} to ${where}`, alone.singles, beside.singles, isOurs));
    if (!hangs) rows.push(refusalsRow(name, beside, isOurs));
  }
  return rows;
}

/**
 * The counts are of the time after `learnSeconds`: the connections that the provider accepted and
 * refused, the messages that arrived, and those that met a refusal.
 */
interface RunFigures extends ReturnType<typeof readingOf> {
  readonly singles: Singles;
}

function run(
  cleanup: Cleanup,
  start: StartSide,
  { seconds, learnSeconds }: SharePlan,
  zone: string,
  flood: readonly string[],
): Promise<RunFigures | string> {
  return withOwnCleanup(cleanup, async (own) => {
    const servers = await ShareServers.start(own);
    const side = await start(own, servers);
    if (typeof side === "string") return side;
    own.add(() => servers.hangUp());
    side.offer("flood", flood).catch(() => undefined);
    let before = readingOf(servers, side);
    const singles = await measureSingles(
      servers,
      { zone, senders: TEAMS, seconds },
      (team, recipient) => side.offer(`team-${team}`, [recipient]),
      (passed) => {
        if (passed < learnSeconds) before = readingOf(servers, side);
      },
    );
    const after = readingOf(servers, side);
    console.error(`${side.about}, ${zone}, flood ${flood.length}: ${after.messages} arrived`);
    return {
      singles,
      taken: after.taken - before.taken,
      turnedAway: after.turnedAway - before.turnedAway,
      messages: after.messages - before.messages,
      metRefusal: after.metRefusal - before.metRefusal,
    };
  });
}

function readingOf({ taken, turnedAway, arrivals }: ShareServers, side: ShareSide) {
  return { taken, turnedAway, messages: arrivals.size, metRefusal: side.metRefusal() };
}

function singlesRow(work: string, alone: Singles, beside: Singles, isOurs: boolean): BenchRow {
  const [least, most] = [alone, beside].map(({ latencies }) => percentile(latencies, 1));
  return {
    work,
    measured: `${spread(beside.latencies, 0.5, 1)}${missing(beside)}`,
    against: `alone: ${spread(alone.latencies, 1)}`,
    ...(isOurs && {
      goal: `max ≤ ${LATER_AT_MOST_MS} ms more than alone`,
      met: beside.missing === 0 && most! <= least! + LATER_AT_MOST_MS,
    }),
  };
}

function refusalsRow(name: string, figures: RunFigures, isOurs: boolean): BenchRow {
  const { taken, turnedAway, messages, metRefusal } = figures;
  const share = (metRefusal + turnedAway) / Math.max(1, messages);
  return {
    work: `${name}the provider's 421 from the sixth connection on, after its limit should be known`,
    measured: `${turnedAway} of ${taken + turnedAway} connections were refused; ${metRefusal} messages met the 421`,
    against: `${messages} messages delivered meanwhile`,
    ...(isOurs && {
      goal: `< ${REFUSED_AT_MOST * 100} % of attempts`,
      met: share < REFUSED_AT_MOST,
    }),
  };
}
