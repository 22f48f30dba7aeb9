// Defines the points at which a test build can be killed (docs/architecture.md §Where it can be
// killed). A crash point costs one comparison in production.

/** Crash points in the order in which a message and then its events reach them. */
export type CrashPoint =
  | "after_admit"
  | "after_release"
  | "after_claim"
  | "after_smtp"
  | "after_hand_over"
  | "before_ask"
  | "after_ask"
  | "after_append"
  | "after_settle"
  | "after_page"
  | "reply_after_raw"
  | "reply_after_row"
  | "webhook_after_enqueue"
  | "webhook_after_claim"
  | "webhook_after_post";

/**
 * Reports a crash point to the harness at `url` and waits for the answer. The harness either
 * answers or kills the process.
 */
export function crashPoint(url: string | undefined, point: CrashPoint): Promise<unknown> | null {
  return url ? fetch(`${url}/${point}`, { method: "POST" }) : null;
}
