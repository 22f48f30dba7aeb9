// Writes the texts of dashboard panels that show one gauge: the metric's sentence and the limit of
// its check. The limit is also the last threshold of the panel's colours. Pure.
import { type CheckEntry } from "../../src/operator/check-entry.ts";
import { WORKER_CHECKS } from "../../src/operator/check-table.ts";
import { formatValue } from "../../src/operator/check-values.ts";
import type { MetricEntry } from "../../src/operator/metric-table.ts";

/** Matches the beginning of a panel, or of a row, which stays unchanged. */
const PANEL_START = /^(?= {4}\{\n {6}"id": )/m;
const METRIC = /\b(?:postern|process)_\w+/g;
/** Matches an expression that shows something other than the value of a metric. */
const CHANGED = /\b(?:rate|increase|time|histogram_quantile)\(|\bup\{/;

export function withPanelTexts(
  text: string,
  metrics: Readonly<Record<string, MetricEntry>>,
): string {
  return text
    .split(PANEL_START)
    .map((panel) => describePanel(panel, metrics))
    .join("");
}

function describePanel(panel: string, metrics: Readonly<Record<string, MetricEntry>>): string {
  const expressions = Array.from(
    panel.matchAll(/"expr": ("(?:[^"\\]|\\.)*")/g),
    ([, text = '""']) => String(JSON.parse(text)),
  );
  const shown = new Set(expressions.flatMap((one) => one.match(METRIC) ?? []));
  const [name = ""] = shown;
  const metric = metrics[name];
  if (shown.size !== 1 || metric?.type !== "gauge" || expressions.some((one) => CHANGED.test(one)))
    return panel;
  const limit = limitOf(name);
  const about = limit === null ? metric.help : `${metric.help} Limit: ${limit.text}.`;
  const described = panel.replace(/(?<="description": )"(?:[^"\\]|\\.)*"/, () =>
    JSON.stringify(about),
  );
  return limit === null ? described : withLastThreshold(described, limit.from);
}

/** `from` is the least value that the panel shows in the colour for "over the limit". */
function limitOf(metric: string): { readonly text: string; readonly from: number } | null {
  const found = Object.values<CheckEntry>(WORKER_CHECKS).find(
    ({ reads }) => reads.kind === "gauge" && reads.metric === metric && !reads.labels,
  );
  if (found?.limit === undefined || found.limit === null) return null;
  const { limit, unit } = found;
  return { text: formatValue(limit, unit), from: unit === "count" && limit === 0 ? 1 : limit };
}

function withLastThreshold(panel: string, value: number): string {
  return panel.replace(
    /("value": )(\d+)( \}\n\s*\]\n\s*\}\n)/,
    (_, before: string, _old: string, after: string) => `${before}${value}${after}`,
  );
}
