// The names of the event types that the API knows, as its types and for display.
import type { EVENT_TYPES } from "../../../packages/postern/src/generated/event-type-list.ts";
import type { Webhook } from "../../../packages/postern/src/generated/types.ts";

export type EventTypeName = (typeof EVENT_TYPES)[number];

/** A type that a webhook may name. The event history does not have `email.replied`. */
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
