// `bench load`: runs the whole system (accept, deliver over the gateway, record, webhooks) for some
// minutes, at 70 % of the rate that it could sustain at the start. It shows whether latencies and
// memory stay stable, and whether every message is delivered and reported once.
import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { bundleWorker } from "../../harness/worker-bundle.ts";
import { type Child, startNode } from "../../harness/child.ts";
import { type Cleanup, temporaryFolder } from "../../harness/cleanup.ts";
import { residentMegabytes } from "../../harness/machine.ts";
import type { BenchOptions } from "../bench-options.ts";
import {
  BEHIND_SECONDS,
  findSustainedRate,
  IN_SYSTEM,
  measureFullRate,
  type OpenLoad,
  sendDue,
  TICK_MS,
  waitUntilDrained,
} from "../harness/ceiling.ts";
import { MESSAGE } from "../../harness/sample-message.ts";
import {
  median,
  milliseconds,
  percentile,
  perSecond,
  type BenchResult,
  type BenchRow,
} from "../harness/bench-result.ts";
import { RoundTrips } from "../harness/round-trips.ts";
import { startGateway } from "../smtp/gateway-process.ts";
import type { SinkCommand, ReceivedMessages } from "../smtp/sink.ts";
import { createTenant, newDkimKey, VARS } from "../../harness/tenant.ts";
import { startWorker } from "../../harness/workerd.ts";

const SHARE = 0.7;
const WARM_UP_SECONDS = 10;
const FULL_SECONDS = 10;
const TRY_SECONDS = 20;
const CONNECTIONS = 64;
const SPAN_MS = 10_000;
/** The most messages that may be under way. With more, the load is no longer steady. */
const MOST_OPEN = 20_000;
const DRAIN_MS = 60_000;
const PLENTY = 1_000_000_000;
const MEMORY_GOAL = 1.1;
const P99_GOAL = 1.25;

interface Stand {
  readonly trips: RoundTrips;
  readonly sink: Child;
  readonly pids: Readonly<Record<Process, number>>;
}

type Process = "workerd" | "gateway" | "sink";

/** The figures of ten seconds of load. In a smoke run, the time is shorter. */
interface Span {
  readonly perSecond: number;
  readonly accept: readonly number[];
  readonly told: readonly number[];
  readonly megabytes: Readonly<Record<Process, number>>;
}

interface Tally {
  sent: number;
  errors: number;
  firstError: string | undefined;
  accept: number[];
  told: number[];
}

export async function steadyLoad(
  { minutes, timeFactor }: BenchOptions,
  cleanup: Cleanup,
): Promise<BenchResult> {
  const harness = await setUp(cleanup);
  const tally: Tally = { sent: 0, errors: 0, firstError: undefined, accept: [], told: [] };
  const load = loadOf(harness.trips, tally);
  console.error("looking for the ceiling, the highest rate that the system sustains");
  await measureFullRate(load, WARM_UP_SECONDS * timeFactor);
  const full = await measureFullRate(load, FULL_SECONDS * timeFactor);
  const trySeconds = TRY_SECONDS * timeFactor;
  const ceiling = await findSustainedRate(load, full, trySeconds);
  const rate = ceiling * SHARE;
  console.log(`ceiling ${perSecond(ceiling)}; ${minutes} minutes at ${perSecond(rate)}`);
  const spanMs = SPAN_MS * timeFactor;
  const wanted = Math.max(3, Math.round((minutes * 60_000) / spanMs));
  const spans = await sendSteadily(load, harness.pids, tally, rate, wanted, spanMs);
  await waitUntilDrained(load);
  const { at } = await harness.sink.ask<ReceivedMessages>(
    { wait: tally.sent - tally.errors, withinMs: DRAIN_MS } satisfies SinkCommand,
    DRAIN_MS + 1_000,
  );
  const problems = {
    refused: tally.errors,
    untold: harness.trips.open,
    twiceTold: harness.trips.unexpectedCount,
    twiceDelivered: at.length - (tally.sent - tally.errors),
  };
  return {
    notes: [
      "one team, a 2 KB message to one recipient, sent at fixed times, even if earlier " +
        "messages are still open; latencies count from the time when a message was due",
      `ceiling: the highest rate at which at most ${BEHIND_SECONDS} s of messages were under ` +
        `way after ${trySeconds} s; the bench tried shares of ${perSecond(full)}, ` +
        `which is the rate with ${IN_SYSTEM} messages in the system`,
      "switched on: ledger and databases on disk, DKIM signatures, the gateway with its " +
        "journal, one SMTP sink, history, one webhook; the bench's own process sends and " +
        "receives",
      ...(tally.firstError === undefined ? [] : [`the first error: ${tally.firstError}`]),
    ],
    rows: [
      ...rateRows(spans, spanMs, ceiling, rate),
      ...steadinessRows(spans),
      errorRow(tally.sent, problems),
    ],
  };
}

