// The shapes of events (spec.md "Events", wire.md "Events").

export const EVENT_TYPES = [
  "email.sent",
  "email.delivered",
  "email.delayed",
  "email.bounced",
  "email.complained",
  "email.suppressed",
  "email.unsubscribed",
  "email.opened",
  "email.clicked",
] as const;

export type EventType = (typeof EVENT_TYPES)[number];
