// `bench webhooks`: the webhooks' outboxes deliver batches of ten events to one receiver, with 10
// and 50 batches in flight. The peers are a worker that only signs and fetches, and undici in
// Node. All sides run in alternating rounds.
import { createBenchWebhook, type BenchWebhook } from "../harness/http-api.ts";
import { bundleAlone } from "../../harness/worker-bundle.ts";
import type { Cleanup } from "../../harness/cleanup.ts";
import type { BenchOptions } from "../bench-options.ts";
import {
  atLeast,
  median,
  milliseconds,
  type BenchResult,
  type BenchRow,
} from "../harness/bench-result.ts";
import { startProgram, startServer, startWorkerFor } from "../system/bench-system.ts";
import { createTenant, VARS } from "../../harness/tenant.ts";
import { webhookBatchBody, EVENTS } from "../webhooks/webhook-batch.ts";
import { bundleFed } from "../webhooks/fed-bundle.ts";
import {
  CONNECTIONS,
  type Deliver,
  postFrom,
  postThrough,
  BenchReceiver,
  type SenderSample,
  directSide,
  outboxSide,
} from "../webhooks/sender-sides.ts";
import { startWorker } from "../../harness/workerd.ts";

const LEVELS = [10, 50];
/** `BATCHES_SHARE` times the option `messages` is the number of batches in a round. */
const BATCHES_SHARE = 2;
const JUDGED = 10;
const GOAL = 0.8;

type SideName = "ours" | "bare" | "undici";

export async function webhooks(
  { rounds, messages }: BenchOptions,
  cleanup: Cleanup,
): Promise<BenchResult> {
  const sides = await start(cleanup);
  const batches = messages * BATCHES_SHARE;
  const samples: { side: SideName; inFlight: number; sample: SenderSample }[] = [];
  for (let round = 0; round <= rounds; round += 1) {
    console.error(round === 0 ? "warming up" : `round ${round} of ${rounds}`);
    for (const inFlight of LEVELS) {
      for (const [side, deliver] of Object.entries(sides) as [SideName, Deliver][]) {
        if (side === "undici" && inFlight !== JUDGED) continue;
        const run = `${round}-${side}-${inFlight}`;
        const sample = await deliver({ batches, inFlight, run });
        if (round > 0) samples.push({ side, inFlight, sample });
      }
    }
  }
  const of = (side: SideName, inFlight: number, figure: keyof SenderSample): number => {
    const taken = samples.filter((one) => one.side === side && one.inFlight === inFlight);
    return median(taken.map(({ sample }) => sample[figure]));
  };
  return {
    notes: [
      `batches of ${EVENTS} events, ${webhookBatchBody("wb_").length} bytes; ${batches} batches a ` +
        `round; medians of ${rounds} alternating rounds, after a round for warming up`,
      "the receiver is a Node process that answers 200 at once; its first and last twentieth " +
        "of arrivals are not counted; every batch came once, with valid signatures",
      "ours: the deployment's bundle in workerd, outboxes on disk: each batch is read, signed " +
        `by both schemes, posted, logged and settled; ${CONNECTIONS} in flight for each webhook`,
      "bare workerd and undici make each body of its ten events, sign it by one scheme and " +
        "post it; they do not store or log",
    ],
    rows: rowsOf(of),
  };
}

async function start(cleanup: Cleanup): Promise<Readonly<Record<SideName, Deliver>>> {
  const sink = await startServer(cleanup, import.meta.resolve("../webhooks/webhook-sink.ts"));
  const receiver = new BenchReceiver(sink.child);
  const worker = await startWorkerFor(cleanup, await bundleFed(cleanup), VARS["EGRESS_URL"]!);
  const team = await createTenant(worker);
  const hooks: BenchWebhook[] = [];
  while (hooks.length < Math.max(...LEVELS) / CONNECTIONS)
    hooks.push(await createBenchWebhook(team, `http://127.0.0.1:${sink.port}/hook`));
  const module = import.meta.resolve("../webhooks/bare-worker.ts");
  const bundle = await bundleAlone(cleanup, module, "bareWorker");
  const bare = await startWorker(cleanup, bundle, { vars: {} });
  const undici = await startProgram(cleanup, import.meta.resolve("../webhooks/undici-sender.ts"));
  return {
    ours: await outboxSide(receiver, worker, team, hooks),
    bare: directSide(receiver, bare.pid, hooks[0]!, postThrough(bare)),
    undici: directSide(receiver, undici.pid, hooks[0]!, postFrom(undici)),
  };
}

function rowsOf(
  of: (side: SideName, inFlight: number, figure: keyof SenderSample) => number,
): BenchRow[] {
  const rate = (value: number): string => `${Math.round(value).toLocaleString("en-US")} batches/s`;
  const ours = of("ours", JUDGED, "cpuMs");
  const cpuRow = (peer: SideName, name: string): BenchRow => {
    const theirs = of(peer, JUDGED, "cpuMs");
    return {
      work: `CPU a batch, ${JUDGED} in flight`,
      measured: milliseconds(ours),
      against: `${name}: ${milliseconds(theirs)}`,
      ratio: ours / theirs,
    };
  };
  return [
    ...LEVELS.map((inFlight): BenchRow => {
      const [own, bare] = [of("ours", inFlight, "rate"), of("bare", inFlight, "rate")];
      return {
        work: `webhooks, ${inFlight} in flight`,
        measured: rate(own),
        against: `bare workerd, fetch and HMAC: ${rate(bare)}`,
        ratio: own / bare,
        ...(inFlight === JUDGED && atLeast(GOAL, own / bare)),
      };
    }),
    cpuRow("bare", "bare workerd, fetch and HMAC"),
    cpuRow("undici", "undici in Node with HMAC"),
  ];
}
