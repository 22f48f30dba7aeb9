// Which counter an event belongs to: the outcomes of deliveries, and what came back later as a
// report.
import { count } from "./isolate-counts.ts";

interface Counted {
  readonly type: string;
  readonly bounce?: { readonly type: string; readonly classification: string | null } | null;
}

/** An event that is no outcome (sent, opened, clicked, unsubscribed) is not counted. */
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
