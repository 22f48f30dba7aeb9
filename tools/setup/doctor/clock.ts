// Compares another machine's clock with this one's, by the Date of its answer. Signatures contain
// times: if a clock is ahead, receivers see mail that is not yet valid.
import { fail, type Finding, ok, skip, warn } from "./finding.ts";

const WARN_MS = 10_000;
const FAIL_MS = 120_000;
/** A Date header has a resolution of one second. */
const RESOLUTION_MS = 1_000;

/** The three times are Unix milliseconds. `said` is null if the answer had no date. */
export function clockFinding(
  check: string,
  whose: string,
  said: number | null,
  sentAt: number,
  answeredAt: number,
): Finding {
  if (said === null) return skip(check, `${whose} reports no time`);
  const early = said - answeredAt;
  const late = said + RESOLUTION_MS - sentAt;
  const skew = early > 0 ? early : Math.min(late, 0);
  const words =
    `${whose} is ${Math.round(Math.abs(skew) / 1000)} s ${skew > 0 ? "ahead of" : "behind"} ` +
    "this machine";
  if (Math.abs(skew) < WARN_MS) return ok(check, `${whose} and this machine agree`);
  const mend =
    "synchronize both by NTP (timedatectl); if several clocks are off by the same amount, this " +
    "machine's clock is wrong";
  return Math.abs(skew) < FAIL_MS ? warn(check, words, mend) : fail(check, words, mend);
}

export function dateOf(header: string | null): number | null {
  const said = Date.parse(header ?? "");
  return Number.isNaN(said) ? null : said;
}
