// Generated from the OpenAPI document by `npm run client`. Do not edit.
export const EVENT_TYPES = [
  "email.sent",
  "email.delivered",
  "email.delayed",
  "email.bounced",
  "email.complained",
  "email.suppressed",
  "email.unsubscribed",
  "email.opened",
  "email.clicked"
] as const;
