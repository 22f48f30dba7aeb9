// `bench isolation`: measures one team's latencies while its neighbours have a hundred hanging
// endpoints, send floods of new labels, or have a hundred thousand messages waiting. It compares
// them with the latencies without neighbours, in alternating rounds. Everything runs in one
// workerd, so more is shared here than in a deployment.
import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import type { Bundle } from "../../harness/worker-bundle.ts";
import { type Cleanup, temporaryFolder } from "../../harness/cleanup.ts";
import {
  backlog,
  type Disturbance,
  FLOOD_EVERY_MS,
  HANGING_WEBHOOKS,
  hangingWebhooks,
  labelFlood,
  STANDARD_RATE,
} from "../isolation/other-teams.ts";
import { type Latencies, Probe, SEND_EVERY_MS } from "../isolation/probe.ts";
import { cpuSeconds } from "../../harness/machine.ts";
import type { BenchOptions } from "../bench-options.ts";
import { median, milliseconds, type BenchResult, type BenchRow } from "../harness/bench-result.ts";
import { createTenant, newDkimKey, VARS } from "../../harness/tenant.ts";
import { bundleFed } from "../webhooks/fed-bundle.ts";
import { startWorker, type Worker } from "../../harness/workerd.ts";

const GOAL = 1.1;
const ROUND_SECONDS = 8;
const SIZES = {
  full: { backlog: 100_000, counted: 10_000 },
  quick: { backlog: 10_000, counted: 1_000 },
  smoke: { backlog: 100, counted: 10 },
};
const PLENTY = 1_000_000_000;

interface House {
  readonly worker: Worker;
  readonly probe: Probe;
}

interface Round extends Latencies {
  /** Processor time of the worker for all teams, in seconds per second. */
  readonly cpu: number;
}

interface Comparison {
  readonly with: readonly Round[];
  readonly without: readonly Round[];
}

export async function isolation(
  { size, rounds, timeFactor }: BenchOptions,
  cleanup: Cleanup,
): Promise<BenchResult> {
  const { backlog: waiting, counted } = SIZES[size];
  const seconds = ROUND_SECONDS * timeFactor;
  const root = await temporaryFolder(cleanup);
  await mkdir(join(root, "worker"));
  const bundle = await bundleFed(cleanup, join(root, "worker"));
  const shared = await startHouse(cleanup, bundle, join(root, "shared"));
  const alone = await startHouse(cleanup, bundle, join(root, "alone"));
  const hanging = await hangingWebhooks(cleanup, shared.worker);
  console.error("counting labels");
  const flood = await labelFlood(cleanup, shared.worker, counted);
  for (const house of [shared, alone]) await house.probe.round(seconds / 2);

  const noise = await compare(
    "no neighbours (noise of the measurement)",
    rounds,
    () => round(shared, seconds),
    () => round(alone, seconds),
  );
  const hung = await compare(
    "hanging endpoints",
    rounds,
    () => runRound(hanging, () => round(shared, seconds)),
    () => round(shared, seconds),
  );
  const flooded = await compare(
    "label floods",
    rounds,
    () => runRound(flood, () => round(shared, seconds)),
    () => round(shared, seconds),
  );
  console.error(`accepting ${waiting} messages that wait`);
  await backlog(shared.worker, waiting);
  const paced = await compare(
    "a backlog",
    rounds,
    () => round(shared, seconds),
    () => round(alone, seconds),
  );
  return {
    notes: [
      `one team's probe sends a message every ${SEND_EVERY_MS} ms to the simulator and ` +
        `measures the time to the 202, and from there to the webhook; medians of ${rounds} ` +
        `alternating rounds of ${seconds} s`,
      `hanging: ${HANGING_WEBHOOKS} webhooks of two teams, five requests of each under way; ` +
        "half are never answered (until the service pauses their webhooks), half are answered " +
        "half a second before their timeout of 5 s",
      `floods: two teams, each every ${FLOOD_EVERY_MS} ms with ten new tags, a new topic and ` +
        "a new campaign; one team has the standard caps and is refused, the other has " +
        `no caps, and ${counted * 10} counted tags at the start; answers: ${answersOf(flood.answered)}`,
      `backlog: ${waiting} messages of one team, delivered at ${STANDARD_RATE} a minute; ` +
        "against a worker without these messages",
      "shared here but not in a deployment: one thread and one disk of workerd. In a " +
        "deployment, each ledger and each outbox is an object of its own on some machine, and " +
        "queues have up to 250 consumers at once",
      "shared in a deployment too: the databases (one thread each), and the queue of " +
        "deliveries with its consumers",
    ],
    rows: [
      ...rowsOf("no neighbours (noise)", noise, null),
      ...rowsOf(`${HANGING_WEBHOOKS} hanging endpoints`, hung, GOAL),
      ...rowsOf("label floods", flooded, GOAL),
      ...rowsOf(`${waiting} messages waiting`, paced, GOAL),
    ],
  };
}

async function startHouse(cleanup: Cleanup, bundle: Bundle, state: string): Promise<House> {
  const worker = await startWorker(cleanup, bundle, {
    state,
    vars: { ...VARS, WEBHOOK_ALLOW_PRIVATE: "true" },
  });
  const { apiKey } = await createTenant(worker, PLENTY, newDkimKey());
  return { worker, probe: await Probe.start(cleanup, { origin: worker.origin, apiKey }) };
}

async function round({ worker, probe }: House, seconds: number): Promise<Round> {
  const before = cpuSeconds(worker.pid);
  const start = performance.now();
  const latencies = await probe.round(seconds);
  return {
    ...latencies,
    cpu: ((cpuSeconds(worker.pid) - before) * 1_000) / (performance.now() - start),
  };
}

async function runRound(disturbance: Disturbance, work: () => Promise<Round>): Promise<Round> {
  await disturbance.begin();
  try {
    return await work();
  } finally {
    await disturbance.end();
  }
}

async function compare(
  name: string,
  rounds: number,
  disturbed: () => Promise<Round>,
  calm: () => Promise<Round>,
): Promise<Comparison> {
  const comparison: { with: Round[]; without: Round[] } = { with: [], without: [] };
  for (let turn = 1; turn <= rounds; turn += 1) {
    console.error(`${name}: round ${turn} of ${rounds}`);
    comparison.with.push(await disturbed());
    comparison.without.push(await calm());
  }
  return comparison;
}

function rowsOf(
  neighbours: string,
  { with: disturbed, without: calm }: Comparison,
  goal: number | null,
): BenchRow[] {
  const row = (figure: keyof Latencies, work: string): BenchRow => {
    const [there, here] = [disturbed, calm].map((all) =>
      median(all.map((one) => median(one[figure]))),
    );
    const [busy, idle] = [disturbed, calm].map((all) => median(all.map(({ cpu }) => cpu)));
    const ratio = there! / here!;
    return {
      work: `${work}, neighbours: ${neighbours}`,
      measured: `p50 ${milliseconds(there!)}, workerd at ${percent(busy!)}`,
      against: `without: p50 ${milliseconds(here!)}, at ${percent(idle!)}`,
      ratio,
      goal: goal === null ? null : `≤ ${goal}x`,
      met: goal === null ? null : ratio <= goal,
    };
  };
  return [row("accept", "accept"), row("webhook", "accepted → webhook")];
}

function percent(share: number): string {
  return `${(share * 100).toFixed(0)} %`;
}

function answersOf(answered: ReadonlyMap<number, number>): string {
  return [...answered].map(([status, times]) => `${times} of ${status}`).join(", ");
}
