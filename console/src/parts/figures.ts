// Formats numbers, shares and durations for people. Pure.
import { DAY_MS, HOUR_MS, MINUTE_MS, SECOND_MS } from "./time/time-units.ts";

/**
 * The locale of all numbers. The pages and the service's sentences are in English. In another
 * locale, a page could show the same number in two forms.
 */
export const LOCALE = "en";

/** The smallest share that is written in digits. */
const SMALLEST_SHARE = 0.0001;

export function formatCount(count: number): string {
  return new Intl.NumberFormat(LOCALE).format(count);
}

/** Groups the digits of whole numbers in a text of the service, such as `1,000,000`. */
export function groupDigits(text: string): string {
  return text.replaceAll(/(?<![\d.])\d{4,}(?![\d.])/g, (digits) => formatCount(Number(digits)));
}

/**
 * Writes a share, such as `98.2%`. Writes `–` if the whole is zero. 100% and 0% mean exactly all
 * and none, so rounding never produces them.
 */
export function formatShare(part: number, whole: number): string {
  if (whole === 0) return "–";
  const share = part / whole;
  const isNearEnd = share < 0.01 || share > 0.99;
  const number = new Intl.NumberFormat(LOCALE, {
    style: "percent",
    maximumFractionDigits: isNearEnd ? 2 : 1,
  });
  if (share > 0 && share < SMALLEST_SHARE) return `<${number.format(SMALLEST_SHARE)}`;
  return number.format(share < 1 ? Math.min(share, 1 - SMALLEST_SHARE) : share);
}

/** Writes a duration: `84 ms`, `1.4 s`, `3 min`, `1 min 2 s`, `5 h 20 min`, `2 d 3 h`. */
export function formatDuration(ms: number): string {
  if (ms < SECOND_MS) return `${Math.round(ms)} ms`;
  if (ms < 10 * SECOND_MS) return `${(ms / SECOND_MS).toFixed(1)} s`;
  if (ms < MINUTE_MS) return `${Math.round(ms / SECOND_MS)} s`;
  if (ms < HOUR_MS) return inTwo(ms, MINUTE_MS, "min", SECOND_MS, "s");
  if (ms < DAY_MS) return inTwo(ms, HOUR_MS, "h", MINUTE_MS, "min");
  return inTwo(ms, DAY_MS, "d", HOUR_MS, "h");
}

function inTwo(ms: number, big: number, bigName: string, small: number, smallName: string): string {
  const whole = Math.floor(ms / big);
  const rest = Math.floor((ms - whole * big) / small);
  return rest === 0 ? `${whole} ${bigName}` : `${whole} ${bigName} ${rest} ${smallName}`;
}

export function plural(count: number, one: string, many: string): string {
  return `${formatCount(count)} ${count === 1 ? one : many}`;
}
