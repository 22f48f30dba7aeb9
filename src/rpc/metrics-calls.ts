// The calls of the Metrics object, with their arguments and results.
/** Series, such as `name{label="value"}` → its value. */
export type Samples = Readonly<Record<string, number>>;

/**
 * The name of the only Metrics object. An isolate calls it every 10 s and a busy team every 30 s,
 * which is far below its limit.
 */
export const METRICS_OBJECT = "metrics";

/**
 * The current numbers of a source. A name that ends in `At` is a time in Unix milliseconds, of
 * which the earliest counts. Other numbers are added up over the sources.
 */
export type Gauges = Readonly<Record<string, number>>;

export interface Reading {
  readonly counters: Samples;
  readonly gauges: Gauges;
}

/** The urgency with which a team needs the operator, most urgent first (contract.md §Operator API). */
export const SEVERITIES = ["critical", "warning", "notice"] as const;
export type Severity = (typeof SEVERITIES)[number];

/** A team's last report. */
export interface RankedTeam {
  /** The team's id. */
  readonly source: string;
  readonly severity: Severity;
  readonly gauges: Gauges;
  /** Unix milliseconds. */
  readonly at: number;
}

/** A part of the teams that need attention, the worst first, and the counts of all of them. */
export interface Worst {
  readonly counts: Readonly<Record<Severity | "unread", number>>;
  readonly worst: readonly RankedTeam[];
}

/** Sums what all isolates, ledgers and webhooks report (resources/metrics/metrics.ts). */
export interface MetricsAggregator {
  /** Adds counts. Resolves when they are saved. */
  add(samples: Samples): Promise<void>;
  /** Replaces what `source`, e.g. a team's ledger, reported before; null: it holds nothing. */
  report(source: string, gauges: Gauges | null, now: number): void;
  /** The sums as of `now`, Unix milliseconds. */
  read(now: number): Reading;
  /** The reports of the teams that need attention as of `now`, `limit` of them after `skip`. */
  readWorst(part: { readonly skip: number; readonly limit: number }, now: number): Worst;
}
