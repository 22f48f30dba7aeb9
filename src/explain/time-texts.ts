// Writes days and times for explanations (contract.md §Explanations). Times are Unix milliseconds.
// Pure.

const MONTHS = [
  "January",
  "February",
  "March",
  "April",
  "May",
  "June",
  "July",
  "August",
  "September",
  "October",
  "November",
  "December",
] as const;

/** Writes a day in UTC: `22 November 2026`. */
export function dayText(at: number): string {
  const day = new Date(at);
  return `${day.getUTCDate()} ${MONTHS[day.getUTCMonth()]} ${day.getUTCFullYear()}`;
}

/** Writes a time to the minute: `14:03 UTC on 22 November 2026`. */
export function timeText(at: number): string {
  const [, time = ""] = new Date(at).toISOString().split("T");
  return `${time.slice(0, "14:03".length)} UTC on ${dayText(at)}`;
}
