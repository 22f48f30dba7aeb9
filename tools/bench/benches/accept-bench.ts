// `bench accept`: one team calls POST /v1/email with 2 KB messages, in rounds that alternate with
// the peer stack. The bench also sends attachments, and measures the worker's processor time for a
// message. It compares the worker without its ledger with the smallest possible worker
// (reference-worker.ts), and counts the calls and waits of one send (objects/one-send.ts).
import { createHash } from "node:crypto";
import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { bundleWorker } from "../../harness/worker-bundle.ts";
import { bundleReferenceWorker, bundleStubbedWorker } from "../harness/bench-bundles.ts";
import { type Cleanup, temporaryFolder } from "../../harness/cleanup.ts";
import type { BenchOptions } from "../bench-options.ts";
import { attachedSend, SINGLE } from "../../harness/sample-message.ts";
import { countOneSend } from "../objects/one-send.ts";
import { startPeer } from "../peer/peer-stack.ts";
import {
  milliseconds,
  perSecond,
  type BenchResult,
  type BenchRow,
} from "../harness/bench-result.ts";
import { Side } from "../harness/measured-side.ts";
import { createTenant, newDkimKey, VARS } from "../../harness/tenant.ts";
import { startWorker, type Worker } from "../../harness/workerd.ts";

/** The rows of the table: the number of callers, and the goal as a fraction of the peer's rate. */
const LEVELS: readonly {
  readonly callers: number;
  readonly goal: string;
  readonly meets: (ratio: number) => boolean;
}[] = [
  { callers: 1, goal: "≥ 0.85x the peer", meets: (ratio) => ratio >= 0.85 },
  { callers: 16, goal: "≥ 0.75x the peer", meets: (ratio) => ratio >= 0.75 },
  { callers: 64, goal: "≥ 0.75x the peer", meets: (ratio) => ratio >= 0.75 },
];
/**
 * The rows with attachments: the attachment's size, the number of callers, and the goal in messages
 * a second. Null means that the row has no goal.
 */
const ATTACHED: readonly {
  readonly kilobytes: number;
  readonly callers: number;
  readonly goalRate: number | null;
}[] = [
  { kilobytes: 100, callers: 1, goalRate: null },
  { kilobytes: 100, callers: 16, goalRate: 600 },
  { kilobytes: 400, callers: 1, goalRate: null },
  { kilobytes: 400, callers: 16, goalRate: null },
];
/**
 * Rounds with attachments last this fraction of other rounds, because attachments fill the disk.
 */
const ATTACHED_SHARE = 1 / 3;
const CPU_LEVELS = [16, 64] as const;
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
const DELIVERY_RATE = 1;
const REFERENCE_KEY = "ps_reference";

interface Sides {
  readonly ours: Side;
  /** The peer's side, or the reason why the peer can't run. */
  readonly peer: Side | string;
  readonly stubbed: Side;
  readonly reference: Side;
  /**
   * One side with its own team for each row of ATTACHED. A ledger stores at most 1 GB of large
   * content, so one team can't serve all rows.
   */
  readonly attached: readonly Side[];
}

export async function accept(
  { rounds, seconds }: BenchOptions,
  cleanup: Cleanup,
): Promise<BenchResult> {
  const root = await temporaryFolder(cleanup);
  const { sides, notes } = await start(cleanup, root);
  const { ours, peer, stubbed, reference, attached } = sides;
  const all = [ours, peer, stubbed, reference].filter((side) => side instanceof Side);
  for (const side of all) for (const { callers } of LEVELS) await side.warmUp(callers, seconds / 3);
  for (const [index, { callers }] of ATTACHED.entries())
    await attached[index]!.warmUp(callers, (seconds * ATTACHED_SHARE) / 3);
  await Promise.all([...all, ...attached].map((side) => side.measureIdle()));
  for (let round = 1; round <= rounds; round += 1) {
    console.error(`round ${round} of ${rounds}`);
    for (const { callers } of LEVELS) {
      await ours.round(callers, seconds);
      if (peer instanceof Side) await peer.round(callers, seconds);
    }
    for (const callers of CPU_LEVELS) await stubbed.round(callers, seconds);
    await reference.round(STUBBED_CALLERS, seconds);
    for (const [index, { callers }] of ATTACHED.entries())
      await attached[index]!.round(callers, seconds * ATTACHED_SHARE);
  }
  return {
    notes: [
      `POST /v1/email, ${SINGLE.body.length} bytes, one team, each caller waits for its ` +
        `answer; medians of ${rounds} alternating rounds of ${seconds} s; rounds with ` +
        "attachments take a third of that",
      "worker: the deployment's bundle in workerd under Miniflare's direct socket, state on " +
        "disk, each group of messages synced before its answers",
      `the team's delivery_rate_per_minute is ${DELIVERY_RATE}, so its messages are stored ` +
        "and wait; the peer's jobs are stored and wait too",
      ...notes,
    ],
    rows: [
      ...LEVELS.map((level) => rateRow(level, ours, peer)),
      ...CPU_LEVELS.map((callers) => cpuRow(callers, sides)),
      stubbedRow(sides),
      ceilingRow(sides),
      ...ATTACHED.map((one, index) => attachedRow(one, attached[index]!)),
      ...(await countOneSend(cleanup, root)),
    ],
  };
}

