// The cases of `bench hostile` about shares of connections. Single messages are sent while other
// teams flood a hosting company that hangs, or a provider that accepts five connections. The cases
// also count how often the provider refuses a connection.
import { Cleanup } from "../../../harness/cleanup.ts";
import type { Bundle } from "../../../harness/worker-bundle.ts";
import type { BenchSize } from "../../bench-options.ts";
import { milliseconds, percentile, type BenchRow } from "../../harness/bench-result.ts";
import { campaignRow } from "./campaign-case.ts";
import { ShareServers } from "./share-servers.ts";
import { type ShareSide, startGatewaySide, startPostfixShareSide } from "./share-sides.ts";
import { measureSingles, type Singles } from "./single-messages.ts";

interface SharePlan {
  /** Number of recipients. */
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

type StartSide = (cleanup: Cleanup, servers: ShareServers) => Promise<ShareSide | string>;

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
  const flooded = plan.flood.toLocaleString("en-US");
  const runs: BenchRow[] = [];
  for (const zone of ["good.example", "five.example"] as const) {
    const hangs = zone === "good.example";
    const alone = await run(cleanup, start, plan, zone, []);
    if (typeof alone === "string") return [reasonRow(name, alone)];
    const flood = Array.from({ length: plan.flood }, (_, at) =>
      hangs ? `reader@d${at % domains}.hangs.example` : `reader-${at}@d${at % TEAMS}.five.example`,
    );
    const beside = await run(cleanup, start, plan, zone, flood);
    if (typeof beside === "string") return [reasonRow(name, beside)];
    const what = hangs
      ? `${name}single messages beside ${flooded} messages to ${domains} domains on one IP ` +
        "address that hangs"
      : `${name}single messages of three teams beside ${flooded} messages to a provider that ` +
        "accepts five connections";
    runs.push(singlesRow(what, alone.singles, beside.singles, isOurs));
    if (!hangs) runs.push(refusalsRow(name, beside, isOurs));
  }
  return runs;
}

interface RunFigures {
  readonly singles: Singles;
  /**
   * Connections that the provider accepted, and connections that it refused, after `learnSeconds`.
   */
  readonly taken: number;
  readonly turnedAway: number;
  readonly messages: number;
  readonly metRefusal: number;
}

async function run(
  cleanup: Cleanup,
  start: StartSide,
  { seconds, learnSeconds }: SharePlan,
  zone: string,
  flood: readonly string[],
): Promise<RunFigures | string> {
  const own = new Cleanup(cleanup.lifetimeSeconds);
  cleanup.add(() => own.run());
  const servers = await ShareServers.start(own);
  try {
    const side = await start(own, servers);
    if (typeof side === "string") return side;
    const flooding = side.offer("flood", flood);
    flooding.catch(() => undefined);
    let before = readingOf(servers, side);
    const singles = await measureSingles(
      servers,
      { zone, senders: TEAMS, seconds },
      (team, recipient) => side.offer(`team-${team}`, [recipient]),
      (elapsedMs) => {
        if (elapsedMs < learnSeconds * 1_000) before = readingOf(servers, side);
      },
    );
    const after = readingOf(servers, side);
    side.end();
    console.error(
      `${side.about}, ${zone}, flood ${flood.length}: ${servers.arrivals.size} arrived`,
    );
    return {
      singles,
      taken: after.taken - before.taken,
      turnedAway: after.turnedAway - before.turnedAway,
      messages: after.messages - before.messages,
      metRefusal: after.metRefusal - before.metRefusal,
    };
  } finally {
    servers.hangUp();
    await own.run();
  }
}

function readingOf({ taken, turnedAway, arrivals }: ShareServers, side: ShareSide) {
  return { taken, turnedAway, messages: arrivals.size, metRefusal: side.metRefusal() };
}

function singlesRow(work: string, alone: Singles, beside: Singles, isOurs: boolean): BenchRow {
  const [least, most] = [alone, beside].map(({ latencies }) => percentile(latencies, 1)) as [
    number,
    number,
  ];
  const p50 = milliseconds(percentile(beside.latencies, 0.5));
  const missing = beside.missing > 0 ? `, ${beside.missing} had not arrived at the end` : "";
  return {
    work,
    measured: `p50 ${p50}, max ${milliseconds(most)}${missing}`,
    against: `alone: max ${milliseconds(least)}`,
    ratio: null,
    goal: isOurs ? `max ≤ ${LATER_AT_MOST_MS} ms more than alone` : null,
    met: isOurs ? beside.missing === 0 && most <= least + LATER_AT_MOST_MS : null,
  };
}

function refusalsRow(name: string, figures: RunFigures, isOurs: boolean): BenchRow {
  const { taken, turnedAway, messages, metRefusal } = figures;
  const share = (metRefusal + turnedAway) / Math.max(1, messages);
  return {
    work: `${name}the provider's 421 from the sixth connection on, after its limit should be known`,
    measured: `${turnedAway} of ${taken + turnedAway} connections were refused; ${metRefusal} messages met the 421`,
    against: `${messages} messages delivered meanwhile`,
    ratio: null,
    goal: isOurs ? `< ${REFUSED_AT_MOST * 100} % of attempts` : null,
    met: isOurs ? share < REFUSED_AT_MOST : null,
  };
}

function reasonRow(name: string, reason: string): BenchRow {
  return { work: name, measured: reason, against: "", ratio: null, goal: null, met: null };
}
