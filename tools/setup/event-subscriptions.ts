// Describes what a sending domain needs in the account for the courier `cloudflare`
// (docs/couriers.md): sending is enabled, and one subscription sends all of its events to the
// worker's queue. Pure.
import type { EventSubscription } from "./account-api.ts";

/** The worker reads this queue (wrangler.toml). */
export const EVENTS_QUEUE = "postern-email-events";

const SOURCE = "email.sending";
const PREFIX = "cf.email.sending.";
const NAME_CHARACTERS = 100;

export const EVENT_TYPES = [
  "message.delivered",
  "message.deferred",
  "message.bounced",
  "message.failed",
  "message.rejected",
  "message.complained",
] as const;

/**
 * `faults` complete a sentence, such as `it is disabled`. Empty means that the subscription is
 * correct.
 */
export type SubscriptionCheck =
  | { readonly kind: "missing" }
  | {
      readonly kind: "found";
      readonly subscription: EventSubscription;
      readonly faults: readonly string[];
    };

/**
 * Finds the domain's subscription that sends to the queue. Otherwise finds the one that set-up
 * created but that now sends to another queue. Subscriptions of other people to their own queues do
 * not count.
 */
export function findSubscription(
  all: readonly EventSubscription[],
  domain: string,
  queueId: string | null,
): SubscriptionCheck {
  const ofDomain = all.filter(({ source }) => source.type === SOURCE && source.domain === domain);
  const subscription =
    ofDomain.find(({ destination }) => destination.queue_id === queueId) ??
    ofDomain.find(({ name }) => name === subscriptionName(domain));
  if (subscription === undefined) return { kind: "missing" };
  const missing = missingTypes(subscription);
  const faults = [
    ...(subscription.destination.queue_id === queueId ? [] : ["it sends to another queue"]),
    ...(subscription.enabled ? [] : ["it is disabled"]),
    ...(missing.length === 0 ? [] : [`it lacks ${missing.join(", ")}`]),
  ];
  return { kind: "found", subscription, faults };
}

export function neededSubscription(
  zoneId: string,
  domain: string,
  queueId: string,
): Omit<EventSubscription, "id"> {
  const source = { type: SOURCE, zone_id: zoneId, domain };
  return {
    name: subscriptionName(domain),
    enabled: true,
    source,
    destination: { type: "queues.queue", queue_id: queueId },
    events: EVENT_TYPES,
  };
}

/** Builds the change that corrects a subscription. Additional event types stay. */
export function mendedSubscription(
  subscription: EventSubscription,
  queueId: string,
): Partial<Pick<EventSubscription, "enabled" | "events" | "destination">> {
  const leadsHere = subscription.destination.queue_id === queueId;
  return {
    enabled: true,
    events: [...subscription.events.map(typeOf), ...missingTypes(subscription)],
    ...(!leadsHere && { destination: { type: "queues.queue", queue_id: queueId } }),
  };
}

function missingTypes({ events }: EventSubscription): string[] {
  const has = new Set(events.map(typeOf));
  return EVENT_TYPES.filter((type) => !has.has(type));
}

/** The Email Service writes event types both with and without the prefix. */
function typeOf(event: string): string {
  return event.startsWith(PREFIX) ? event.slice(PREFIX.length) : event;
}

function subscriptionName(domain: string): string {
  return `postern ${domain}`.slice(0, NAME_CHARACTERS);
}
