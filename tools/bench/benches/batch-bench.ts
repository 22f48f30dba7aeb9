// `bench batch`: one team calls POST /v1/email/batch with a hundred 2 KB messages, in rounds that
// alternate with the peer stack of `bench accept`.
import { bundleWorker } from "../../harness/worker-bundle.ts";
import type { Cleanup } from "../../harness/cleanup.ts";
import type { BenchOptions } from "../bench-options.ts";
import { BATCH } from "../../harness/sample-message.ts";
import { startPeer } from "../peer/peer-stack.ts";
import type { BenchResult } from "../harness/bench-result.ts";
import { cpuRow, rateRow, runRounds, Side } from "../harness/measured-side.ts";
import { createTenant, VARS } from "../../harness/tenant.ts";
import { startWorker } from "../../harness/workerd.ts";
import { WAITING_RATE } from "./accept-bench.ts";

const CALLERS = [1, 4, 16];
const GOAL = 1.5;
const CPU_CALLERS = 4;
const CPU_GOAL = 0.55;

export async function batch(
  { rounds, seconds }: BenchOptions,
  cleanup: Cleanup,
): Promise<BenchResult> {
  const worker = await startWorker(cleanup, await bundleWorker(cleanup), { vars: VARS });
  const ours = new Side(await createTenant(worker, WAITING_RATE), [worker.pid], BATCH);
  const stack = await startPeer(cleanup);
  const peer = typeof stack === "string" ? stack : new Side(stack, stack.pids, BATCH);
  const sides = [ours, peer].filter((side) => side instanceof Side);
  const steps = CALLERS.flatMap((callers) => sides.map((side) => ({ side, callers, seconds })));
  await runRounds(steps, rounds);
  return {
    notes: [
      `POST /v1/email/batch, ${BATCH.messages} messages, ${BATCH.body.length} bytes, each ` +
        `caller waits for its answer; medians of ${rounds} alternating rounds of ${seconds} s`,
      "worker: the deployment's bundle in workerd under Miniflare's direct socket, state on " +
        "disk, each group of batches synced before its answers",
      "peer: one INSERT and one addBulk for each batch; all else as in `accept`",
      ...(typeof stack === "string" ? [stack] : stack.about),
    ],
    rows: [
      ...CALLERS.map((callers) => rateRow("batches", callers, GOAL, ours, peer)),
      cpuRow(CPU_CALLERS, CPU_GOAL, ours, peer),
    ],
  };
}
