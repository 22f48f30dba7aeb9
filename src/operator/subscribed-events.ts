// Lists the events of the Email Service to which each domain's queue is subscribed
// (docs/couriers.md). The worker and tools/setup use the same list. Pure.

export const EVENT_TYPES = [
  "message.delivered",
  "message.deferred",
  "message.bounced",
  "message.failed",
  "message.rejected",
  "message.complained",
] as const;
