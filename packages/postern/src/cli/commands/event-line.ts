// Writes an event as one line: the time, the type, the recipient, and the reason if the message did
// not arrive.
import type { Event } from "../../generated/types.ts";
import { padToWidth } from "../display-width.ts";
import { printable } from "../printable.ts";
import { moment } from "../shown-values.ts";

const TYPE_COLUMN = 18;
const RECIPIENT_COLUMN = 32;

export function eventLine(event: Event): string {
  const reason = [
    event.smtp_code === null ? "" : String(event.smtp_code),
    event.bounce_type ?? "",
    event.bounce_classification ?? "",
    event.tracking?.url ?? "",
  ];
  return [
    moment(event.occurred_at),
    padToWidth(event.type, TYPE_COLUMN),
    padToWidth(printable(event.recipient), RECIPIENT_COLUMN),
    [...reason.filter((one) => one !== ""), `“${event.subject}”`].join(" "),
  ]
    .map(printable)
    .join("  ");
}
