// Renders samples in Prometheus's text format 0.0.4. Each metric family appears once, with its
// help, its type and all of its samples. Pure.
import type { Samples } from "../../rpc/metrics-calls.ts";
import { BUCKETS, DEFINITIONS } from "../../operator/metric-table.ts";

export const EXPOSITION_TYPE = "text/plain; version=0.0.4; charset=utf-8";

const SUFFIX = /_(?:bucket|sum|count)$/;
const BOUND = /,?le="([^"]*)"/;

/** Renders the samples. Leaves out samples without a definition. */
export function expose(samples: Samples): string {
  const families = Map.groupBy(Object.keys(samples), familyOf);
  let text = "";
  for (const [name, { type, help, ...rest }] of Object.entries(DEFINITIONS)) {
    const isBare = type === "counter" && !("labels" in rest);
    const found = families.get(name) ?? (isBare ? [name] : []);
    if (found.length === 0) continue;
    text += `# HELP ${name} ${help}\n# TYPE ${name} ${type}\n`;
    for (const key of found.toSorted(type === "histogram" ? byBound : undefined))
      text += `${key} ${valueOf(samples[key] ?? 0)}\n`;
  }
  return text;
}

function familyOf(key: string): string {
  const brace = key.indexOf("{");
  const name = brace === -1 ? key : key.slice(0, brace);
  const base = name.replace(SUFFIX, "");
  return Object.hasOwn(DEFINITIONS, base) ? base : name;
}

/** Sorts a histogram's samples by label. Each label has its buckets first, then sum and count. */
function byBound(left: string, right: string): number {
  const [one, other] = [placeOf(left), placeOf(right)];
  if (one.labels !== other.labels) return one.labels < other.labels ? -1 : 1;
  return one.place - other.place;
}

function placeOf(key: string): { readonly labels: string; readonly place: number } {
  const bound = BOUND.exec(key)?.[1];
  const labels = key.slice(key.indexOf("{")).replace(BOUND, "");
  if (bound === undefined)
    return { labels, place: BUCKETS.length + (key.includes("_sum{") ? 1 : 2) };
  return {
    labels,
    place: bound === "+Inf" ? BUCKETS.length : BUCKETS.findIndex((one) => String(one) === bound),
  };
}

function valueOf(value: number): string {
  if (Number.isFinite(value)) return String(value);
  return Number.isNaN(value) ? "NaN" : value > 0 ? "+Inf" : "-Inf";
}
