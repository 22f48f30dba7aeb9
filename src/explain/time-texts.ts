// Writes days and times for explanations (contract.md §Explanations). Times are Unix milliseconds.
// Pure.

/** Writes a day in UTC: `22 November 2026`. */
export function dayText(at: number): string {
  return new Date(at).toLocaleDateString("en-GB", { dateStyle: "long", timeZone: "UTC" });
}

/** Writes a time to the minute: `14:03 UTC on 22 November 2026`. */
export function timeText(at: number): string {
  const [, time = ""] = new Date(at).toISOString().split("T");
  return `${time.slice(0, "14:03".length)} UTC on ${dayText(at)}`;
}
