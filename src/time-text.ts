// Formats times for the API (contract.md §Identifiers and times). Pure.

/** Converts Unix milliseconds to RFC 3339 in UTC. Null stays null. */
export function toTime(ms: number): string;
export function toTime(ms: number | null): string | null;
export function toTime(ms: number | null): string | null {
  return ms === null ? null : new Date(ms).toISOString();
}
