// A message as Resend shows it (docs/from-resend.md §Emails). Pure.
import type { EventType } from "../../rpc/event-types.ts";
import type { JsonObject } from "../../mail/accept/fields.ts";
import type { ListedEmail } from "../../mail/lookup/messages/wire.ts";
import type { Email } from "../../mail/lookup/wire.ts";
import { bareId } from "./bare-ids.ts";

const LAST_EVENTS: Readonly<Record<EventType, string>> = {
  "email.sent": "sent",
  "email.delivered": "delivered",
  "email.delayed": "delivery_delayed",
  "email.bounced": "bounced",
  "email.complained": "complained",
  "email.suppressed": "suppressed",
  // Resend has no event for an unsubscribe. The message was delivered, so it is shown as delivered.
  "email.unsubscribed": "delivered",
  "email.opened": "opened",
  "email.clicked": "clicked",
};

/** Converts a message. `html` and `text` are null: Postern does not keep bodies after delivery. */
export function toResendEmail(email: Email): JsonObject {
  return {
    object: "email",
    ...membersOf(email),
    html: null,
    text: null,
    last_event: lastEventOf(email),
    tags: Object.entries(email.metadata ?? {}).map(([name, value]) => ({ name, value })),
  };
}

export function toListedResendEmail(email: ListedEmail): JsonObject {
  const { last_event: last, status, canceled_at } = email;
  const waiting = status === "scheduled" ? "scheduled" : "queued";
  const begun = typeof canceled_at === "string" ? "canceled" : waiting;
  return { ...membersOf(email), last_event: last ? LAST_EVENTS[last.type] : begun };
}

function membersOf(email: Email | ListedEmail): JsonObject {
  return {
    id: bareId(email.id),
    message_id: email.message_id,
    from: email.from,
    to: email.to,
    cc: email.cc,
    bcc: email.bcc,
    reply_to: [],
    subject: email.subject,
    created_at: email.created_at,
    scheduled_at: email.scheduled_at ?? null,
    topic_id: email.topic,
  };
}

/**
 * Returns the name of the latest event of any recipient or, without events, the message's state.
 */
function lastEventOf({ recipients, scheduled_at, canceled_at }: Email): string {
  const [latest] = recipients
    .flatMap(({ events }) => events)
    .toSorted((one, other) => other.occurred_at.localeCompare(one.occurred_at));
  if (latest) return LAST_EVENTS[latest.type];
  if (typeof canceled_at === "string") return "canceled";
  return scheduled_at !== undefined && recipients.some(({ status }) => status === "scheduled")
    ? "scheduled"
    : "queued";
}
