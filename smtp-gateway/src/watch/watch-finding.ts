// The form of what the watch finds (docs/gateway-watch.md).

export const WATCH_CHECKS = [
  "addresses",
  "ptr",
  "helo",
  "spf",
  "certificate",
  "block_list",
] as const;

export type WatchCheck = (typeof WATCH_CHECKS)[number];

/** `unknown`: nothing could be found out, which is neither good nor bad. */
export type WatchStatus = "ok" | "warning" | "failed" | "unknown";

export interface WatchFinding {
  readonly check: WatchCheck;
  readonly status: WatchStatus;
  /** The address, the name or the block list that was looked at; null: the gateway as a whole. */
  readonly subject: string | null;
  readonly message: string;
  /** The operator's next step; null: none is needed. */
  readonly advice: string | null;
  /** The page that takes the address off the block list. */
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
