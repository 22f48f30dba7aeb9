// Runs one load against a metered worker (counted-worker.ts), and makes its bill.
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { callApi } from "../harness/http-api.ts";
import { sendMessages } from "../harness/load.ts";
import type { RoundTrips } from "../harness/round-trips.ts";
import type { Cleanup } from "../../harness/cleanup.ts";
import { ROOT } from "../../harness/compatibility.ts";
import { cpuSeconds } from "../../harness/machine.ts";
import { numberedMessage } from "../../harness/sample-message.ts";
import type { Tenant } from "../../harness/tenant.ts";
import { type Bundle, bundleWrapped } from "../../harness/worker-bundle.ts";
import type { Worker } from "../../harness/workerd.ts";
import type { Bill, Goal } from "./bill.ts";
import { READING_PATH } from "./counted-worker.ts";
import type { TallyReading } from "./tallies.ts";

export const CALLERS = 16;
const DONE_MS = 90_000;
const LOOK_EVERY_MS = 250;
const OBJECTS = [
  "TeamLedger",
  "WebhookOutbox",
  "WebhookReplay",
  "SuppressionImports",
  "AuthFailures",
  "Visits",
  "Metrics",
  "RequestLog",
];

export interface BilledTeam extends Tenant {
  /** Receives and counts the team's webhooks. Absent: the team has no webhook. */
  readonly trips?: RoundTrips;
}

export interface BilledLoad {
  readonly name: string;
  readonly team: BilledTeam;
  readonly goal?: Goal;
  /** Sends at least this many messages. Resolves to the number of accepted messages. */
  readonly send: (messages: number) => Promise<number>;
}

/** Bundles the metered worker, with the binding to the double of the Email Service. */
export function bundleCounted(cleanup: Cleanup): Promise<Bundle> {
  const service = join(ROOT, "tools", "dev", "email-service", "wrapped-worker.ts");
  const counted = import.meta.resolve("./counted-worker.ts");
  return bundleWrapped(cleanup, counted, "added.countedHandler(withEmailService(worker))", [
    `import { withEmailService } from ${JSON.stringify(service)};`,
    ...OBJECTS.map((name) => `export class ${name} extends added.countedObject(parts.${name}) {}`),
  ]);
}

export async function billOf(
  worker: Worker,
  { goal = {}, ...load }: BilledLoad,
  messages: number,
  aftermathMs: number,
): Promise<Bill> {
  console.error(load.name);
  const { databaseBytes: bytesBefore } = await readTallies(worker);
  const cpuBefore = cpuSeconds(worker.pid);
  const sent = await finish(worker, load, messages);
  const cpuMs = ((cpuSeconds(worker.pid) - cpuBefore) * 1_000) / sent;
  await sleep(aftermathMs);
  const reading = await readTallies(worker);
  const shardBytes = (reading.databaseBytes["SHARD_0"] ?? 0) - (bytesBefore["SHARD_0"] ?? 0);
  return { name: load.name, messages: sent, reading, cpuMs, shardBytes, goal };
}

/** Reads the counts since the last reading. */
export async function readTallies({ origin }: Worker): Promise<TallyReading> {
  return callApi<TallyReading>({ origin, apiKey: "" }, "GET", READING_PATH);
}

/**
 * Sends, then waits until all events are reported and written into chunks. Returns the number of
 * messages.
 */
export async function finish(
  worker: Worker,
  { team: { teamId, trips }, send }: BilledLoad,
  messages: number,
): Promise<number> {
  const toldBefore = trips?.unexpectedCount ?? 0;
  const sent = await send(messages);
  const isDone = async (): Promise<boolean> => {
    if (trips && trips.unexpectedCount < toldBefore + sent) return false;
    return worker.stores.isSettled(teamId);
  };
  for (let waited = 0; !(await isDone()); waited += LOOK_EVERY_MS) {
    if (waited > DONE_MS)
      throw new Error(
        ["some events were not reported or not written into chunks", ...worker.errors()].join("\n"),
      );
    await sleep(LOOK_EVERY_MS);
  }
  return sent;
}

let made = 0;

export function nextMessage(): object {
  made += 1;
  return numberedMessage(made);
}

/** Returns a load of many callers, each with one message after the other. */
export function sendTogether(team: BilledTeam, next = nextMessage): BilledLoad["send"] {
  return (messages) => sendMessages(team, CALLERS, messages, () => JSON.stringify(next()));
}
