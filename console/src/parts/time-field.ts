// Reads and writes the value of a `datetime-local` field as UTC, because the service's times are in
// UTC. Pure.

/** Returns the field's time; undefined: the field is empty. */
export function utcOf(field: string): string | undefined {
  if (field === "") return undefined;
  const at = Date.parse(`${field}Z`);
  return Number.isNaN(at) ? undefined : new Date(at).toISOString();
}

/** Writes a time, Unix milliseconds, as the field's value. */
export function fieldOf(at: number): string {
  return new Date(at).toISOString().slice(0, 16);
}
