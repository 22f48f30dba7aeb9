// `bench cost`: computes Cloudflare's bill for a delivered message. It counts rows, requests, queue
// operations, objects' time, logs and storage in the running system (cost/counted-worker.ts). It
// compares the price of a million messages with the list prices of other services.
import { setTimeout as sleep } from "node:timers/promises";
import { callApi } from "../harness/http-api.ts";
import type { Cleanup } from "../../harness/cleanup.ts";
import { type Bill, billRows, type Goal, price, queriesRow, rowsRow } from "../cost/bill.ts";
import { HOURLY_FACTOR, hourlyBill } from "../cost/hourly.ts";
import {
  DEFERRING_DOMAIN,
  laterBills,
  type LaterStand,
  startLater,
} from "../cost/later-outcomes.ts";
import {
  type BilledLoad,
  type BilledTeam,
  billOf,
  bundleCounted,
  CALLERS,
  finish,
  nextMessage,
  sendTogether,
} from "../cost/measure-load.ts";
import { OTHERS } from "../cost/prices.ts";
import { Sink, startProgram, startWorkerFor } from "../system/bench-system.ts";
import { sendMessages } from "../harness/load.ts";
import { RoundTrips } from "../harness/round-trips.ts";
import type { BenchOptions } from "../bench-options.ts";
import { BATCH } from "../../harness/sample-message.ts";
import type { BenchResult } from "../harness/bench-result.ts";
import { makeCertificate } from "../smtp/certificate.ts";
import { takingMail, startGateway, toRoutes } from "../smtp/gateway-process.ts";
import { SubmissionSide } from "../smtp/submission-side.ts";
import { createTenant } from "../../harness/tenant.ts";
import type { Worker } from "../../harness/workerd.ts";

/**
 * Milliseconds between messages that are sent one by one. Messages share almost no work at this
 * interval.
 */
const SINGLY_EVERY_MS = 50;
const SINGLY_SHARE = 0.25;
const SMTP_CASE = { sessions: CALLERS, kilobytes: 2, kept: true };
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
  hourly: { rows: 5 },
} satisfies Record<string, Goal>;
/** The goals: the most queries to the core database for one message. */
const CORE_QUERIES = { together: 0.02, hourly: 2 };

interface Stand {
  readonly worker: Worker;
  /** A second deployment for the team that sends one message an hour. */
  readonly quiet: Worker;
  readonly silent: BilledTeam;
  readonly told: BilledTeam;
  /**
   * A deployment for mail that has no final outcome after its first attempt
   * (cost/later-outcomes.ts).
   */
  readonly later: LaterStand;
  /** Submits mail for the team with a webhook. */
  readonly smtp: SubmissionSide;
}

export async function cost(
  { messages, size, timeFactor }: BenchOptions,
  cleanup: Cleanup,
): Promise<BenchResult> {
  const aftermathMs = AFTERMATH_MS * timeFactor;
  const stand = await start(cleanup);
  const few = Math.round(messages * SINGLY_SHARE);
  const loads = loadsOf(stand);
  console.error("warming up");
  for (const load of loads)
    await finish(stand.worker, load, load.isSingly ? CALLERS : BATCH.messages);
  await sleep(aftermathMs);
  const bills: Bill[] = [];
  for (const load of loads)
    bills.push(await billOf(stand.worker, load, load.isSingly ? few : messages, aftermathMs));
  const [prompt, main] = bills as [Bill, Bill];
  const later = await laterBills(stand.later, messages, aftermathMs, prompt);
  console.error("one message an hour, no webhook");
  const hourly = await hourlyBill(stand.quiet, HOURS[size], aftermathMs, GOALS.hourly);
  return {
    notes: [
      `${messages} messages of 2 KB to one recipient each (${few} every ${SINGLY_EVERY_MS} ms ` +
        'in the loads "one by one"); the gateway delivers them at once to one mail server; the ' +
        "webhook wants email.delivered",
      "counted for each message in the running worker, with all that followed within 12 s; " +
        "not counted: the deletions in a webhook's log after three days; rows: as D1's meta and " +
        "the objects' cursors report them",
      "one message an hour: a day of one team, with the chunk of its events, on a clock that the " +
        "bench advances; the metrics object gets counts every 10 s of real time, so several " +
        "messages share a report",
      "setAlarm counts as a row of its object; not counted: calls of setAlarm by alarms " +
        "more than 12 s after the last message",
      "list prices beyond the amounts that a plan includes; not counted: the plan's $5 and " +
        "the gateway's host",
      "invocations of the queues' consumer count as requests; log lines are " +
        "counted, invocation logs are not, because wrangler.toml turns them off",
      "an object's time is this machine's wall clock while the object has work, and the waits " +
        "for its calls between the platform's places (20 ms an object, 35 ms a query, 80 ms a " +
        "queue's send); if an outbox only waits for its endpoint, each second adds $1.60 for a " +
        "million messages",
      "the Email Service's price: $0.35 for 1,000 messages, of which a month has 3,000 free",
      `a million messages by list price: ${OTHERS.map(({ name, dollars }) => `${name} ${price(dollars)}`).join(", ")}`,
    ],
    rows: [
      ...bills.flatMap(billRows),
      ...[...later, hourly].map(rowsRow),
      queriesRow(main, CORE_QUERIES.together),
      queriesRow(hourly, CORE_QUERIES.hourly),
    ],
  };
}

