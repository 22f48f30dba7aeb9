// The form of a check's entry in the operator's tables (check-table.ts, gateway-check-table.ts). Pure.
import type { MetricName } from "./metric-table.ts";

/** The statuses, the worst first. `alert_only`: only Prometheus knows the numbers. */
export const CHECK_STATUSES = ["critical", "warning", "unknown", "alert_only", "ok"] as const;
export type CheckStatus = (typeof CHECK_STATUSES)[number];

/** A metric's series with one of the given values for each given label. */
export interface Series {
  readonly metric: MetricName;
  readonly labels?: Readonly<Record<string, readonly string[]>>;
}

/** Increases over a window, which only the Metrics object and Prometheus can compute. */
interface Share {
  readonly kind: "share";
  readonly of: Series;
  readonly among: Series;
  readonly windowSeconds: number;
  /** A share of fewer is not judged. */
  readonly atLeast: number;
}

export type CheckReading =
  /** Each value of the label `each` is judged by itself. `below`: a lower value is over the limit. */
  | (Series & { readonly kind: "gauge"; readonly each?: string; readonly below?: boolean })
  | { readonly kind: "increase"; readonly of: Series; readonly windowSeconds: number }
  | Share
  /** The gateways' reports. Prometheus reads the expression, in which LIMIT is the limit. */
  | { readonly kind: "gateway"; readonly expression: string }
  /** The names of variables. */
  | { readonly kind: "settings" }
  /** Only Prometheus knows the expression, in which LIMIT is the limit. */
  | { readonly kind: "alert"; readonly expression: string };

export interface CheckEntry {
  readonly title: string;
  readonly reads: CheckReading;
  readonly unit: "count" | "seconds" | "share";
  /** A value beyond the limit needs attention. Null: the number is shown, and not judged. */
  readonly limit: number | null;
  readonly severity: "critical" | "warning";
  /** The time beyond the limit after which the alert fires. */
  readonly alertAfterSeconds: number;
  /** The alert's name. Empty: no alert belongs to the check. */
  readonly alert: string;
  readonly over: string;
  readonly good: string;
  readonly next: string;
  /** The page and heading with more. */
  readonly page: string;
}
