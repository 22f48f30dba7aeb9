// Defines the result of one of the gateway's checks of itself (docs/gateway-watch.md).

export const WATCH_CHECKS = [
  "addresses",
  "ptr",
  "helo",
  "spf",
  "certificate",
  "block_list",
] as const;

export type WatchCheck = (typeof WATCH_CHECKS)[number];

/** `unknown`: the check gave no result, neither good nor bad. */
export type WatchStatus = "ok" | "warning" | "critical" | "unknown";

export interface SelfCheck {
  readonly check: WatchCheck;
  readonly status: WatchStatus;
  /**
   * The IP address, the name or the block list that was checked. Null: the result is about the
   * whole gateway.
   */
  readonly subject: string | null;
  readonly message: string;
  /** The operator's next step. Null: the operator has nothing to do. */
  readonly advice: string | null;
  /**
   * The web page where an operator asks to have the address removed from the block list. Null: the
   * result has no such page.
   */
  readonly link: string | null;
}

export function selfCheck(
  check: WatchCheck,
  status: WatchStatus,
  subject: string | null,
  message: string,
  advice: string | null = null,
  link: string | null = null,
): SelfCheck {
  return { check, status, subject, message, advice, link };
}
