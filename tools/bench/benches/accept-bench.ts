// `bench accept`: one team calls POST /v1/email with 2 KB messages, in rounds that alternate with
// the peer stack. The bench also sends attachments, and measures the worker's processor time for a
// message. It compares the worker without its ledger with the smallest possible worker
// (reference-worker.ts).
import { createHash } from "node:crypto";
import { bundleAlone, bundleWorker, bundleWrapped } from "../../harness/worker-bundle.ts";
import type { Cleanup } from "../../harness/cleanup.ts";
import type { BenchOptions } from "../bench-options.ts";
import { attachedSend, SINGLE } from "../../harness/sample-message.ts";
import { startPeer } from "../peer/peer-stack.ts";
import {
  atLeast,
  atMost,
  milliseconds,
  perSecond,
  type BenchResult,
  type BenchRow,
} from "../harness/bench-result.ts";
import { cpuRow, rateRow, runRounds, Side, withCallers } from "../harness/measured-side.ts";
import { createTenant, newDkimKey, VARS } from "../../harness/tenant.ts";
import { startWorker } from "../../harness/workerd.ts";

/** The numbers of callers. The goal is a fraction of the peer's rate. */
const LEVELS = [
  { callers: 1, goal: 0.85 },
  { callers: 16, goal: 0.75 },
  { callers: 64, goal: 0.75 },
];
/** The rows with attachments. The goal is in messages a second. */
const ATTACHED: readonly {
  readonly kilobytes: number;
  readonly callers: number;
  readonly goal?: number;
}[] = [
  { kilobytes: 100, callers: 1 },
  { kilobytes: 100, callers: 16, goal: 600 },
  { kilobytes: 400, callers: 1 },
  { kilobytes: 400, callers: 16 },
];
/**
 * Rounds with attachments last this fraction of other rounds, because attachments fill the disk.
 */
const ATTACHED_SHARE = 1 / 3;
const CPU_LEVELS = [16, 64];
const CPU_GOAL = 1;
const STUBBED_CALLERS = 16;
const STUBBED_CPU_GOAL = 1.2;
/** The number of callers at which one commit of the ledger stores the most messages. */
const CEILING_CALLERS = 64;
const CEILING_GOAL = 6_000;
/**
 * Messages that the team may deliver per minute. The rate is so low that no message is delivered
 * during the measurement.
 */
export const WAITING_RATE = 1;
const REFERENCE_KEY = "ps_reference";

export async function accept(
  { rounds, seconds }: BenchOptions,
  cleanup: Cleanup,
): Promise<BenchResult> {
  const { ours, peer, stubbed, reference, attached, notes } = await start(cleanup);
  const compared = peer instanceof Side ? [ours, peer] : [ours];
  const steps = [
    ...LEVELS.flatMap(({ callers }) => compared.map((side) => ({ side, callers, seconds }))),
    ...CPU_LEVELS.map((callers) => ({ side: stubbed, callers, seconds })),
    { side: reference, callers: STUBBED_CALLERS, seconds },
    ...attached.map(({ side, callers }) => ({ side, callers, seconds: seconds * ATTACHED_SHARE })),
  ];
  await runRounds(steps, rounds);
  return {
    notes: [
      `POST /v1/email, ${SINGLE.body.length} bytes, one team, each caller waits for its ` +
        `answer; medians of ${rounds} alternating rounds of ${seconds} s; rounds with ` +
        "attachments take a third of that",
      "worker: the deployment's bundle in workerd under Miniflare's direct socket, state on " +
        "disk, each group of messages synced before its answers",
      `the team's delivery_rate_per_minute is ${WAITING_RATE}, so its messages are stored ` +
        "and wait; the peer's jobs are stored and wait too",
      ...notes,
    ],
    rows: [
      ...LEVELS.map(({ callers, goal }) => rateRow("accept", callers, goal, ours, peer)),
      ...CPU_LEVELS.map((callers) => cpuRow(callers, CPU_GOAL, ours, peer)),
      stubbedRow(stubbed, reference),
      ceilingRow(ours, stubbed),
      ...attached.map(attachedRow),
    ],
  };
}

async function start(cleanup: Cleanup) {
  const dkimKey = newDkimKey();
  const worker = await startWorker(cleanup, await bundleWorker(cleanup), { vars: VARS });
  const stub = import.meta.resolve("../harness/stubbed-ledger.ts");
  const stubbedBundle = await bundleWrapped(cleanup, stub, "added.withStubbedLedger(worker)");
  const stubbedWorker = await startWorker(cleanup, stubbedBundle, { vars: VARS });
  const sideOf = async ({ pid, ...rest } = worker, send = SINGLE): Promise<Side> =>
    new Side(await createTenant(rest, WAITING_RATE, dkimKey), [pid], send);
  const [ours, stubbed] = [await sideOf(), await sideOf(stubbedWorker)];
  // Each row has its own team, because a ledger stores at most 1 GB of large content.
  const attached: ((typeof ATTACHED)[number] & { readonly side: Side })[] = [];
  for (const row of ATTACHED)
    attached.push({ ...row, side: await sideOf(worker, attachedSend(row.kilobytes)) });
  const sides = { ours, stubbed, reference: await startReference(cleanup), attached };
  const peer = await startPeer(cleanup);
  if (typeof peer === "string") return { ...sides, peer, notes: [peer] };
  const notes = ["peer: Fastify in one process, connected by Unix sockets:", ...peer.about];
  return { ...sides, peer: new Side(peer, peer.pids), notes };
}

async function startReference(cleanup: Cleanup): Promise<Side> {
  const module = import.meta.resolve("../harness/reference-worker.ts");
  const vars = { KEY_HASH: createHash("sha256").update(REFERENCE_KEY).digest("hex") };
  const bundle = await bundleAlone(cleanup, module, "app");
  const { origin, pid } = await startWorker(cleanup, bundle, { vars });
  return new Side({ origin, apiKey: REFERENCE_KEY }, [pid]);
}

function attachedRow({
  kilobytes,
  callers,
  goal,
  side,
}: (typeof ATTACHED)[number] & { readonly side: Side }): BenchRow {
  return {
    work: withCallers(`${kilobytes} KB attached`, callers),
    measured: side.rateAndLatency(callers),
    ...(goal && atLeast(goal, side.median(callers, "rate"), "/s")),
  };
}

function stubbedRow(stubbed: Side, reference: Side): BenchRow {
  const without = stubbed.median(STUBBED_CALLERS, "cpuMs");
  const least = reference.median(STUBBED_CALLERS, "cpuMs");
  const ratio = without / least;
  return {
    work: withCallers("the ledger stubbed", STUBBED_CALLERS),
    measured: milliseconds(without),
    against: `hono + zod + SHA-256 key: ${milliseconds(least)}`,
    ratio,
    ...atMost(STUBBED_CPU_GOAL, ratio),
  };
}

/**
 * Estimates the most messages a second that one ledger accepts. A message's processor time in the
 * ledger is the difference between the worker with its ledger and the worker with the stub.
 */
function ceilingRow(ours: Side, stubbed: Side): BenchRow {
  const share = ours.median(CEILING_CALLERS, "cpuMs") - stubbed.median(CEILING_CALLERS, "cpuMs");
  const ceiling = 1_000 / share;
  return {
    work: "one ledger's ceiling",
    measured: `${perSecond(ceiling)} (${milliseconds(share)} each)`,
    ...atLeast(CEILING_GOAL, ceiling, " msg/s"),
  };
}
