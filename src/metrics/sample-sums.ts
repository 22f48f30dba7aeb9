// Sums samples by their labels, and tells how much counters grew over a window. The keys of samples
// are those of the exposition format (operator/metric-table.ts). Pure.
import type { CheckEntry, Series } from "../operator/check-entry.ts";
import { WORKER_CHECKS } from "../operator/check-table.ts";
import { HOUR_MS, MINUTE_MS } from "../limits.ts";
import type { CounterMark, Samples } from "../rpc/metrics-calls.ts";

const NOTHING = { of: 0, among: 0 };
/** Time between two marks, which are stored sums of counters. */
export const MARK_EVERY_MS = 10 * MINUTE_MS;
/** Time for which a mark is stored: a check's longest window, and the time between two marks. */
export const MARK_LIFETIME_MS = 6 * HOUR_MS + MARK_EVERY_MS;

/**
 * Sums the values of a series by the label `each`. Without this label, the one sum has the key "".
 */
export function valuesBy(
  samples: Samples,
  { metric, labels = {} }: Series,
  each?: string,
): ReadonlyMap<string, number> {
  const sums = new Map<string, number>();
  for (const [key, value] of Object.entries(samples)) {
    if (key !== metric && !key.startsWith(`${metric}{`)) continue;
    const isWanted = Object.entries(labels).every(([label, values]) =>
      values.some((one) => key.includes(`${label}="${one}"`)),
    );
    if (!isWanted) continue;
    const subject = each === undefined ? "" : labelOf(key, each);
    sums.set(subject, (sums.get(subject) ?? 0) + value);
  }
  return sums;
}

/** Returns the value of a label. Labels of these metrics never contain a quotation mark. */
function labelOf(key: string, label: string): string {
  const [, after = ""] = key.split(`${label}="`, 2);
  return after.slice(0, Math.max(0, after.indexOf('"')));
}

/** Returns the current sums of every check that compares increases. */
export function markOf(samples: Samples, at: number): CounterMark {
  const sum = (series: Series): number => valuesBy(samples, series).get("") ?? 0;
  const sums: Record<string, { readonly of: number; readonly among: number }> = {};
  for (const [check, { reads }] of Object.entries<CheckEntry>(WORKER_CHECKS))
    if (reads.kind === "share") sums[check] = { of: sum(reads.of), among: sum(reads.among) };
    else if (reads.kind === "increase") sums[check] = { of: sum(reads.of), among: 0 };
  return { at, sums };
}

/**
 * Returns how much a check's two sums grew over the window, which begins at a mark. If the
 * deployment is younger than the window, the window begins at the first mark. Null: the check has
 * no mark yet.
 */
export function growthOf(
  check: string,
  marks: readonly CounterMark[],
  present: CounterMark,
  windowMs: number,
): { readonly of: number; readonly among: number } | null {
  const known = marks.filter(({ sums }) => sums[check] !== undefined);
  const from = known.findLast(({ at }) => at <= present.at - windowMs) ?? known[0];
  const { of, among } = present.sums[check] ?? NOTHING;
  const before = from?.sums[check] ?? NOTHING;
  if (from === undefined && of + among > 0) return null;
  return { of: Math.max(0, of - before.of), among: Math.max(0, among - before.among) };
}
