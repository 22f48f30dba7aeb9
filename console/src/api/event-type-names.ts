// The event types that the API knows, in the order of a message's life.
import type { operations } from "./schema.ts";

type EventQuery = NonNullable<operations["listEvents"]["parameters"]["query"]>;
export type EventTypeName = NonNullable<EventQuery["event_type"]>;

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
