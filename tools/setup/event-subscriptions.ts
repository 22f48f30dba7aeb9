// Describes what a sending domain needs in the Cloudflare account for the courier `cloudflare`
// (docs/couriers.md). Sending must be enabled. One subscription must send all event types of the
// domain to the worker's queue. Pure.
import { EVENT_TYPES } from "../../src/operator/subscribed-events.ts";
import type { EventSubscription } from "./account-api.ts";

/** The queue from which the worker reads the events (wrangler.toml). */
export const EVENTS_QUEUE = "postern-email-events";

const SOURCE = "email.sending";
const PREFIX = "cf.email.sending.";
const NAME_CHARACTERS = 100;

/**
 * Each text in `faults` is the end of a sentence, such as `it is disabled`. `faults` is empty if
 * the subscription is correct.
 */
export type SubscriptionCheck =
  | { readonly kind: "missing" }
  | {
      readonly kind: "found";
      readonly subscription: EventSubscription;
      readonly faults: readonly string[];
    };

/**
 * Finds the domain's subscription that sends to the worker's queue. If no subscription does, finds
 * the one with the name that set-up gives, and reports its queue as a fault. Ignores all other
 * subscriptions, because other people may have their own queues.
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

/** Returns the correction of a subscription. It keeps events that the service does not need. */
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

/**
 * Removes the prefix of an event type. The Email Service writes event types both with it and
 * without it.
 */
function typeOf(event: string): string {
  return event.startsWith(PREFIX) ? event.slice(PREFIX.length) : event;
}

function subscriptionName(domain: string): string {
  return `postern ${domain}`.slice(0, NAME_CHARACTERS);
}
