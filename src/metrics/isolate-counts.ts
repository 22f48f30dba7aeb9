// What this isolate counted and has not handed over yet. Isolates share no memory, so each gathers
// its counts for some seconds and adds them to the one Metrics object in a single call: no row and
// no call a message, and nothing on a request's path but an addition. An isolate that dies takes
// with it what it gathered since; the counters are for watching, the events are the books.
import type { Env } from "../env.ts";
import { logWarning } from "../lib/log.ts";
import { METRICS_OBJECT } from "../contracts/metrics-contract.ts";
import { metricsFlushMsOf } from "../settings.ts";
import { BUCKETS, type CounterName, type HistogramName, series } from "./definitions.ts";

/** A hand-over that was begun so long ago has died with the request that it belonged to. */
const ABANDONED_MS = 60_000;

type Labels = Readonly<Record<string, string>>;

interface Histogram {
  readonly name: HistogramName;
  readonly labels: Labels;
  /** By bucket, those beyond the last at the end. */
  readonly counts: number[];
  sum: number;
}

interface Deferring {
  waitUntil(work: Promise<unknown>): void;
}

let counters = new Map<string, number>();
let histograms = new Map<string, Histogram>();
let begunAt = Number.NEGATIVE_INFINITY;

export function count(name: CounterName, labels: Labels = {}, by = 1): void {
  const key = series(name, labels);
  counters.set(key, (counters.get(key) ?? 0) + by);
}

export function observe(name: HistogramName, labels: Labels, value: number): void {
  const key = series(name, labels);
  let histogram = histograms.get(key);
  if (!histogram)
    histograms.set(
      key,
      (histogram = {
        name,
        labels,
        counts: Array.from({ length: BUCKETS.length + 1 }, () => 0),
        sum: 0,
      }),
    );
  const index = BUCKETS.findIndex((bound) => value <= bound);
  const place = index === -1 ? BUCKETS.length : index;
  histogram.counts[place] = (histogram.counts[place] ?? 0) + 1;
  histogram.sum += value;
}

/**
 * Sees to it that what was counted is handed over after the gathering time, with whatever else was
 * counted until then. Returns at once.
 */
export function flushSoon(env: Env, context: Deferring): void {
  const now = Date.now();
  if ((counters.size === 0 && histograms.size === 0) || now - begunAt < ABANDONED_MS) return;
  begunAt = now;
  context.waitUntil(flushLater(env));
}

/** Hands over now. What could not be handed over is kept for the next time. */
export async function flush(env: Env): Promise<void> {
  const samples = takeSamples();
  if (samples.size === 0) return;
  try {
    await env.METRICS.getByName(METRICS_OBJECT).add(Object.fromEntries(samples));
  } catch (error) {
    logWarning("metrics_not_added", { error: String(error) });
    for (const [key, value] of samples) counters.set(key, (counters.get(key) ?? 0) + value);
  }
}

async function flushLater(env: Env): Promise<void> {
  const gatherMs = metricsFlushMsOf(env);
  if (gatherMs > 0) await scheduler.wait(gatherMs);
  begunAt = Number.NEGATIVE_INFINITY;
  await flush(env);
}

function takeSamples(): Map<string, number> {
  const samples = counters;
  for (const histogram of histograms.values()) addHistogram(samples, histogram);
  counters = new Map();
  histograms = new Map();
  return samples;
}

/** As Prometheus has it: each bucket holds those below it too. */
function addHistogram(
  samples: Map<string, number>,
  { name, labels, counts, sum }: Histogram,
): void {
  const add = (key: string, value: number) => samples.set(key, (samples.get(key) ?? 0) + value);
  let below = 0;
  for (const [index, value] of counts.entries()) {
    below += value;
    add(
      series(`${name}_bucket`, {
        ...labels,
        le: index < BUCKETS.length ? String(BUCKETS[index]) : "+Inf",
      }),
      below,
    );
  }
  add(series(`${name}_sum`, labels), sum);
  add(series(`${name}_count`, labels), below);
}
