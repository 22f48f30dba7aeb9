// `bench memory`: whether the isolate with the worker, its ledgers and its outboxes holds more
// memory after many sends than after few. It also shows what else makes up workerd's resident
// memory.
import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { Cleanup, temporaryFolder } from "../../harness/cleanup.ts";
import type { IsolateBytes } from "../../harness/isolate-inspector.ts";
import { residentMegabytes } from "../../harness/machine.ts";
import { type SendKind, SteadySends } from "../../harness/steady-sends.ts";
import { startTakingGateway } from "../../harness/taking-gateway.ts";
import { VARS } from "../../harness/tenant.ts";
import { type Bundle, bundleWorker } from "../../harness/worker-bundle.ts";
import { startWorker, type Worker } from "../../harness/workerd.ts";
import type { BenchOptions } from "../bench-options.ts";
import type { BenchResult, BenchRow } from "../harness/bench-result.ts";

const MEGABYTE = 1024 * 1024;
const GROWTH_GOAL_MEGABYTES = 20;
/**
 * The two marks at which memory is measured, in multiples of a round's messages: 5,000 and 100,000
 * messages.
 */
const [FIRST_MARK, LAST_MARK] = [2.5, 50];
/**
 * Seconds that a cell may take in addition to its share of the bench's minutes: to start, and to
 * reach the first mark.
 */
const WHOLE_CELL_SECONDS = 15 * 60;
/**
 * A folder for heap snapshots of every cell at both marks. If the variable is not set, the bench
 * writes no snapshots.
 */
const SNAPSHOTS = process.env["HEAP_SNAPSHOTS"];

interface Cell extends SendKind {
  readonly name: string;
}

interface Stand {
  readonly name: string;
  readonly worker: Worker;
  readonly sends: SteadySends;
}

interface Mark {
  readonly messages: number;
  readonly held: IsolateBytes;
}

const CELLS: readonly Cell[] = [1, 100].flatMap((perRequest) =>
  [0, 100].flatMap((attached) =>
    [true, false].map((hasWebhook) => ({
      name: [
        perRequest === 1 ? "singles" : `batches of ${perRequest}`,
        attached === 0 ? "2 KB" : `${attached} KB attached`,
        hasWebhook ? "a webhook" : "no webhook",
      ].join(", "),
      perRequest,
      attached,
      hasWebhook,
    })),
  ),
);

export async function memory(
  { messages, minutes }: BenchOptions,
  cleanup: Cleanup,
): Promise<BenchResult> {
  const root = await temporaryFolder(cleanup);
  const folder = join(root, "worker");
  await mkdir(folder);
  const bundle = await bundleWorker(cleanup, folder);
  const marks = [FIRST_MARK * messages, LAST_MARK * messages] as const;
  const cellMs = (minutes * 60_000) / CELLS.length;
  const rows: BenchRow[] = [];
  for (const cell of CELLS) {
    const own = new Cleanup(WHOLE_CELL_SECONDS + cellMs / 1_000);
    cleanup.add(() => own.run());
    const stand = await start(own, cell, bundle);
    rows.push(rowOf(cell, await measure(stand, marks, cellMs)));
    await own.run();
  }
  return {
    notes: [
      "measured: heap and ArrayBuffers of the isolate with the worker, all ledgers and all " +
        "outboxes, by workerd's inspector, after a garbage collection, when every message is finished",
      "every message has its own recipient and subject, and its own Idempotency-Key or that " +
        `of its batch; a cell ends after ${marks[1].toLocaleString("en-US")} messages or ` +
        `${(cellMs / 60_000).toFixed(1)} minutes`,
      "switched on: ledger and databases on disk, DKIM signatures, a gateway that takes every " +
        "copy, history",
    ],
    rows,
  };
}

async function start(cleanup: Cleanup, { name, ...kind }: Cell, bundle: Bundle): Promise<Stand> {
  const vars = {
    ...VARS,
    EGRESS_URL: await startTakingGateway(cleanup),
    WEBHOOK_ALLOW_PRIVATE: "true",
    LOG_LEVEL: "warning",
  };
  const state = await temporaryFolder(cleanup);
  const worker = await startWorker(cleanup, bundle, { state, vars, isInspected: true });
  return { name, worker, sends: await SteadySends.start(cleanup, worker, kind) };
}

/**
 * Measures at both marks. If the time ends before the second mark is reached, it takes the second
 * measurement then.
 */
async function measure(
  stand: Stand,
  [first, last]: readonly [number, number],
  ms: number,
): Promise<readonly [Mark, Mark]> {
  const until = Date.now() + ms;
  await stand.sends.sendUpTo(first);
  const before = await markOf(stand);
  await stand.sends.sendUpTo(last, until);
  return [before, await markOf(stand)];
}

async function markOf({ name, worker, sends: { accepted } }: Stand): Promise<Mark> {
  const resident = residentMegabytes(worker.pid);
  const inspector = await worker.inspect();
  const heaps = (await inspector.bytesOfAllHeaps()) / MEGABYTE;
  const held = await inspector.bytesHeld();
  console.log(
    `${name}, ${accepted.toLocaleString("en-US")} messages: ${textOf(held)}; workerd takes ` +
      `${resident.toFixed(0)} MB, of which the heaps of its isolates take ${heaps.toFixed(0)} MB`,
  );
  if (SNAPSHOTS !== undefined)
    await inspector.writeSnapshot(join(SNAPSHOTS, `${name}, ${accepted}.heapsnapshot`));
  return { messages: accepted, held };
}

function rowOf({ name }: Cell, [before, after]: readonly [Mark, Mark]): BenchRow {
  const growth = megabytesOf(after.held) - megabytesOf(before.held);
  return {
    work: name,
    measured: `${textOf(after.held)} after ${after.messages.toLocaleString("en-US")}`,
    against: `${textOf(before.held)} after ${before.messages.toLocaleString("en-US")}`,
    ratio: megabytesOf(after.held) / megabytesOf(before.held),
    goal: `≤ +${GROWTH_GOAL_MEGABYTES} MB`,
    met: growth <= GROWTH_GOAL_MEGABYTES,
  };
}

function megabytesOf({ heap, buffers }: IsolateBytes): number {
  return (heap + buffers) / MEGABYTE;
}

function textOf({ heap, buffers }: IsolateBytes): string {
  return `${(heap / MEGABYTE).toFixed(1)} + ${(buffers / MEGABYTE).toFixed(1)} MB`;
}
