// `bench cost`: what Cloudflare would bill for a delivered message, counted in the running system (cost/counted-worker.ts): rows, requests, queue operations,
// objects' time, logs, storage; and what a million such messages come to at list prices, beside what others ask for.
import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { callApi } from "./api.ts";
import { type Bundle, bundleEntry, CONFIG, ROOT } from "./bundle.ts";
import { startNode } from "./child.ts";
import { type Cleanup, temporaryFolder } from "./cleanup.ts";
import { type Bill, detailRows, statementRows, totalRows } from "./cost/bill.ts";
import { READING_PATH } from "./cost/counted-worker.ts";
import type { Reading } from "./cost/tallies.ts";
import { sendMessages, type Target } from "./load.ts";
import { cpuSeconds } from "./machine.ts";
import type { Options } from "./main.ts";
import { BATCH, MESSAGE } from "./message.ts";
import type { Report } from "./report.ts";
import { RoundTrips } from "./round-trips.ts";
import { makeCertificate } from "./smtp/certificate.ts";
import { startGateway, startSubmissionGateway } from "./smtp/gateway.ts";
import { Side } from "./smtp/submission-side.ts";
import { createTenant, newDkimKey, VARS } from "./tenant.ts";
import { recordedMessages, startWorker, type Worker } from "./workerd.ts";

const CALLERS = 16;
/** One of these shares next to nothing with the one before. */
const SINGLY_EVERY_MS = 50;
const SINGLY_SHARE = 0.25;
const SMTP_KILOBYTES = 2;
const PLENTY = 1_000_000_000;
const DONE_MS = 90_000;
const LOOK_EVERY_MS = 250;
/** Counts are handed over every 10 s, and a webhook's row is told of its last delivery as often. */
const AFTERMATH_MS = 12_000;
const CONNECTIONS = 16;
const OBJECTS = ["TeamLedger", "WebhookOutbox", "WebhookReplay", "SuppressionImports", "AuthFailures", "Visits", "Metrics"];

interface Team {
  readonly target: Target;
  /** Receives the team's webhooks, and counts them; null: it has none. */
  readonly trips: RoundTrips | null;
}

interface Stand {
  readonly worker: Worker;
  readonly silent: Team;
  readonly told: Team;
  /** Submits for `told`. */
  readonly smtp: Side;
}

interface Load {
  readonly name: string;
  readonly team: Team;
  /** Resolves to how many messages were accepted. */
  readonly send: () => Promise<number>;
}

export async function cost({ messages }: Options, cleanup: Cleanup): Promise<Report> {
  const stand = await start(cleanup);
  const singly = Math.round(messages * SINGLY_SHARE);
  const loads = loadsOf(stand, messages, singly);
  console.error("warming up");
  for (const load of loadsOf(stand, BATCH.messages, CALLERS)) await finish(stand.worker, load);
  await sleep(AFTERMATH_MS);
  const bills: Bill[] = [];
  for (const load of loads) bills.push(await billOf(stand.worker, load));
  const [, main, , , , alone] = bills as [Bill, Bill, Bill, Bill, Bill, Bill];
  return {
    notes: [
      `${messages} messages of 2 KB to one recipient each, one by one ${singly} every ${SINGLY_EVERY_MS} ms; delivered at once by the gateway to one mail server; the webhook wants email.delivered`,
      "counted in the running worker, a message, with everything that followed within 12 s, but not what a webhook's outbox deletes of its log after three days; rows as D1's meta and the objects' cursors tell them",
      "list prices beyond what a plan includes: neither the plan's $5 nor what it includes is counted, nor the gateway's host",
      "all else: invocations of the queues' consumer count as requests, and each call of an object as one that is logged, which may be too much",
      "an object's time is this machine's wall clock while it has anything under way; each second that a webhook's receiver keeps its outbox waiting alone is $1.60 a million",
    ],
    rows: [...bills.flatMap(totalRows), ...detailRows(main), ...statementRows(alone, main)],
  };
}

function loadsOf({ silent, told, smtp }: Stand, messages: number, singly: number): Load[] {
  return [
    { name: "16 callers, no webhook", team: silent, send: () => together(silent, messages) },
    { name: "16 callers, a webhook", team: told, send: () => together(told, messages) },
    { name: "batches of 100, a webhook", team: told, send: () => inBatches(told, messages) },
    { name: "SMTP, 16 sessions, a webhook", team: told, send: () => bySmtp(smtp, messages) },
    { name: "one by one, no webhook", team: silent, send: () => oneByOne(silent, singly) },
    { name: "one by one, a webhook", team: told, send: () => oneByOne(told, singly) },
  ];
}

