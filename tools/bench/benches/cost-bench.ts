// `bench cost`: computes Cloudflare's bill for a delivered message. It counts rows, requests, queue
// operations, objects' time, logs and storage in the running system (cost/counted-worker.ts). It
// compares the price of a million messages with the list prices of other services.
import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { callApi } from "../harness/http-api.ts";
import { startNode } from "../../harness/child.ts";
import { type Cleanup, temporaryFolder } from "../../harness/cleanup.ts";
import {
  type Bill,
  detailRows,
  type Goal,
  queriesRow,
  rowsOf,
  rowsRow,
  statementRows,
  totalRows,
} from "../cost/bill.ts";
import { HOURLY_FACTOR } from "../cost/hourly.ts";
import { DEFERRING_DOMAIN, laterBills, startLater } from "../cost/later-outcomes.ts";
import {
  type BilledTeam,
  billOf,
  createBilledTeam,
  finish,
  type BilledLoad,
} from "../cost/measure-load.ts";
import {
  bundleCounted,
  CALLERS,
  hourlyBill,
  nextBody,
  nextMessage,
  nextWithMetadata,
  sendTogether,
  toldTeam,
} from "../cost/metered-stand.ts";
import { sendMessages } from "../harness/load.ts";
import type { BenchOptions } from "../bench-options.ts";
import { BATCH } from "../../harness/sample-message.ts";
import type { BenchResult } from "../harness/bench-result.ts";
import { makeCertificate } from "../smtp/certificate.ts";
import { startGateway, startSubmissionGateway } from "../smtp/gateway-process.ts";
import { SubmissionSide } from "../smtp/submission-side.ts";
import { VARS } from "../../harness/tenant.ts";
import { startWorker, type Worker } from "../../harness/workerd.ts";

/**
 * Milliseconds between messages that are sent one by one. At this interval, messages share almost
 * no work.
 */
const SINGLY_EVERY_MS = 50;
const SINGLY_SHARE = 0.25;
const SMTP_KILOBYTES = 2;
/** Number of hours that are counted, for the team that sends one message an hour. */
const HOURS = { full: 24, quick: 24, smoke: 1 };
/**
 * Milliseconds to wait after the last message. The metrics object receives counts every 10 s, and
 * the time of a webhook's last delivery is written every 10 s. The wait is longer, so that both are
 * counted.
 */
const AFTERMATH_MS = 12_000;
/**
 * Goals for rows and dollars, from the design of the log
 * (docs/decisions/0015-the-log-is-the-ledgers.md).
 */
const GOALS = {
  together: { rows: 3, dollars: 4 },
  batches: { rows: 2.5, dollars: 3.5 },
  singly: { rows: 5, dollars: 9 },
  singlyTold: { rows: 8, dollars: 12 },
  hourly: { rows: 5, dollars: null },
} satisfies Record<string, Goal>;

interface Stand {
  readonly worker: Worker;
  /** A second deployment for the team that sends one message an hour. */
  readonly quiet: Worker;
  readonly silent: BilledTeam;
  readonly told: BilledTeam;
  /** The team whose webhook has the format `resend`. */
  readonly toldSingly: BilledTeam;
  /**
   * A deployment for mail that has no final outcome after its first attempt
   * (cost/later-outcomes.ts).
   */
  readonly later: Awaited<ReturnType<typeof startLater>>;
  /** Submits mail for the team with a webhook. */
  readonly smtp: SubmissionSide;
}

export async function cost(
  { messages, size, timeFactor }: BenchOptions,
  cleanup: Cleanup,
): Promise<BenchResult> {
  const aftermathMs = AFTERMATH_MS * timeFactor;
  const harness = await start(cleanup);
  const few = Math.round(messages * SINGLY_SHARE);
  const loads = loadsOf(harness, messages, few);
  console.error("warming up");
  for (const load of loadsOf(harness, BATCH.messages, CALLERS)) await finish(harness.worker, load);
  await sleep(aftermathMs);
  const bills: Bill[] = [];
  for (const load of loads) bills.push(await billOf(harness.worker, load, aftermathMs));
  const [, main, batches, , singly, told] = bills as [Bill, Bill, Bill, Bill, Bill, Bill];
  const later = await laterBills(harness.later, messages, aftermathMs, rowsOf(bills[0]!));
  console.error("one message an hour, no webhook");
  const hourly = await hourlyBill(harness.quiet, HOURS[size], aftermathMs, GOALS.hourly);
  const compared = [main, batches, singly, told, ...later, hourly];
  return {
    notes: [
      `${messages} messages of 2 KB to one recipient each (${few} every ${SINGLY_EVERY_MS} ms ` +
        'in the loads "one by one"); the gateway delivers them at once to one mail server; the ' +
        "webhook wants email.delivered",
      "counted for each message in the running worker, with all that followed within 12 s; " +
        "not counted: the deletions in a webhook's log after three days; rows: as D1's meta and " +
        "the objects' cursors report them",
      "one message an hour: a day of one team, with the page of its events, on a clock that the " +
        "bench advances; the metrics object gets counts every 10 s of real time, so several " +
        "messages share a report",
      "setAlarm counts as a row of its object; not counted: calls of setAlarm by alarms " +
        "more than 12 s after the last message",
      `rows that one SQL statement writes for each message, in these loads: ${compared.map(({ name }) => name).join(" · ")}`,
      "list prices beyond the amounts that a plan includes; not counted: the plan's $5 and " +
        "the gateway's host",
      "invocations of the queues' consumer count as requests; log lines are " +
        "counted, invocation logs are not, because wrangler.toml turns them off",
      "an object's time is this machine's wall clock while the object has work, and the waits " +
        "for its calls between the platform's places (20 ms an object, 35 ms a query, 80 ms a " +
        "queue's send); if an outbox only waits for its endpoint, each second adds $1.60 for a " +
        "million messages",
      "the Email Service's price: $0.35 for 1,000 messages, of which a month has 3,000 free",
    ],
    rows: [
      ...bills.flatMap(totalRows),
      ...later.map(rowsRow),
      rowsRow(hourly),
      ...detailRows(main),
      ...[main, singly, hourly].map(queriesRow),
      ...statementRows(compared),
    ],
  };
}