/** True: the load sends its messages one by one. */
type Load = BilledLoad & { readonly isSingly?: boolean };

function loadsOf({ silent, told, smtp }: Stand): Load[] {
  const singly = (team: BilledTeam) => ({ team, send: sendOneByOne(team), isSingly: true });
  return [
    { name: "16 callers, no webhook", team: silent, send: sendTogether(silent) },
    {
      name: "16 callers, a webhook",
      team: told,
      goal: GOALS.together,
      send: sendTogether(told),
    },
    {
      name: "batches of 100, a webhook",
      team: told,
      goal: GOALS.batches,
      send: sendInBatches(told),
    },
    {
      name: "SMTP, 16 sessions, a webhook",
      team: told,
      send: async (messages) => (await smtp.send(SMTP_CASE, { until: { messages } })).accepted,
    },
    { name: "one by one, no webhook", goal: GOALS.singly, ...singly(silent) },
    { name: "one by one, a webhook", goal: GOALS.singlyTold, ...singly(told) },
  ];
}

async function start(cleanup: Cleanup): Promise<Stand> {
  const sink = await Sink.start(cleanup);
  const deferring = await Sink.start(cleanup, { BENCH_DEFERS: "once" });
  const routes = toRoutes(sink.port, [[DEFERRING_DOMAIN, deferring.port]]);
  const { origin: egress } = await startGateway(cleanup, routes);
  const bundle = await bundleCounted(cleanup);
  const worker = await startWorkerFor(cleanup, bundle, egress);
  const vars = { LEASE_SPEEDUP: String(HOURLY_FACTOR) };
  const quiet = await startWorkerFor(cleanup, bundle, egress, { vars });
  const later = await startLater(cleanup, bundle, egress, sink.port);
  const silent = await createTenant(worker);
  const team = await createTenant(worker);
  const told = { ...team, trips: await RoundTrips.start(cleanup, team, CALLERS) };
  const pem = await makeCertificate(cleanup);
  const load = await startProgram(cleanup, import.meta.resolve("../smtp/submission-load.ts"), {
    BENCH_CERTIFICATE: pem.certificate,
  });
  const submission = await startGateway(
    cleanup,
    takingMail("SUBMISSION_PORTS", worker.origin, pem),
  );
  const server = { port: submission.mailPort, key: told.apiKey };
  return { worker, quiet, later, silent, told, smtp: new SubmissionSide(load, server, []) };
}

function sendInBatches(team: BilledTeam): BilledLoad["send"] {
  return async (messages) => {
    let sent = 0;
    for (; sent < messages; sent += BATCH.messages)
      await callApi(team, "POST", BATCH.path, {
        emails: Array.from({ length: BATCH.messages }, nextMessage),
      });
    return sent;
  };
}

function sendOneByOne(team: BilledTeam): BilledLoad["send"] {
  return async (messages) => {
    const all: Promise<unknown>[] = [];
    for (let sent = 0; sent < messages; sent += 1) {
      all.push(sendMessages(team, 1, 1, () => JSON.stringify(nextMessage())));
      await sleep(SINGLY_EVERY_MS);
    }
    await Promise.all(all);
    return messages;
  };
}