async function start(cleanup: Cleanup): Promise<Stand> {
  const root = await temporaryFolder(cleanup);
  const sink = startNode(cleanup, import.meta.resolve("./smtp/sink.ts"));
  const [, port = ""] = await sink.says(/^listening on (\d+)$/);
  const gateway = await startGateway(cleanup, Number(port), join(root, "egress"));
  await mkdir(join(root, "worker"));
  const bundle = await bundleCounted(cleanup, join(root, "worker"));
  const vars = { ...VARS, EGRESS_URL: gateway.origin, WEBHOOK_ALLOW_PRIVATE: "true" };
  const worker = await startWorker(cleanup, bundle, { state: join(root, "state"), vars });
  const silent = await createTarget(worker);
  const told = await createTarget(worker);
  const pem = await makeCertificate(root);
  const load = startNode(cleanup, import.meta.resolve("./smtp/submission-load.ts"), { env: { BENCH_CERTIFICATE: pem.certificate } });
  await load.says(/^ready$/);
  const submission = await startSubmissionGateway(cleanup, worker.origin, pem, join(root, "submission"));
  return {
    worker,
    silent: { target: silent, trips: null },
    told: { target: told, trips: await RoundTrips.start(cleanup, told, MESSAGE, CONNECTIONS) },
    smtp: new Side(load, { port: submission.port, key: told.apiKey }, []),
  };
}

async function bundleCounted(cleanup: Cleanup, folder: string): Promise<Bundle> {
  const counted = fileURLToPath(import.meta.resolve("./cost/counted-worker.ts"));
  const entry = [
    `import worker, * as parts from ${JSON.stringify(join(ROOT, "src", "worker.ts"))};`,
    `import { countedHandler, meterCalls, meterObject } from ${JSON.stringify(counted)};`,
    ...OBJECTS.flatMap((name) => [
      `export class ${name} extends parts.${name} {`,
      `  constructor(context, env) { meterObject("${name}", context, env); super(context, env); }`,
      `}`,
      `meterCalls("${name}", parts.${name}.prototype, ${name}.prototype);`,
    ]),
    "export default countedHandler(worker);",
  ];
  return bundleEntry(cleanup, folder, entry.join("\n"), CONFIG);
}

async function createTarget(worker: Worker): Promise<Target> {
  const { apiKey } = await createTenant(worker, PLENTY, newDkimKey());
  return { origin: worker.origin, apiKey };
}

async function billOf(worker: Worker, load: Load): Promise<Bill> {
  console.error(load.name);
  const { databaseBytes: bytesBefore } = await read(worker);
  const cpuBefore = cpuSeconds(worker.pid);
  const messages = await finish(worker, load);
  const cpuMs = ((cpuSeconds(worker.pid) - cpuBefore) * 1_000) / messages;
  await sleep(AFTERMATH_MS);
  const reading = await read(worker);
  const historyBytes = (reading.databaseBytes["SHARD_0"] ?? 0) - (bytesBefore["SHARD_0"] ?? 0);
  return { name: load.name, messages, reading, cpuMs, historyBytes };
}

async function read({ origin }: Worker): Promise<Reading> {
  return callApi<Reading>({ origin, apiKey: "" }, "GET", READING_PATH);
}

/** Sends, and waits until all is recorded and told of. Returns how many messages that were. */
async function finish(worker: Worker, { team: { trips }, send }: Load): Promise<number> {
  const recordedBefore = await recordedMessages(worker);
  const toldBefore = trips?.unexpected ?? 0;
  const messages = await send();
  const isDone = async (): Promise<boolean> => {
    if (trips && trips.unexpected < toldBefore + messages) return false;
    return (await recordedMessages(worker)) >= recordedBefore + messages;
  };
  for (let waited = 0; !(await isDone()); waited += LOOK_EVERY_MS) {
    if (waited > DONE_MS) throw new Error(["not everything was recorded and told of", ...worker.errors()].join("\n"));
    await sleep(LOOK_EVERY_MS);
  }
  return messages;
}

async function together({ target }: Team, messages: number): Promise<number> {
  return (await sendMessages(target, CALLERS, messages)).messages;
}

async function inBatches({ target }: Team, messages: number): Promise<number> {
  const batch: unknown = JSON.parse(BATCH.body);
  let sent = 0;
  for (; sent < messages; sent += BATCH.messages) await callApi(target, "POST", BATCH.path, batch);
  return sent;
}

async function bySmtp(smtp: Side, messages: number): Promise<number> {
  return (await smtp.send({ sessions: CALLERS, kilobytes: SMTP_KILOBYTES, kept: true }, { until: { messages } })).accepted;
}

async function oneByOne({ target }: Team, messages: number): Promise<number> {
  const all: Promise<unknown>[] = [];
  for (let sent = 0; sent < messages; sent += 1) {
    all.push(sendMessages(target, 1, 1));
    await sleep(SINGLY_EVERY_MS);
  }
  await Promise.all(all);
  return messages;
}
