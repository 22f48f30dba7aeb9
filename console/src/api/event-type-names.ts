// The event types that the API knows, in the order of a message's life.
import type { ListEventsQuery, Webhook } from "../../../packages/postern/src/generated/types.ts";

export type EventTypeName = NonNullable<ListEventsQuery["event_type"]>;

export const EVENT_TYPES: readonly EventTypeName[] = [
  "email.sent",
  "email.delivered",
  "email.delayed",
  "email.bounced",
  "email.complained",
  "email.suppressed",
  "email.unsubscribed",
  "email.opened",
  "email.clicked",
];

/** A type that a webhook may name. The history has no replies. */
export type WebhookTypeName = Webhook["events"][number];

export const REPLIED = "email.replied" satisfies WebhookTypeName;

export function isEventType(type: WebhookTypeName): type is EventTypeName {
  return type !== REPLIED;
}

/** Returns a type's name for display: `Delivered`. */
export function eventName(type: WebhookTypeName): string {
  const name = type.slice("email.".length);
  return name.charAt(0).toUpperCase() + name.slice(1);
}