function loadsOf(
  { silent, told, toldSingly, smtp }: Stand,
  messages: number,
  few: number,
): BilledLoad[] {
  const together = (team: BilledTeam) => () => sendTogether(team, messages);
  const singly = (team: BilledTeam) => () => sendOneByOne(team, few);
  const all: [name: string, team: BilledTeam, goal: Goal | null, send: BilledLoad["send"]][] = [
    ["16 callers, no webhook", silent, null, together(silent)],
    ["16 callers, a webhook", told, GOALS.together, together(told)],
    ["batches of 100, a webhook", told, GOALS.batches, () => sendInBatches(told, messages)],
    ["SMTP, 16 sessions, a webhook", told, null, () => sendBySmtp(smtp, messages)],
    ["one by one, no webhook", silent, GOALS.singly, singly(silent)],
    ["one by one, a webhook", told, GOALS.singlyTold, singly(told)],
    [
      "16 callers, metadata, no webhook",
      silent,
      null,
      () => sendTogether(silent, messages, nextWithMetadata),
    ],
    ["16 callers, a webhook of single events", toldSingly, null, together(toldSingly)],
  ];
  return all.map(([name, team, goal, send]) => ({ name, team, goal, send }));
}

async function start(cleanup: Cleanup): Promise<Stand> {
  const root = await temporaryFolder(cleanup);
  const sink = startNode(cleanup, import.meta.resolve("../smtp/sink.ts"));
  const [, port = ""] = await sink.says(/^listening on (\d+)$/);
  const deferring = startNode(cleanup, import.meta.resolve("../smtp/sink.ts"), {
    env: { BENCH_DEFERS: "once" },
  });
  const [, deferringPort = ""] = await deferring.says(/^listening on (\d+)$/);
  const routes = [[DEFERRING_DOMAIN, Number(deferringPort)]] as const;
  const gateway = await startGateway(cleanup, Number(port), join(root, "egress"), routes);
  await mkdir(join(root, "worker"));
  const bundle = await bundleCounted(cleanup, join(root, "worker"));
  const vars = { ...VARS, EGRESS_URL: gateway.origin, WEBHOOK_ALLOW_PRIVATE: "true" };
  const worker = await startWorker(cleanup, bundle, { state: join(root, "state"), vars });
  const quiet = await startWorker(cleanup, bundle, {
    state: join(root, "quiet-state"),
    vars: { ...vars, LEASE_SPEEDUP: String(HOURLY_FACTOR) },
  });
  const places = { root, egress: gateway.origin, sinkPort: Number(port) };
  const later = await startLater(cleanup, bundle, places);
  const silent = await createBilledTeam(worker);
  const told = await toldTeam(cleanup, worker, "batch");
  const toldSingly = await toldTeam(cleanup, worker, "resend");
  const pem = await makeCertificate(root);
  const load = startNode(cleanup, import.meta.resolve("../smtp/submission-load.ts"), {
    env: { BENCH_CERTIFICATE: pem.certificate },
  });
  await load.says(/^ready$/);
  const submission = await startSubmissionGateway(
    cleanup,
    worker.origin,
    pem,
    join(root, "submission"),
  );
  return {
    worker,
    quiet,
    later,
    silent,
    told,
    toldSingly,
    smtp: new SubmissionSide(load, { port: submission.port, key: told.target.apiKey }, []),
  };
}

async function sendInBatches({ target }: BilledTeam, messages: number): Promise<number> {
  let sent = 0;
  for (; sent < messages; sent += BATCH.messages)
    await callApi(target, "POST", BATCH.path, {
      emails: Array.from({ length: BATCH.messages }, nextMessage),
    });
  return sent;
}

async function sendBySmtp(smtp: SubmissionSide, messages: number): Promise<number> {
  return (
    await smtp.send(
      { sessions: CALLERS, kilobytes: SMTP_KILOBYTES, kept: true },
      { until: { messages } },
    )
  ).accepted;
}

async function sendOneByOne({ target }: BilledTeam, messages: number): Promise<number> {
  const all: Promise<unknown>[] = [];
  for (let sent = 0; sent < messages; sent += 1) {
    all.push(sendMessages(target, 1, 1, nextBody));
    await sleep(SINGLY_EVERY_MS);
  }
  await Promise.all(all);
  return messages;
}
