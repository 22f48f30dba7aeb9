// The form of what the gateway finds about itself (docs/gateway-watch.md).

export const WATCH_CHECKS = [
  "addresses",
  "ptr",
  "helo",
  "spf",
  "certificate",
  "block_list",
] as const;

export type WatchCheck = (typeof WATCH_CHECKS)[number];

/** `unknown`: the check gave no result, which is neither good nor bad. */
export type WatchStatus = "ok" | "warning" | "failed" | "unknown";

export interface WatchFinding {
  readonly check: WatchCheck;
  readonly status: WatchStatus;
  /** The address, the name or the block list that was checked; null: the whole gateway. */
  readonly subject: string | null;
  readonly message: string;
  /** The operator's next step; null: none is needed. */
  readonly advice: string | null;
  /** The page where an operator asks to have the address removed from the block list. */
  readonly link: string | null;
}

export function finding(
  check: WatchCheck,
  status: WatchStatus,
  subject: string | null,
  message: string,
  advice: string | null = null,
  link: string | null = null,
): WatchFinding {
  return { check, status, subject, message, advice, link };
}
