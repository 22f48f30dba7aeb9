// Collects this isolate's counts until a transfer. Isolates share no memory, so each isolate
// collects counts for some seconds and adds them to the one Metrics object in a single call. So a
// message costs neither a row nor a call, and a request costs only an addition. If an isolate dies,
// its counts are lost. That is acceptable, because counters are only for monitoring, and events are
// the complete record.
import type { Env } from "../env.ts";
import { logWarning } from "../lib/log.ts";
import { METRICS_OBJECT } from "../rpc/metrics-calls.ts";
import { metricsFlushMsOf } from "../settings.ts";
import {
  BUCKETS,
  type CounterName,
  type HistogramName,
  type LabelsOf,
  series,
} from "../operator/metric-table.ts";
import { objectOf } from "../object-of.ts";

/** Time after which a scheduled transfer counts as failed, because it ended with its request. */
const ABANDONED_MS = 60_000;

type Labels = Readonly<Record<string, string>>;

interface Histogram {
  readonly name: HistogramName;
  readonly labels: Labels;
  /** Counts by bucket. The last entry counts values beyond the last bucket. */
  readonly counts: number[];
  sum: number;
}

interface Deferring {
  waitUntil(work: Promise<unknown>): void;
}

let counters = new Map<string, number>();
let histograms = new Map<string, Histogram>();
let begunAt = Number.NEGATIVE_INFINITY;

export function count<Name extends CounterName>(
  name: Name,
  labels: LabelsOf<Name> = {} as LabelsOf<Name>,
  by = 1,
): void {
  const key = series(name, labels);
  counters.set(key, (counters.get(key) ?? 0) + by);
}

export function observe<Name extends HistogramName>(
  name: Name,
  labels: LabelsOf<Name>,
  value: number,
): void {
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

/** Schedules a transfer of all counts, METRICS_FLUSH_SECONDS from now. Returns at once. */
export function flushSoon(env: Env, context: Deferring): void {
  const now = Date.now();
  if ((counters.size === 0 && histograms.size === 0) || now - begunAt < ABANDONED_MS) return;
  begunAt = now;
  context.waitUntil(flushLater(env));
}

/** Transfers the counts now. If the transfer fails, keeps the counts for the next one. */
export async function flush(env: Env): Promise<void> {
  const samples = takeSamples();
  if (samples.size === 0) return;
  try {
    await objectOf(env, "METRICS", METRICS_OBJECT).add(Object.fromEntries(samples));
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

/** Adds the samples in Prometheus's form, in which each bucket includes all lower buckets. */
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
