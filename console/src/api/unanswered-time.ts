// Describes how long the service has not answered, and when the console retries. Pure.

/** The period in which the service does not answer. */
export interface Silence {
  /** Unix milliseconds. */
  readonly since: number;
  /** Time of the next retry, Unix milliseconds. Null: a retry is under way. */
  readonly nextAt: number | null;
  /** True: the browser reports that it is offline. */
  readonly isOffline: boolean;
}

/**
 * Returns the text that says when the service stopped answering. `clock` is that time as text.
 * While the console retries, the text does not change.
 */
export function sinceText({ isOffline }: Silence, clock: string): string {
  return `${isOffline ? "This browser is offline. " : ""}No answer since ${clock}`;
}

/** Returns the text that says in how many seconds the next retry comes. */
export function nextTryText({ nextAt }: Silence, now: number): string {
  if (nextAt === null) return "trying again …";
  return `trying again in ${Math.max(1, Math.ceil((nextAt - now) / 1_000))} s`;
}
