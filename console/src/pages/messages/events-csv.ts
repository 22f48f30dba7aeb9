// Writes the rows of a list as CSV. Senders choose subjects and links, so an apostrophe is put
// before a value that looks like a formula. The heading of a column of times names the time zone.
// Pure.
import { formatCsv } from "../../../../src/lib/csv.ts";
import { formatStamp } from "../../parts/time/times.ts";
import { bounceReason, type MessageGroup } from "./message-groups.ts";
import type { LogEvent } from "./newest-events.ts";

type Cell = string | number | null;

const EVENT_COLUMNS = [
  "type",
  "recipient",
  "subject",
  "from",
  "email_id",
  "message_id",
  "attempt",
  "smtp_code",
  "bounce_type",
  "bounce_classification",
  "topic",
  "campaign",
  "template_id",
  "ip_pool",
] as const;

export function eventsCsv(events: readonly LogEvent[], zone: string): string {
  return csvOf([
    ["id", `occurred_at (${zone})`, ...EVENT_COLUMNS, "tags", "url"],
    ...events.map((event) => [
      event.id,
      formatStamp(Date.parse(event.occurred_at), zone),
      ...EVENT_COLUMNS.map((name) => event[name]),
      event.tags.join(" "),
      event.tracking?.url ?? null,
    ]),
  ]);
}

export function messagesCsv(groups: readonly MessageGroup[], zone: string): string {
  return csvOf([
    ["email_id", `last_event_at (${zone})`, "subject", "from", "recipient", "status", "reason"],
    ...groups.flatMap(({ emailId, last, recipients }) =>
      recipients.map((one) => [
        emailId,
        formatStamp(Date.parse((one.events[0] ?? last).occurred_at), zone),
        last.subject,
        last.from,
        one.recipient,
        one.status,
        bounceReason(one),
      ]),
    ),
  ]);
}

function csvOf(rows: readonly (readonly Cell[])[]): string {
  return rows.map((row) => formatCsv(row)).join("");
}
