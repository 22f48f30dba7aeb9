// The calls of the Metrics object, with their arguments and results.
/** Counts by series, such as `name{label="value"}`. */
export type Samples = Readonly<Record<string, number>>;

/**
 * The name of the only Metrics object. An isolate calls it every 10 s and a busy team every 30 s.
 * One object can serve far more calls.
 */
export const METRICS_OBJECT = "metrics";

/**
 * The current numbers of a source. The numbers of all sources are added up. A name that ends in
 * `At` is an exception: its number is a time in Unix milliseconds, and the earliest time counts.
 */
export type Gauges = Readonly<Record<string, number>>;

export interface Reading {
  readonly counters: Samples;
  readonly gauges: Gauges;
}

/**
 * The urgency with which a team needs the operator, most urgent first (contract.md §Operator API).
 */
export const SEVERITIES = ["critical", "warning", "notice"] as const;
export type Severity = (typeof SEVERITIES)[number];

/** A team's last report to the Metrics object. */
export interface RankedTeam {
  /** The team's id. */
  readonly source: string;
  readonly severity: Severity;
  readonly gauges: Gauges;
  /** Unix milliseconds. */
  readonly at: number;
}

/** Some of the teams that need attention, the worst first, and the numbers of all such teams. */
export interface Worst {
  readonly counts: Readonly<Record<Severity | "unread", number>>;
  readonly worst: readonly RankedTeam[];
}

/** Sums what all isolates, ledgers and webhooks report (resources/metrics/metrics.ts). */
export interface MetricsAggregator {
  /** Adds counts. Resolves when the counts are saved. */
  add(samples: Samples): Promise<void>;
  /** Replaces the last report of `source`, such as a team's ledger. Null: the source is empty. */
  report(source: string, gauges: Gauges | null, now: number): void;
  /** The sums as of `now`, Unix milliseconds. */
  read(now: number): Reading;
  /**
   * The reports of teams that need attention as of `now`: `limit` reports after the first `skip`.
   */
  readWorst(part: { readonly skip: number; readonly limit: number }, now: number): Worst;
}
