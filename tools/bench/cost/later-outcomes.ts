// The loads of `bench cost` without a final outcome after the first attempt: messages that their
// server defers once, and messages that the double of the Email Service carries. The worker
// shortens the waits between attempts, so that a retry follows within seconds.
import { pathToFileURL } from "node:url";
import { join } from "node:path";
import { startNode } from "../../harness/child.ts";
import { type Cleanup, temporaryFolder } from "../../harness/cleanup.ts";
import { ROOT } from "../../harness/compatibility.ts";
import { ownPorts } from "../../harness/loopback.ts";
import { ADMIN_TOKEN, createTenant, type Tenant } from "../../harness/tenant.ts";
import type { Bundle } from "../../harness/worker-bundle.ts";
import type { Worker } from "../../harness/workerd.ts";
import { startWorkerFor } from "../system/bench-system.ts";
import { callApi } from "../harness/http-api.ts";
import { type Bill, rowsOf } from "./bill.ts";
import {
  type BilledLoad,
  billOf,
  CALLERS,
  finish,
  nextMessage,
  sendTogether,
} from "./measure-load.ts";

/**
 * The program that runs the double, and the worker's path for the double's events
 * (tools/dev/email-service/wrapped-worker.ts).
 */
const DOUBLE = "tools/chaos/email-service/killable-double.ts";
const EVENTS_PATH = "/__email-service/events";
const PRODUCERS = { EMAIL_SERVICE_EVENTS: "postern-email-events" };
const TOKEN = "bench-email-service-token";
const RETRY_SPEEDUP = "30";
/** Domain of the addresses that the sink defers once (../smtp/sink.ts). */
export const DEFERRING_DOMAIN = "later.example";
/**
 * The most rows that a message costs in addition to the rows of a message that is delivered at its
 * first attempt. A deferral writes the message's row and an entry in each of two indexes
 * (docs/storage.md §Open messages). A message by the Email Service writes these three rows, a
 * lease, the service's id with its index, and the event's id. The rest (0.5 and 1) is for rows of
 * the log, which fewer messages share.
 */
const MORE_ROWS = { deferred: 3.5, byService: 8 };

export interface LaterStand {
  readonly worker: Worker;
  readonly deferred: Tenant;
  readonly byService: Tenant;
}

/**
 * `egress` is the gateway's URL. `sinkPort` is the port of the mail server to which the double of
 * the Email Service delivers.
 */
export async function startLater(
  cleanup: Cleanup,
  bundle: Bundle,
  egress: string,
  sinkPort: number,
): Promise<LaterStand> {
  const { worker: port, service: servicePort } = await ownPorts("worker", "service");
  const service = startNode(cleanup, pathToFileURL(join(ROOT, DOUBLE)).href, {
    env: {
      CHAOS_SERVICE_PORT: String(servicePort),
      CHAOS_SERVICE_STATE: await temporaryFolder(cleanup),
      CHAOS_SERVICE_TOKEN: TOKEN,
      CHAOS_SERVICE_EVENTS: `http://127.0.0.1:${port}${EVENTS_PATH}`,
      CHAOS_SERVICE_MX_PORT: String(sinkPort),
      CHAOS_SERVICE_SPEEDUP: RETRY_SPEEDUP,
    },
  });
  await service.says(/^listening$/);
  const vars = {
    EMAIL_SERVICE_URL: `http://127.0.0.1:${servicePort}`,
    EMAIL_SERVICE_TOKEN: TOKEN,
    RETRY_SPEEDUP,
  };
  const settings = { port, producers: PRODUCERS, vars };
  const worker = await startWorkerFor(cleanup, bundle, egress, settings);
  const [deferred, byService] = [await createTenant(worker), await createTenant(worker)];
  const operator = { origin: worker.origin, apiKey: ADMIN_TOKEN };
  await callApi(operator, "PATCH", `/admin/teams/${byService.teamId}`, { courier: "cloudflare" });
  return { worker, deferred, byService };
}

/** `prompt` is the bill of the same load, but delivered at the first attempt. */
export async function laterBills(
  { worker, deferred, byService }: LaterStand,
  messages: number,
  aftermathMs: number,
  prompt: Bill,
): Promise<Bill[]> {
  const loadOf = (name: string, team: Tenant, domain: string, more: number): BilledLoad => {
    const rows = Math.round((rowsOf(prompt) + more) * 100) / 100;
    const next = (): object => ({ ...nextMessage(), to: [`later-${(made += 1)}@${domain}`] });
    return { name, team, goal: { rows }, send: sendTogether(team, next) };
  };
  const bills: Bill[] = [];
  for (const load of [
    loadOf("deferred once, no webhook", deferred, DEFERRING_DOMAIN, MORE_ROWS.deferred),
    loadOf("by the Email Service", byService, "recipient.example", MORE_ROWS.byService),
  ]) {
    await finish(worker, load, CALLERS);
    bills.push(await billOf(worker, load, messages, aftermathMs));
  }
  return bills;
}

let made = 0;
