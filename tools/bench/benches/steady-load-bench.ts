// `bench load`: runs the whole system (accept, deliver over the gateway, record, webhooks) for some
// minutes, at 70 % of the rate that it could sustain at the start. It shows whether latencies and
// memory stay stable, and whether every message is delivered and reported once.
import type { Cleanup } from "../../harness/cleanup.ts";
import { residentMegabytes } from "../../harness/machine.ts";
import type { BenchOptions } from "../bench-options.ts";
import {
  BEHIND_SECONDS,
  findSustainedRate,
  IN_SYSTEM,
  measureFullRate,
  sendSteadily,
  waitUntilDrained,
} from "../harness/ceiling.ts";
import {
  atLeast,
  atMost,
  median,
  milliseconds,
  percentile,
  perSecond,
  spread,
  type BenchResult,
  type BenchRow,
} from "../harness/bench-result.ts";
import { type BenchSystem, startSystem } from "../system/bench-system.ts";
import { type SendTimes, TimedSends } from "../system/timed-sends.ts";

const SHARE = 0.7;
const WARM_UP_SECONDS = 10;
const FULL_SECONDS = 10;
const TRY_SECONDS = 20;
const SPAN_SECONDS = 10;
/** Number of messages under way above which the load does not count as steady. */
const MOST_OPEN = 20_000;
const DRAIN_MS = 60_000;
const MEMORY_GOAL = 1.1;
const P99_GOAL = 1.25;
const DONE_GOAL = 0.99;
const PROCESSES = ["workerd", "gateway", "sink"] as const;

/** The figures of ten seconds of load. The time is shorter in a smoke run. */
interface Span extends SendTimes {
  readonly megabytes: Readonly<Record<(typeof PROCESSES)[number], number>>;
}

export async function steadyLoad(
  { minutes, timeFactor }: BenchOptions,
  cleanup: Cleanup,
): Promise<BenchResult> {
  const system = await startSystem(cleanup);
  const load = await TimedSends.start(cleanup, system.worker);
  console.error("looking for the ceiling, the highest rate that the system sustains");
  await measureFullRate(load, WARM_UP_SECONDS * timeFactor);
  const full = await measureFullRate(load, FULL_SECONDS * timeFactor);
  const trySeconds = TRY_SECONDS * timeFactor;
  const ceiling = await findSustainedRate(load, full, trySeconds);
  const rate = ceiling * SHARE;
  console.log(`ceiling ${perSecond(ceiling)}; ${minutes} minutes at ${perSecond(rate)}`);
  const spanSeconds = SPAN_SECONDS * timeFactor;
  const wanted = Math.max(3, Math.round((minutes * 60) / spanSeconds));
  const spans: Span[] = [];
  while (spans.length < wanted) spans.push(await sendSpan(load, system, rate, spanSeconds));
  await waitUntilDrained(load);
  const errors = await load.errors(system.sink, DRAIN_MS);
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
      ...load.notes,
    ],
    rows: [...rateRows(spans, spanSeconds, ceiling, rate), ...steadinessRows(spans), errors],
  };
}

async function sendSpan(
  load: TimedSends,
  { worker, gateway, sink }: BenchSystem,
  rate: number,
  spanSeconds: number,
): Promise<Span> {
  const times = load.begin();
  await sendSteadily(load, rate, (seconds) => {
    if (load.open <= MOST_OPEN) return seconds >= spanSeconds;
    throw new Error(`${load.open} messages are under way: ${perSecond(rate)} can't be sustained`);
  });
  const megabytes = {
    workerd: residentMegabytes(worker.pid),
    gateway: residentMegabytes(gateway.pid),
    sink: residentMegabytes(sink.child.pid),
  };
  console.log(`${latency(times.accept)}; ${JSON.stringify(megabytes)}; ${load.open} under way`);
  return { ...times, megabytes };
}

function latency(values: readonly number[]): string {
  return spread(values, 0.5, 0.99);
}

function rateRows(
  spans: readonly Span[],
  spanSeconds: number,
  ceiling: number,
  rate: number,
): BenchRow[] {
  const done = median(spans.map((span) => span.told.length / spanSeconds));
  return [
    {
      work: `steady load, ${Math.round(spans.length * spanSeconds)} s`,
      measured: `${perSecond(done)} reported by the webhook`,
      against: `${perSecond(rate)} sent; ceiling ${perSecond(ceiling)}`,
      ratio: done / rate,
      ...atLeast(DONE_GOAL, done / rate),
    },
    { work: "accept", measured: latency(spans.flatMap(({ accept }) => accept)) },
    { work: "due → webhook", measured: latency(spans.flatMap(({ told }) => told)) },
  ];
}

/**
 * Compares the last third with the middle third. Memory still grows and code is still compiled in
 * the first third.
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
      ...atMost(goal, ratio),
    };
  };
  const p99 = (figure: keyof SendTimes) => (span: Span) => percentile(span[figure], 0.99);
  const megabytes = (value: number): string => `${value.toFixed(0)} MB`;
  return [
    row("accept, p99 of ten seconds", p99("accept"), milliseconds, P99_GOAL),
    row("due → webhook, p99 of ten seconds", p99("told"), milliseconds, P99_GOAL),
    ...PROCESSES.map((name) =>
      row(`${name}'s memory`, (span) => span.megabytes[name], megabytes, MEMORY_GOAL),
    ),
  ];
}
