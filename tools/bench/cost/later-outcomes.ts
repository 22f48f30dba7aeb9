// The loads of `bench cost` without a final outcome after the first attempt: messages that their
// server defers once, and messages that the double of the Email Service carries. The worker
// shortens the waits between attempts, so that a retry follows within seconds.
import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { startNode } from "../../harness/child.ts";
import type { Cleanup } from "../../harness/cleanup.ts";
import { ROOT } from "../../harness/compatibility.ts";
import { ownPorts } from "../../harness/loopback.ts";
import { numberedMessage } from "../../harness/sample-message.ts";
import { VARS } from "../../harness/tenant.ts";
import type { Bundle } from "../../harness/worker-bundle.ts";
import { startWorker, type Worker } from "../../harness/workerd.ts";
import { callApi } from "../harness/http-api.ts";
import { sendMessages } from "../harness/load.ts";
import type { Bill } from "./bill.ts";
import { type BilledTeam, billOf, createBilledTeam, finish } from "./measure-load.ts";

const CALLERS = 16;
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

interface LaterStand {
  readonly worker: Worker;
  readonly deferred: BilledTeam;
  readonly byService: BilledTeam;
}

/**
 * `egress` is the gateway's URL. `sinkPort` is the port of the mail server to which the double of
 * the Email Service delivers.
 */
export async function startLater(
  cleanup: Cleanup,
  bundle: Bundle,
  { root, egress, sinkPort }: { root: string; egress: string; sinkPort: number },
): Promise<LaterStand> {
  const { worker: port, service: servicePort } = await ownPorts("worker", "service");
  const directory = join(root, "email-service");
  await mkdir(directory);
  const service = startNode(cleanup, pathToFileURL(join(ROOT, DOUBLE)).href, {
    env: {
      CHAOS_SERVICE_PORT: String(servicePort),
      CHAOS_SERVICE_STATE: directory,
      CHAOS_SERVICE_TOKEN: TOKEN,
      CHAOS_SERVICE_EVENTS: `http://127.0.0.1:${port}${EVENTS_PATH}`,
      CHAOS_SERVICE_MX_PORT: String(sinkPort),
      CHAOS_SERVICE_SPEEDUP: RETRY_SPEEDUP,
    },
  });
  await service.says(/^listening$/);
  const worker = await startWorker(cleanup, bundle, {
    state: join(root, "later-state"),
    port,
    producers: PRODUCERS,
    vars: {
      ...VARS,
      EGRESS_URL: egress,
      EMAIL_SERVICE_URL: `http://127.0.0.1:${servicePort}`,
      EMAIL_SERVICE_TOKEN: TOKEN,
      RETRY_SPEEDUP,
    },
  });
  const [deferred, byService] = [await createBilledTeam(worker), await createBilledTeam(worker)];
  const operator = { origin: worker.origin, apiKey: VARS["ADMIN_TOKEN"]! };
  await callApi(operator, "PATCH", `/admin/teams/${byService.teamId}`, { courier: "cloudflare" });
  return { worker, deferred, byService };
}

/** `rows` is the number of rows for a message that is delivered at its first attempt. */
export async function laterBills(
  { worker, deferred, byService }: LaterStand,
  messages: number,
  aftermathMs: number,
  rows: number,
): Promise<Bill[]> {
  const sendsOf = (team: BilledTeam, domain: string) => async (some: number) =>
    (await sendMessages(team.target, CALLERS, some, () => bodyTo(domain))).messages;
  const bills: Bill[] = [];
  for (const [name, team, domain, more] of [
    ["deferred once, no webhook", deferred, DEFERRING_DOMAIN, MORE_ROWS.deferred],
    ["by the Email Service, no webhook", byService, "recipient.example", MORE_ROWS.byService],
  ] as const) {
    const goal = { rows: Math.round((rows + more) * 100) / 100, dollars: null };
    const send = sendsOf(team, domain);
    await finish(worker, { team, send: () => send(CALLERS) });
    bills.push(await billOf(worker, { name, team, goal, send: () => send(messages) }, aftermathMs));
  }
  return bills;
}

let made = 0;

function bodyTo(domain: string): string {
  made += 1;
  return JSON.stringify({ ...numberedMessage(made), to: [`later-${made}@${domain}`] });
}
