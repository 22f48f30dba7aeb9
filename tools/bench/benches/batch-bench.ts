// `bench batch`: one team calls POST /v1/email/batch with a hundred 2 KB messages, in rounds that
// alternate with the peer stack of `bench accept`.
import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { bundleWorker } from "../../harness/worker-bundle.ts";
import { type Cleanup, temporaryFolder } from "../../harness/cleanup.ts";
import type { BenchOptions } from "../bench-options.ts";
import { BATCH } from "../../harness/sample-message.ts";
import { startPeer } from "../peer/peer-stack.ts";
import {
  milliseconds,
  perSecond,
  type BenchResult,
  type BenchRow,
} from "../harness/bench-result.ts";
import { Side } from "../harness/measured-side.ts";
import { createTenant, newDkimKey, VARS } from "../../harness/tenant.ts";
import { startWorker } from "../../harness/workerd.ts";

const CALLERS = [1, 4, 16] as const;
const GOAL = 1.5;
const CPU_CALLERS = 4;
const CPU_GOAL = 0.55;
/**
 * Messages that the team may deliver per minute. The rate is so low that no message is delivered
 * during the measurement.
 */
const DELIVERY_RATE = 1;

export async function batch(
  { rounds, seconds }: BenchOptions,
  cleanup: Cleanup,
): Promise<BenchResult> {
  const root = await temporaryFolder(cleanup);
  await mkdir(join(root, "worker"));
  const bundle = await bundleWorker(cleanup, join(root, "worker"));
  const worker = await startWorker(cleanup, bundle, { state: join(root, "state"), vars: VARS });
  const { apiKey } = await createTenant(worker, DELIVERY_RATE, newDkimKey());
  const ours = new Side({ origin: worker.origin, apiKey }, [worker.pid], BATCH);
  const stack = await startPeer(cleanup);
  const peer = typeof stack === "string" ? stack : new Side(stack, stack.pids, BATCH);
  const sides = [ours, peer].filter((side) => side instanceof Side);
  for (const side of sides) for (const callers of CALLERS) await side.warmUp(callers, seconds / 3);
  await Promise.all(sides.map((side) => side.measureIdle()));
  for (let round = 1; round <= rounds; round += 1) {
    console.error(`round ${round} of ${rounds}`);
    for (const callers of CALLERS) for (const side of sides) await side.round(callers, seconds);
  }
  return {
    notes: [
      `POST /v1/email/batch, ${BATCH.messages} messages, ${BATCH.body.length} bytes, each ` +
        `caller waits for its answer; medians of ${rounds} alternating rounds of ${seconds} s`,
      "worker: the deployment's bundle in workerd under Miniflare's direct socket, state on " +
        "disk, each group of batches synced before its answers",
      ...(typeof stack === "string"
        ? [stack]
        : [
            "peer: one INSERT and one addBulk for each batch; all else as in `accept`:",
            ...stack.about,
          ]),
    ],
    rows: [...CALLERS.map((callers) => rateRow(callers, ours, peer)), cpuRow(ours, peer)],
  };
}

function rateRow(callers: number, ours: Side, peer: Side | string): BenchRow {
  const ratio =
    peer instanceof Side ? ours.median(callers, "rate") / peer.median(callers, "rate") : null;
  return {
    work: `batches, ${callers} ${callers === 1 ? "caller" : "callers"}`,
    measured: rateAndLatency(ours, callers),
    against: peer instanceof Side ? `peer: ${rateAndLatency(peer, callers)}` : peer,
    ratio,
    goal: `≥ ${GOAL}x the peer`,
    met: ratio === null ? null : ratio >= GOAL,
  };
}

function rateAndLatency(side: Side, callers: number): string {
  return (
    `${perSecond(side.median(callers, "rate"))}, p50 ` +
    `${milliseconds(side.median(callers, "p50Ms"))} a batch`
  );
}

function cpuRow(ours: Side, peer: Side | string): BenchRow {
  const cpu = (side: Side, callers: number): number => side.median(callers, "cpuMs");
  const fine = (side: Side, callers: number): string => `${cpu(side, callers).toFixed(3)} ms`;
  const ratio = peer instanceof Side ? cpu(ours, CPU_CALLERS) / cpu(peer, CPU_CALLERS) : null;
  const others = CALLERS.filter((callers) => callers !== CPU_CALLERS).map(
    (callers) => `${fine(ours, callers)} at ${callers}`,
  );
  return {
    work: `workerd CPU a message, ${CPU_CALLERS} callers`,
    measured: `${fine(ours, CPU_CALLERS)} (${others.join(", ")})`,
    against: peer instanceof Side ? `peer, all its processes: ${fine(peer, CPU_CALLERS)}` : "",
    ratio,
    goal: `≤ ${CPU_GOAL}x the peer`,
    met: ratio === null ? null : ratio <= CPU_GOAL,
  };
}
