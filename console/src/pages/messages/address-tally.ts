// Counts what became of the mail to an address. Pure.
import { groupByMessage } from "./message-groups.ts";
import type { LogEvent } from "./newest-events.ts";

export interface AddressTally {
  readonly messages: number;
  readonly delivered: number;
  readonly lastDelivered: string | null;
  readonly bounced: number;
  readonly lastBounced: string | null;
  readonly complained: number;
  readonly opens: number;
  readonly lastOpened: string | null;
}

/** `events`: those of one recipient, newest first. */
export function tallyOf(events: readonly LogEvent[]): AddressTally {
  const of = (type: LogEvent["type"]): LogEvent[] => events.filter((event) => event.type === type);
  const [delivered, bounced, opened] = [
    of("email.delivered"),
    of("email.bounced"),
    of("email.opened"),
  ];
  return {
    messages: groupByMessage(events).length,
    delivered: delivered.length,
    lastDelivered: delivered[0]?.occurred_at ?? null,
    bounced: bounced.length,
    lastBounced: bounced[0]?.occurred_at ?? null,
    complained: of("email.complained").length,
    opens: opened.length,
    lastOpened: opened[0]?.occurred_at ?? null,
  };
}
