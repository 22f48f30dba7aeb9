// Compares the clock of another machine with this machine's clock, by the Date header of the other
// machine's answer. If the clock of a machine that signs mail is ahead, receivers see a signature
// that is not valid yet.
import { critical, type CheckResult, ok, notKnown, warning } from "./check-result.ts";

const WARNING_MS = 10_000;
const CRITICAL_MS = 120_000;
/** The time in a Date header is cut to whole seconds. */
const RESOLUTION_MS = 1_000;

/**
 * The three times are in Unix milliseconds: the time in the answer (`said`), the time when the
 * request was sent, and the time when the answer came. `said` is null if the answer had no time.
 */
export function compareClocks(
  check: string,
  whose: string,
  said: number | null,
  sentAt: number,
  answeredAt: number,
): CheckResult {
  if (said === null) return notKnown(check, `${whose} reports no time`);
  const early = said - answeredAt;
  const late = said + RESOLUTION_MS - sentAt;
  const skew = early > 0 ? early : Math.min(late, 0);
  const words =
    `${whose} is ${Math.round(Math.abs(skew) / 1000)} s ${skew > 0 ? "ahead of" : "behind"} ` +
    "this machine";
  if (Math.abs(skew) < WARNING_MS) return ok(check, `${whose} and this machine agree`);
  const mend =
    "synchronize both clocks by NTP (timedatectl); if several clocks are off by the same amount, this " +
    "machine's clock is wrong";
  return Math.abs(skew) < CRITICAL_MS ? warning(check, words, mend) : critical(check, words, mend);
}

export function dateOf(header: string | null): number | null {
  const said = Date.parse(header ?? "");
  return Number.isNaN(said) ? null : said;
}
