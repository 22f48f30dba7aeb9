// The calls of the Metrics object, with their arguments and results.
import type { ProbePermit, ProbeRequest, ActiveHold } from "./holds.ts";

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

/** Sums of counters at a time, from which later sums tell an increase. */
export interface CounterMark {
  /** Unix milliseconds. */
  readonly at: number;
  /** The sums of a check's two series, by the check's name. */
  readonly sums: Readonly<Record<string, { readonly of: number; readonly among: number }>>;
}

export interface Reading {
  readonly counters: Samples;
  readonly gauges: Gauges;
  /** The marks of the last hours, oldest first. An object of an earlier version has none. */
  readonly marks?: readonly CounterMark[];
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
   * Remembers which checks are over their limits as of `now`. Returns since when each of them has
   * been seen over its limit, Unix milliseconds.
   */
  watch(over: readonly string[], now: number): Readonly<Record<string, number>>;
  /**
   * The reports of teams that need attention as of `now`: `limit` reports after the first `skip`.
   */
  readWorst(part: { readonly skip: number; readonly limit: number }, now: number): Worst;
  /** Decides whether a ledger may probe the held account. Absent in the previous version. */
  askAccount(question: ProbeRequest): ProbePermit;
  /** Notes that the account may send: a copy showed it at `freedAt`, Unix milliseconds. */
  noteAccountFree(freedAt: number): void;
  /** The hold of the account. Null: the account may send. Absent in the previous version. */
  accountHold(): ActiveHold | null;
  /** The jurisdiction in which the object is. Null: none. Absent in the previous version. */
  jurisdiction(): string | null;
}