async function start(
  cleanup: Cleanup,
  root: string,
): Promise<{ sides: Sides; notes: readonly string[] }> {
  const dkimKey = newDkimKey();
  const startOurs = async (name: string, bundle: typeof bundleWorker): Promise<Worker> =>
    startWorker(cleanup, await bundle(cleanup, await folderFor(root, name)), {
      state: join(root, `${name}-state`),
      vars: VARS,
    });
  const sideOf = async (worker: Worker, send = SINGLE): Promise<Side> => {
    const { apiKey } = await createTenant(worker, DELIVERY_RATE, dkimKey);
    return new Side({ origin: worker.origin, apiKey }, [worker.pid], send);
  };
  const worker = await startOurs("worker", bundleWorker);
  const ours = await sideOf(worker);
  const stubbed = await sideOf(await startOurs("stubbed", bundleStubbedWorker));
  const reference = await startReference(cleanup, root);
  const attached: Side[] = [];
  for (const { kilobytes } of ATTACHED)
    attached.push(await sideOf(worker, attachedSend(kilobytes)));
  const peer = await startPeer(cleanup);
  const sides = { ours, stubbed, reference, attached };
  if (typeof peer === "string") return { sides: { ...sides, peer }, notes: [peer] };
  return {
    sides: { ...sides, peer: new Side(peer, peer.pids) },
    notes: ["peer: Fastify in one process, connected by Unix sockets:", ...peer.about],
  };
}

async function startReference(cleanup: Cleanup, root: string): Promise<Side> {
  const bundle = await bundleReferenceWorker(cleanup, await folderFor(root, "reference"));
  const vars = { KEY_HASH: createHash("sha256").update(REFERENCE_KEY).digest("hex") };
  const { origin, pid } = await startWorker(cleanup, bundle, {
    state: join(root, "reference-state"),
    vars,
  });
  return new Side({ origin, apiKey: REFERENCE_KEY }, [pid]);
}

async function folderFor(root: string, name: string): Promise<string> {
  const folder = join(root, name);
  await mkdir(folder);
  return folder;
}

function rateRow(
  { callers, goal, meets }: (typeof LEVELS)[number],
  ours: Side,
  peer: Side | string,
): BenchRow {
  const ratio =
    peer instanceof Side ? ours.median(callers, "rate") / peer.median(callers, "rate") : null;
  return {
    work: `accept, ${callers} ${callers === 1 ? "caller" : "callers"}`,
    measured: rateAndLatency(ours, callers),
    against: peer instanceof Side ? `peer: ${rateAndLatency(peer, callers)}` : peer,
    ratio,
    goal,
    met: ratio === null ? null : meets(ratio),
  };
}

function attachedRow(
  { kilobytes, callers, goalRate }: (typeof ATTACHED)[number],
  side: Side,
): BenchRow {
  return {
    work: `${kilobytes} KB attached, ${callers} ${callers === 1 ? "caller" : "callers"}`,
    measured: rateAndLatency(side, callers),
    against: `workerd CPU a message: ${milliseconds(side.median(callers, "cpuMs"))}`,
    ratio: null,
    goal: goalRate === null ? null : `≥ ${goalRate}/s`,
    met: goalRate === null ? null : side.median(callers, "rate") >= goalRate,
  };
}

function rateAndLatency(side: Side, callers: number): string {
  const [p50, p99] = [side.median(callers, "p50Ms"), side.median(callers, "p99Ms")];
  return (
    `${perSecond(side.median(callers, "rate"))}, p50 ${milliseconds(p50)}, p99 ` + milliseconds(p99)
  );
}

function cpuRow(callers: (typeof CPU_LEVELS)[number], { ours, peer }: Sides): BenchRow {
  const whole = ours.median(callers, "cpuMs");
  const theirs = peer instanceof Side ? peer.median(callers, "cpuMs") : null;
  const alone = callers === CPU_LEVELS[0] ? ` (${milliseconds(ours.median(1, "cpuMs"))} at 1)` : "";
  return {
    work: `workerd CPU a message, ${callers} callers`,
    measured: milliseconds(whole) + alone,
    against: theirs === null ? "" : `peer, all its processes: ${milliseconds(theirs)}`,
    ratio: theirs === null ? null : whole / theirs,
    goal: `≤ ${CPU_GOAL}x the peer`,
    met: theirs === null ? null : whole / theirs <= CPU_GOAL,
  };
}

function stubbedRow({ stubbed, reference }: Sides): BenchRow {
  const without = stubbed.median(STUBBED_CALLERS, "cpuMs");
  const least = reference.median(STUBBED_CALLERS, "cpuMs");
  return {
    work: `the ledger stubbed, ${STUBBED_CALLERS} callers`,
    measured: milliseconds(without),
    against: `hono + zod + SHA-256 key: ${milliseconds(least)}`,
    ratio: without / least,
    goal: `≤ ${STUBBED_CPU_GOAL}x`,
    met: without / least <= STUBBED_CPU_GOAL,
  };
}

/**
 * Estimates the most messages a second that one ledger accepts. A message's processor time in the
 * ledger is the difference between the worker with its ledger and the worker with the stub.
 */
function ceilingRow({ ours, stubbed }: Sides): BenchRow {
  const share = ours.median(CEILING_CALLERS, "cpuMs") - stubbed.median(CEILING_CALLERS, "cpuMs");
  const ceiling = 1_000 / share;
  return {
    work: "one ledger's ceiling",
    measured: `${perSecond(ceiling)} (${milliseconds(share)} each)`,
    against: "",
    ratio: null,
    goal: `≥ ${CEILING_GOAL.toLocaleString("en-US")} msg/s`,
    met: ceiling >= CEILING_GOAL,
  };
}
