// The rows of `bench hostile` about other teams in one worker. They compare one team's latencies
// with and without disturbances, in alternating rounds. The disturbances come from other teams: a
// hundred webhook endpoints that hang, or floods of new labels. Everything runs in one workerd, so
// the teams share more than in a deployment.
import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { type Cleanup, temporaryFolder } from "../../harness/cleanup.ts";
import { createTenant, newDkimKey, VARS } from "../../harness/tenant.ts";
import { startWorker } from "../../harness/workerd.ts";
import type { BenchOptions } from "../bench-options.ts";
import { type BenchRow, median, milliseconds } from "../harness/bench-result.ts";
import { bundleFed } from "../webhooks/fed-bundle.ts";
import { type Disturbance, hangingWebhooks, labelFlood } from "./other-teams.ts";
import { type Latencies, Probe } from "./probe.ts";

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
const PLENTY = 1_000_000_000;

type Neighbours = readonly [name: string, disturbance: Disturbance];
type Rounds = Readonly<Record<"with" | "without", Latencies[]>>;

export async function isolationRows(
  { size, rounds, timeFactor }: BenchOptions,
  cleanup: Cleanup,
): Promise<BenchRow[]> {
  const { hooks, counted } = SIZES[size];
  const seconds = ROUND_SECONDS * timeFactor;
  const root = await temporaryFolder(cleanup);
  await mkdir(join(root, "worker"));
  const worker = await startWorker(cleanup, await bundleFed(cleanup, join(root, "worker")), {
    state: join(root, "state"),
    vars: { ...VARS, WEBHOOK_ALLOW_PRIVATE: "true" },
  });
  const { apiKey } = await createTenant(worker, PLENTY, newDkimKey());
  const probe = await Probe.start(cleanup, { origin: worker.origin, apiKey });
  const all: readonly Neighbours[] = [
    [`${2 * hooks} hanging endpoints`, await hangingWebhooks(cleanup, worker, hooks)],
    ["label floods", await labelFlood(cleanup, worker, counted)],
  ];
  await probe.round(seconds / 2);
  const rows: BenchRow[] = [];
  for (const [name, disturbance] of all)
    rows.push(...rowsOf(name, await compare(name, disturbance, probe, rounds, seconds)));
  return rows;
}

async function compare(
  name: string,
  disturbance: Disturbance,
  probe: Probe,
  rounds: number,
  seconds: number,
): Promise<Rounds> {
  const measured: Rounds = { with: [], without: [] };
  for (let turn = 1; turn <= rounds; turn += 1) {
    console.error(`${name}: round ${turn} of ${rounds}`);
    await disturbance.begin();
    measured.with.push(await probe.round(seconds));
    await disturbance.end();
    measured.without.push(await probe.round(seconds));
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
      goal: `≤ ${GOAL}x`,
      met: ratio <= GOAL,
    };
  };
  return [row("accept", "accept"), row("webhook", "accepted → webhook")];
}
