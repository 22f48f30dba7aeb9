// Counts the calls and waits that one send causes in the worker and in the team's ledger
// (counting.ts). Compares the counts with those of the reference worker.
import { createHash } from "node:crypto";
import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { request } from "undici";
import type { Cleanup } from "../../harness/cleanup.ts";
import { createTenant, newDkimKey, VARS } from "../../harness/tenant.ts";
import { startWorker } from "../../harness/workerd.ts";
import type { BenchRow } from "../harness/bench-result.ts";
import { type LoadTarget, sendMessages } from "../harness/load.ts";
import { bundleCountedReference, bundleCountedWorker } from "./counted-bundle.ts";
import { COUNTS_PATH, type SendCounts } from "./counting.ts";

const WARM_UP = 10;
const SENDS = 20;

const REFERENCE_KEY = "ps_reference";
/**
 * Messages that the team may deliver per minute. The rate is so low that no message is delivered
 * while sends are counted.
 */
const DELIVERY_RATE = 1;

/** The rows of the table. Each row adds up the counts whose names begin with one of its words. */
const ROWS = {
  promises: ["async calls", "awaits", "other promises"],
  ledger: ["ledger", "storage", "statements"],
} as const;

/**
 * Makes the rows with the counts of one send. The counts have no goal, because they only show what
 * a send does.
 */
export async function countOneSend(cleanup: Cleanup, root: string): Promise<BenchRow[]> {
  const [ours, reference] = [join(root, "counted"), join(root, "counted-reference")];
  await Promise.all([mkdir(ours), mkdir(reference)]);
  const worker = await startWorker(cleanup, await bundleCountedWorker(cleanup, ours), {
    state: `${ours}-state`,
    vars: VARS,
  });
  const { apiKey } = await createTenant(worker, DELIVERY_RATE, newDkimKey());
  const { origin } = await startWorker(cleanup, await bundleCountedReference(cleanup, reference), {
    state: `${reference}-state`,
    vars: { KEY_HASH: createHash("sha256").update(REFERENCE_KEY).digest("hex") },
  });
  return rowsOf(
    await countSends({ origin: worker.origin, apiKey }),
    await countSends({ origin, apiKey: REFERENCE_KEY }),
  );
}

async function countSends(target: LoadTarget): Promise<SendCounts> {
  await sendMessages(target, 1, WARM_UP);
  await readCounts(target);
  await sendMessages(target, 1, SENDS);
  return readCounts(target);
}

function rowsOf(ours: SendCounts, reference: SendCounts): BenchRow[] {
  return Object.entries(ROWS).map(([name, counted]) => ({
    work: `one send: ${name}`,
    measured: listCounts(counted, ours.worker, ours.ledger),
    against: `hono + zod: ${listCounts(counted, reference.worker)}`,
    ratio: null,
    goal: null,
    met: null,
  }));
}

/**
 * Lists the counts of one send. For example, `13 + 7 awaits` means 13 in the worker and 7 in the
 * ledger.
 */
function listCounts(beginnings: readonly string[], ...sides: SendCounts["worker"][]): string {
  const names = new Set(sides.flatMap((side) => Object.keys(side)).toSorted());
  const listed = beginnings.flatMap((beginning) =>
    [...names]
      .filter((name) => name.startsWith(beginning))
      .map((name) => `${sides.map((side) => countOf(side, name)).join(" + ")} ${name}`),
  );
  return listed.join(", ") || "none";
}

function countOf(side: SendCounts["worker"], name: string): number {
  return Math.round((side[name] ?? 0) / SENDS);
}

async function readCounts({ origin }: LoadTarget): Promise<SendCounts> {
  const { body } = await request(origin + COUNTS_PATH);
  return (await body.json()) as SendCounts;
}
