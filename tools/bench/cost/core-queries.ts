// Counts the queries to the core database for each message in the running system, for `bench scale`:
// at a full load, and for a team that sends one message an hour.
import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { startNode } from "../../harness/child.ts";
import { type Cleanup, temporaryFolder } from "../../harness/cleanup.ts";
import { VARS } from "../../harness/tenant.ts";
import { startWorker } from "../../harness/workerd.ts";
import type { BenchRow } from "../harness/bench-result.ts";
import { startGateway } from "../smtp/gateway-process.ts";
import type { Bill } from "./bill.ts";
import { HOURLY_FACTOR } from "./hourly.ts";
import { billOf, finish } from "./measure-load.ts";
import { bundleCounted, CALLERS, hourlyBill, sendTogether, toldTeam } from "./metered-stand.ts";

const HOURS = 6;
/** Milliseconds of waiting after the last message, as in `bench cost`. */
const AFTERMATH_MS = 12_000;

/** The goals: the most queries to the core database for one message. */
const MOST = { together: 0.02, hourly: 2 };

/**
 * Sends `messages` by 16 callers of a team with a webhook. Then a team without a webhook sends one
 * message an hour.
 */
export async function coreQueryRows(messages: number, cleanup: Cleanup): Promise<BenchRow[]> {
  const root = await temporaryFolder(cleanup);
  const sink = startNode(cleanup, import.meta.resolve("../smtp/sink.ts"));
  const [, port = ""] = await sink.says(/^listening on (\d+)$/);
  const gateway = await startGateway(cleanup, Number(port), join(root, "egress"), []);
  await mkdir(join(root, "worker"));
  const bundle = await bundleCounted(cleanup, join(root, "worker"));
  const vars = { ...VARS, EGRESS_URL: gateway.origin, WEBHOOK_ALLOW_PRIVATE: "true" };
  const worker = await startWorker(cleanup, bundle, { state: join(root, "state"), vars });
  const team = await toldTeam(cleanup, worker, "batch");
  const send = () => sendTogether(team, messages);
  await finish(worker, { team, send: () => sendTogether(team, CALLERS) });
  await sleep(AFTERMATH_MS);
  const name = "16 callers, a webhook";
  const together = await billOf(worker, { name, team, goal: null, send }, AFTERMATH_MS);
  const quiet = await startWorker(cleanup, bundle, {
    state: join(root, "quiet-state"),
    vars: { ...vars, LEASE_SPEEDUP: String(HOURLY_FACTOR) },
  });
  const hourly = await hourlyBill(quiet, HOURS, AFTERMATH_MS, null);
  return [toRow(together, MOST.together), toRow(hourly, MOST.hourly)];
}

function toRow({ name, messages, reading }: Bill, most: number): BenchRow {
  const each = (reading.databaseQueries["DB"] ?? 0) / messages;
  return {
    work: `core queries a message: ${name}`,
    measured: each.toFixed(4),
    against: `${messages} messages in the running system`,
    ratio: null,
    goal: `≤ ${most}`,
    met: each <= most,
  };
}
