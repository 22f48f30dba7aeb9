// Lists the events of the Email Service to which a domain's queue is subscribed
// (docs/couriers.md). tools/setup subscribes to them too. Pure.

export const EVENT_TYPES = [
  "message.delivered",
  "message.deferred",
  "message.bounced",
  "message.failed",
  "message.rejected",
  "message.complained",
] as const;
