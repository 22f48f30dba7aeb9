// The parts that benches of a metered worker (counted-worker.ts) share: its bundle, its teams and its
// loads.
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { type Bundle, bundleEntry } from "../../harness/worker-bundle.ts";
import { CONFIG, ROOT } from "../../harness/compatibility.ts";
import type { Cleanup } from "../../harness/cleanup.ts";
import { MESSAGE, numberedMessage } from "../../harness/sample-message.ts";
import type { Worker } from "../../harness/workerd.ts";
import type { BenchWebhookFormat } from "../harness/http-api.ts";
import { sendMessages } from "../harness/load.ts";
import { RoundTrips } from "../harness/round-trips.ts";
import type { Bill, Goal } from "./bill.ts";
import { sendHourly } from "./hourly.ts";
import { type BilledTeam, createBilledTeam, readTallies } from "./measure-load.ts";

export const CALLERS = 16;
const CONNECTIONS = 16;
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

export async function bundleCounted(cleanup: Cleanup, folder: string): Promise<Bundle> {
  const counted = fileURLToPath(import.meta.resolve("./counted-worker.ts"));
  const clock = fileURLToPath(import.meta.resolve("./worker-clock.ts"));
  const service = join(ROOT, "tools", "dev", "email-service", "wrapped-worker.ts");
  const entry = [
    `import worker, * as parts from ${JSON.stringify(join(ROOT, "src", "worker.ts"))};`,
    `import { countedHandler, meterCalls, meterObject } from ${JSON.stringify(counted)};`,
    `import { shiftAlarms, withClock } from ${JSON.stringify(clock)};`,
    `import { withEmailService } from ${JSON.stringify(service)};`,
    ...OBJECTS.flatMap((name) => [
      `export class ${name} extends parts.${name} {`,
      `  constructor(context, env) { meterObject("${name}", context, env); ` +
        "shiftAlarms(context.storage); super(context, env); }",
      `}`,
      `meterCalls("${name}", parts.${name}.prototype, ${name}.prototype);`,
    ]),
    "export default withClock(countedHandler(withEmailService(worker)));",
  ];
  return bundleEntry(cleanup, folder, entry.join("\n"), CONFIG);
}

export async function toldTeam(
  cleanup: Cleanup,
  worker: Worker,
  format: BenchWebhookFormat,
): Promise<BilledTeam> {
  const team = await createBilledTeam(worker);
  const trips = await RoundTrips.start(cleanup, team.target, MESSAGE, CONNECTIONS, format);
  return { ...team, trips };
}

/** Counts only rows. The other costs depend on the clock, which this bench advances. */
export async function hourlyBill(
  worker: Worker,
  hours: number,
  aftermathMs: number,
  goal: Goal | null,
): Promise<Bill> {
  const { target } = await createBilledTeam(worker);
  const messages = await sendHourly(worker, target, hours, () => readTallies(worker));
  await sleep(aftermathMs);
  return {
    name: "one message an hour, no webhook",
    messages,
    reading: await readTallies(worker),
    cpuMs: 0,
    shardBytes: 0,
    goal,
  };
}

let made = 0;

export function nextMessage(): object {
  made += 1;
  return numberedMessage(made);
}

export function nextBody(): string {
  return JSON.stringify(nextMessage());
}

export const nextWithMetadata = (): string =>
  JSON.stringify({ ...nextMessage(), metadata: { order_id: `A-${made}`, shop: "berlin" } });

export async function sendTogether(
  { target }: BilledTeam,
  messages: number,
  next = nextBody,
): Promise<number> {
  return (await sendMessages(target, CALLERS, messages, next)).messages;
}