async function setUp(cleanup: Cleanup): Promise<Stand> {
  const root = await temporaryFolder(cleanup);
  const sink = startNode(cleanup, import.meta.resolve("../smtp/sink.ts"));
  const [, port = ""] = await sink.says(/^listening on (\d+)$/);
  const gateway = await startGateway(cleanup, Number(port), join(root, "egress"));
  await mkdir(join(root, "worker"));
  const bundle = await bundleWorker(cleanup, join(root, "worker"));
  const vars = { ...VARS, EGRESS_URL: gateway.origin, WEBHOOK_ALLOW_PRIVATE: "true" };
  const worker = await startWorker(cleanup, bundle, { state: join(root, "state"), vars });
  const { apiKey } = await createTenant(worker, PLENTY, newDkimKey());
  const trips = await RoundTrips.start(
    cleanup,
    { origin: worker.origin, apiKey },
    MESSAGE,
    CONNECTIONS,
  );
  return { trips, sink, pids: { workerd: worker.pid, gateway: gateway.pid, sink: sink.pid } };
}

/** The load. A message is finished when its webhook arrives. `tally` counts the outcomes. */
function loadOf(trips: RoundTrips, tally: Tally): OpenLoad {
  return {
    get open() {
      return trips.open;
    },
    async follow(due) {
      tally.sent += 1;
      const late = performance.now() - due;
      const { accepted, told } = trips.send();
      try {
        const acceptMs = late + (await accepted);
        tally.accept.push(acceptMs);
        const toldMs = await told;
        tally.told.push(acceptMs + toldMs);
      } catch (error) {
        tally.errors += 1;
        tally.firstError ??= String(error);
      }
    },
  };
}

async function sendSteadily(
  load: OpenLoad,
  pids: Stand["pids"],
  tally: Tally,
  rate: number,
  wanted: number,
  spanMs: number,
): Promise<Span[]> {
  const spans: Span[] = [];
  const start = performance.now();
  let sent = 0;
  let spanEnd = start + spanMs;
  let spanSent = 0;
  tally.accept = [];
  tally.told = [];
  while (spans.length < wanted) {
    sent = sendDue(load, start, rate, sent);
    if (load.open > MOST_OPEN)
      throw new Error(
        `the worker fell behind: ${load.open} messages are under way, so it can't sustain ` +
          perSecond(rate),
      );
    if (performance.now() >= spanEnd) {
      const span = spanOf(tally, (sent - spanSent) / (spanMs / 1_000), pids);
      spans.push(span);
      console.log(lineOf(span, (spanEnd - start) / 1_000, tally.errors, load.open));
      tally.accept = [];
      tally.told = [];
      spanSent = sent;
      spanEnd += spanMs;
    }
    await sleep(TICK_MS);
  }
  return spans;
}

