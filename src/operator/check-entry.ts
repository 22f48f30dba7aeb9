// The form of a check's entry in check-table.ts and gateway-check-table.ts. Pure.
import type { MetricName } from "./metric-table.ts";

/** The statuses, from the worst to the best. `alert_only`: only Prometheus knows the numbers. */
export const CHECK_STATUSES = ["critical", "warning", "unknown", "alert_only", "ok"] as const;
export type CheckStatus = (typeof CHECK_STATUSES)[number];

/** The series of a metric in which each given label has one of its given values. */
export interface Series {
  readonly metric: MetricName;
  readonly labels?: Readonly<Record<string, readonly string[]>>;
}

/** A ratio of two increases over a window. Only the Metrics object and Prometheus compute it. */
interface Share {
  readonly kind: "share";
  readonly of: Series;
  readonly among: Series;
  readonly windowSeconds: number;
  /** Minimum increase of `among`. With a smaller one, the check judges nothing. */
  readonly atLeast: number;
}

export type CheckReading =
  /**
   * Each value of the label `each` is judged separately. `below`: the check fails below the limit,
   * and not above it.
   */
  | (Series & { readonly kind: "gauge"; readonly each?: string; readonly below?: boolean })
  | { readonly kind: "increase"; readonly of: Series; readonly windowSeconds: number }
  | Share
  /** The gateways' reports. Prometheus evaluates the expression, with the limit for LIMIT. */
  | { readonly kind: "gateway"; readonly expression: string }
  /** The names of the worker's variables. */
  | { readonly kind: "settings" }
  /** An expression that only Prometheus can evaluate. LIMIT stands for the limit. */
  | { readonly kind: "alert"; readonly expression: string };

export interface CheckEntry {
  readonly title: string;
  readonly reads: CheckReading;
  readonly unit: "count" | "seconds" | "share";
  /** A value beyond the limit needs attention. Null: the check only shows the number. */
  readonly limit: number | null;
  readonly severity: "critical" | "warning";
  /** Time for which the value must be beyond the limit before the alert fires. */
  readonly alertAfterSeconds: number;
  /** The alert's name. Empty: the check has no alert. */
  readonly alert: string;
  readonly over: string;
  readonly good: string;
  readonly next: string;
  /** The page and heading that explain the check. */
  readonly page: string;
}
