// Formats a number of bytes for people, such as `3.2 MB`. Pure.
import { LOCALE } from "./figures.ts";

const UNITS = ["B", "kB", "MB", "GB", "TB"] as const;
const STEP = 1_000;

export function formatBytes(bytes: number): string {
  let size = bytes;
  let unit = 0;
  while (size >= STEP && unit < UNITS.length - 1) {
    size /= STEP;
    unit += 1;
  }
  const digits = unit > 0 && size < 10 ? 1 : 0;
  const number = new Intl.NumberFormat(LOCALE, { maximumFractionDigits: digits });
  return `${number.format(size)} ${UNITS[unit]}`;
}