function spanOf({ accept, told }: Tally, rate: number, pids: Stand["pids"]): Span {
  const megabytes = {
    workerd: residentMegabytes(pids.workerd),
    gateway: residentMegabytes(pids.gateway),
    sink: residentMegabytes(pids.sink),
  };
  return { perSecond: rate, accept, told, megabytes };
}

function lineOf(
  { perSecond: rate, accept, told, megabytes }: Span,
  seconds: number,
  errors: number,
  open: number,
): string {
  const { workerd, gateway, sink } = megabytes;
  return [
    `${Math.round(seconds)} s: ${perSecond(rate)}`,
    `accept ${latency(accept)}`,
    `to the webhook ${latency(told)}`,
    `workerd ${workerd.toFixed(0)} MB, gateway ${gateway.toFixed(0)} MB, sink ${sink.toFixed(0)} MB`,
    `${open} under way, ${errors} errors`,
  ].join("; ");
}

function latency(values: readonly number[]): string {
  return `p50 ${milliseconds(percentile(values, 0.5))}, p99 ${milliseconds(percentile(values, 0.99))}`;
}

function rateRows(
  spans: readonly Span[],
  spanMs: number,
  ceiling: number,
  rate: number,
): BenchRow[] {
  const all = (figure: "accept" | "told"): number[] => spans.flatMap((span) => span[figure]);
  const done = median(spans.map((span) => span.told.length / (spanMs / 1_000)));
  const information = { ratio: null, goal: null, met: null };
  return [
    {
      work: `steady load, ${Math.round((spans.length * spanMs) / 1_000)} s`,
      measured: `${perSecond(done)} told of`,
      against: `${perSecond(rate)} sent; ceiling ${perSecond(ceiling)}`,
      ratio: done / rate,
      goal: "≥ 0.99x",
      met: done >= 0.99 * rate,
    },
    { work: "accept", measured: latency(all("accept")), against: "", ...information },
    { work: "due → webhook", measured: latency(all("told")), against: "", ...information },
  ];
}

/**
 * Compares the last third with the middle third. In the first third, memory still grows and code is
 * still compiled.
 */
function steadinessRows(spans: readonly Span[]): BenchRow[] {
  const third = Math.floor(spans.length / 3);
  const [middle, last] = [spans.slice(third, 2 * third), spans.slice(2 * third)];
  const row = (
    work: string,
    figure: (span: Span) => number,
    text: (value: number) => string,
    goal: number,
  ): BenchRow => {
    const [before, after] = [median(middle.map(figure)), median(last.map(figure))];
    const ratio = after / before;
    return {
      work,
      measured: `${text(after)} in the last third`,
      against: `${text(before)} in the middle third`,
      ratio,
      goal: `≤ ${goal}x`,
      met: ratio <= goal,
    };
  };
  const p99 = (figure: "accept" | "told") => (span: Span) => percentile(span[figure], 0.99);
  const megabytes = (value: number): string => `${value.toFixed(0)} MB`;
  return [
    row("accept, p99 of ten seconds", p99("accept"), milliseconds, P99_GOAL),
    row("due → webhook, p99 of ten seconds", p99("told"), milliseconds, P99_GOAL),
    ...(["workerd", "gateway", "sink"] as const).map((name) =>
      row(`${name}'s memory`, (span) => span.megabytes[name], megabytes, MEMORY_GOAL),
    ),
  ];
}

function errorRow(
  sent: number,
  problems: Readonly<Record<"refused" | "untold" | "twiceTold" | "twiceDelivered", number>>,
): BenchRow {
  const { refused, untold, twiceTold, twiceDelivered } = problems;
  const all = refused + untold + twiceTold + twiceDelivered;
  return {
    work: `errors in ${sent.toLocaleString("en-US")} messages`,
    measured:
      `${refused} refused, ${untold} not reported, ${twiceTold} reported twice, ` +
      `${twiceDelivered} delivered twice`,
    against: "",
    ratio: null,
    goal: "0",
    met: all === 0,
  };
}
