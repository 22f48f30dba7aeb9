// Says since when no answer comes, and when the console tries again. Pure.

/** The time since which no answer comes. */
export interface Silence {
  /** Unix milliseconds. */
  readonly since: number;
  /** Time of the next try, Unix milliseconds; null: one is under way. */
  readonly nextAt: number | null;
  /** The browser itself says that it has no network. */
  readonly isOffline: boolean;
}

/** Says the beginning, which stays the same while the console tries. `clock`: its time of day. */
export function sinceText({ isOffline }: Silence, clock: string): string {
  return `${isOffline ? "This browser is offline. " : ""}No answer since ${clock}`;
}

/** Says when the next try is, as a person counts down. */
export function nextTryText({ nextAt }: Silence, now: number): string {
  if (nextAt === null) return "trying again …";
  return `trying again in ${Math.max(1, Math.ceil((nextAt - now) / 1_000))} s`;
}
