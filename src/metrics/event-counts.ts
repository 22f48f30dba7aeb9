// Maps events to counters: the outcomes of deliveries, and later reports of bounces and complaints.
import { count } from "./isolate-counts.ts";

interface Counted {
  readonly type: string;
  readonly bounce?: { readonly type: string; readonly classification: string | null } | null;
}

/** Counts the outcome of a delivery. Ignores sent, opened, clicked and unsubscribed. */
export function countEvent({ type, bounce }: Counted): void {
  switch (type) {
    case "email.delivered":
      return count("postern_delivered_total");
    case "email.delayed":
      return count("postern_delayed_total");
    case "email.bounced":
      return count("postern_bounced_total", {
        type: bounce?.type ?? "none",
        class: bounce?.classification ?? "none",
      });
    case "email.suppressed":
      return count("postern_suppressed_total");
    case "email.complained":
      return count("postern_complained_total");
    default:
  }
}
