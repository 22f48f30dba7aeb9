// The calls of the Metrics object, with their arguments and results.
import type { ProbePermit, ProbeRequest, ActiveHold } from "./holds.ts";

/** Counts by series, such as `name{label="value"}`. */
export type Samples = Readonly<Record<string, number>>;

/**
 * The name of the only Metrics object. Each isolate calls it every 10 s, and each busy team every
 * 30 s. One object can serve many more calls than these.
 */
export const METRICS_OBJECT = "metrics";

/**
 * The current numbers of a source, such as a ledger. The object sums the numbers of all sources.
 * But a number whose name ends in `At` is a time in Unix milliseconds, and the object takes the
 * earliest time.
 */
export type Gauges = Readonly<Record<string, number>>;

/** Sums of counters at a time. A comparison with the current sums shows the increase since then. */
export interface CounterMark {
  /** Unix milliseconds. */
  readonly at: number;
  /** The sums of a check's two series, by the check's name. */
  readonly sums: Readonly<Record<string, { readonly of: number; readonly among: number }>>;
}

export interface Reading {
  readonly counters: Samples;
  readonly gauges: Gauges;
  /** The counters' sums at points in the last hours, oldest first. */
  readonly marks: readonly CounterMark[];
}

/**
 * The severities of teams that need the operator, most urgent first (contract.md §Operator API).
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

/**
 * A part of the teams that need the operator, most urgent first, and the number of all these teams
 * by severity.
 */
export interface Worst {
  readonly counts: Readonly<Record<Severity | "unread", number>>;
  readonly worst: readonly RankedTeam[];
}

/** Sums the numbers that isolates, ledgers and webhooks report (resources/metrics/metrics.ts). */
export interface MetricsAggregator {
  /** Adds counts. Resolves when the counts are saved. */
  add(samples: Samples): Promise<void>;
  /**
   * Replaces the last numbers of `source`, such as a team's ledger. `gauges` null: the source has
   * no numbers any more.
   */
  report(source: string, gauges: Gauges | null, now: number): void;
  /** Returns the sums as of `now`, Unix milliseconds. */
  read(now: number): Reading;
  /**
   * Records the checks that are over their limits as of `now`. Returns for each of these checks
   * when it was first recorded as over its limit, Unix milliseconds.
   */
  watch(over: readonly string[], now: number): Readonly<Record<string, number>>;
  /**
   * Returns the teams that need the operator as of `now`, most urgent first. Skips `skip` teams,
   * and returns at most `limit`.
   */
  readWorst(part: { readonly skip: number; readonly limit: number }, now: number): Worst;
  /** Decides whether a ledger may test if the account's hold is over. */
  askAccount(question: ProbeRequest): ProbePermit;
  /**
   * Ends the account's hold, because the provider accepted a copy at `freedAt`, Unix milliseconds.
   */
  noteAccountFree(freedAt: number): void;
  /** Returns the account's hold, or null if the account may send. */
  accountHold(): ActiveHold | null;
  /** Returns the jurisdiction of the object, or null if it has no jurisdiction. */
  jurisdiction(): string | null;
}
