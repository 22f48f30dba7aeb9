// Describes the change of a figure from the previous period. Pure.
import { LOCALE } from "../../parts/figures.ts";

/** The smallest change of a rate that is shown, in percentage points. */
const SMALLEST_POINTS = 0.005;

/**
 * Writes `▲ 8% vs. the previous 14 days`. `before` is undefined if the team's retention does not
 * cover the previous period.
 */
export function countChange(now: number, before: number | undefined, time: string): string {
  if (before === undefined) return `no data for ${time}`;
  if (before === 0) return `no mail in ${time}`;
  const by = now / before - 1;
  const percent = new Intl.NumberFormat(LOCALE, {
    style: "percent",
    maximumFractionDigits: Math.abs(by) < 0.1 ? 1 : 0,
  }).format(Math.abs(by));
  return directed(by, percent, time);
}

/**
 * Writes `▲ 0.4 points vs. the previous 14 days`. Returns null if one of the periods has no such
 * rate.
 */
export function shareChange(
  now: number | null,
  before: number | null,
  time: string,
): string | null {
  if (now === null || before === null) return null;
  const points = 100 * (now - before);
  const by = Math.abs(points) < SMALLEST_POINTS ? 0 : points;
  const digits = Math.abs(by) < 1 ? 2 : 1;
  const number = new Intl.NumberFormat(LOCALE, { maximumFractionDigits: digits });
  return directed(by, `${number.format(Math.abs(by))} points`, time);
}

function directed(by: number, amount: string, time: string): string {
  if (by === 0) return `unchanged from ${time}`;
  return `${by > 0 ? "▲" : "▼"} ${amount} vs. ${time}`;
}
