// Judges the data sources of the metrics, and the share of failed requests
// (docs/metrics-and-alerts.md §Alerts). Pure.
import { formatCount, formatDuration, formatShare } from "../../../parts/figures.ts";
import { gainOf, type MetricsSample, samplesOf, sumOf } from "../metrics/metric-figures.ts";
import type { Family } from "../metrics/metrics-text.ts";
import { type Check, MEASURING } from "./operator-check.ts";

const FAULT_SHARE = 0.01;

export function checkSources(families: readonly Family[]): Check[] {
  return samplesOf(families, "postern_source_up")
    .filter(({ value }) => value === 0)
    .map(({ labels: { source = "" } }): Check => ({
      id: `source ${source}`,
      name: `Data source ${source}`,
      value: "no answer",
      tone: "bad",
      means: "Some figures on this page come from this data source.",
      says: `The data source “${source}” did not answer within 2 seconds, so its figures are missing.`,
      evidence: `postern_source_up{source="${source}"} 0`,
      to: "/operator/metrics",
      act: "Metrics",
    }));
}

/** Judges the increase of the 5xx counter since the first sample. */
export function checkFaults(looks: readonly MetricsSample[]): Check {
  const metric = "postern_http_requests_total";
  const faults = gainOf(looks, metric, { status: "5xx" });
  const all = gainOf(looks, metric) ?? 0;
  const total = sumOf(looks.at(-1)?.families ?? [], metric, { status: "5xx" }) ?? 0;
  const span = (looks.at(-1)?.at ?? 0) - (looks[0]?.at ?? 0);
  const isOver = faults !== null && faults > 0 && faults / all > FAULT_SHARE;
  return {
    id: "faults",
    name: "Server errors (5xx)",
    value: faults === null ? MEASURING : formatCount(faults),
    tone: faults === null ? "mute" : isOver ? "bad" : faults > 0 ? "wait" : "ok",
    means: `Counted since this page was opened. The metric’s total is ${formatCount(total)}.`,
    says:
      faults === null || faults === 0
        ? ""
        : `${formatCount(faults)} of ${formatCount(all)} requests (${formatShare(faults, all)}) in the last ${formatDuration(span)} failed with a server error.`,
    evidence: `${metric}{status="5xx"} ${total}`,
    to: "/operator/metrics",
    act: "Metrics",
  };
}
