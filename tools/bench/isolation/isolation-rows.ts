// The rows of `bench hostile` about other teams in one worker. They compare one team's latencies
// with and without disturbances, in alternating rounds. The disturbances come from other teams: a
// hundred webhook endpoints that hang, or floods of new labels. Everything runs in one workerd, so
// the teams share more than in a deployment.
import type { Cleanup } from "../../harness/cleanup.ts";
import { VARS } from "../../harness/tenant.ts";
import type { BenchOptions } from "../bench-options.ts";
import { startWorkerFor } from "../system/bench-system.ts";
import { atMost, type BenchRow, median, milliseconds } from "../harness/bench-result.ts";
import { bundleFed } from "../webhooks/fed-bundle.ts";
import { type Disturbance, hangingWebhooks, labelFlood } from "./other-teams.ts";
import { type Latencies, type ProbeRound, startProbe } from "./probe.ts";

const GOAL = 1.1;
const ROUND_SECONDS = 8;
/**
 * `hooks` is the number of webhooks of each of two teams; the service allows 50. `counted` is the
 * number of messages whose labels the flooding team's ledger has counted before the first round.
 */
const SIZES = {
  full: { hooks: 50, counted: 10_000 },
  quick: { hooks: 50, counted: 1_000 },
  smoke: { hooks: 2, counted: 10 },
};

type Neighbours = readonly [name: string, disturbance: Disturbance];
type Rounds = Readonly<Record<"with" | "without", Latencies[]>>;

export async function isolationRows(
  { size, rounds, timeFactor }: BenchOptions,
  cleanup: Cleanup,
): Promise<BenchRow[]> {
  const { hooks, counted } = SIZES[size];
  const seconds = ROUND_SECONDS * timeFactor;
  const worker = await startWorkerFor(cleanup, await bundleFed(cleanup), VARS["EGRESS_URL"]!);
  const probe = await startProbe(cleanup, worker);
  const all: readonly Neighbours[] = [
    [`${2 * hooks} hanging endpoints`, await hangingWebhooks(cleanup, worker, hooks)],
    ["label floods", await labelFlood(cleanup, worker, counted)],
  ];
  await probe(seconds / 2);
  const rows: BenchRow[] = [];
  for (const [name, disturbance] of all)
    rows.push(...rowsOf(name, await compare(name, disturbance, probe, rounds, seconds)));
  return rows;
}

async function compare(
  name: string,
  disturbance: Disturbance,
  probe: ProbeRound,
  rounds: number,
  seconds: number,
): Promise<Rounds> {
  const measured: Rounds = { with: [], without: [] };
  for (let turn = 1; turn <= rounds; turn += 1) {
    console.error(`${name}: round ${turn} of ${rounds}`);
    await disturbance.begin();
    measured.with.push(await probe(seconds));
    await disturbance.end();
    measured.without.push(await probe(seconds));
  }
  return measured;
}

function rowsOf(neighbours: string, { with: beside, without: alone }: Rounds): BenchRow[] {
  const row = (figure: keyof Latencies, work: string): BenchRow => {
    const typical = (all: readonly Latencies[]) => median(all.map((one) => median(one[figure])));
    const ratio = typical(beside) / typical(alone);
    return {
      work: `${work}, beside ${neighbours} of other teams`,
      measured: `p50 ${milliseconds(typical(beside))}`,
      against: `without them: p50 ${milliseconds(typical(alone))}`,
      ratio,
      ...atMost(GOAL, ratio),
    };
  };
  return [row("accept", "accept"), row("webhook", "accepted → webhook")];
}
