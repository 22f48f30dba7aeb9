// What the Metrics object is told and asked: the arguments and results of its RPC methods.
/** `name{label="value"}` → its value: how numbers are kept and summed. */
export type Samples = Readonly<Record<string, number>>;

/**
 * There is one: at one call an isolate in 10 s, and one a busy team in 30 s, it is far from its
 * limit.
 */
export const METRICS_OBJECT = "metrics";

/**
 * What a source holds now. A name that ends in `At` is a time, Unix milliseconds, of which the
 * earliest counts; the others are added up.
 */
export type Gauges = Readonly<Record<string, number>>;

export interface Reading {
  readonly counters: Samples;
  readonly gauges: Gauges;
}

/** Sums what all isolates, ledgers and webhooks report (resources/metrics/metrics.ts). */
export interface MetricsAggregator {
  /** Adds counts. Resolves when they are saved. */
  add(samples: Samples): Promise<void>;
  /** Replaces what `source`, e.g. a team's ledger, reported before; null: it holds nothing. */
  report(source: string, gauges: Gauges | null, now: number): void;
  /** The sums as of `now`, Unix milliseconds. */
  read(now: number): Reading;
}
