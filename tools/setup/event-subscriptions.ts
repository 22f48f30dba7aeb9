// States what a sending domain needs in the account for the courier `cloudflare`
// (docs/couriers.md): sending enabled, and one event subscription that leads all of its events to
// the worker's queue. Pure.
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

/** `faults` are clauses, such as `it is disabled`. Empty: the subscription is as it should be. */
export type FoundSubscription =
  | { readonly kind: "missing" }
  | {
      readonly kind: "found";
      readonly subscription: EventSubscription;
      readonly faults: readonly string[];
    };

/**
 * Finds the domain's subscription that leads to the queue, else the one that set-up made and that
 * leads elsewhere. Subscriptions that others lead to their own queues do not count.
 */
export function findSubscription(
  all: readonly EventSubscription[],
  domain: string,
  queueId: string | null,
): FoundSubscription {
  const ofDomain = all.filter(({ source }) => source.type === SOURCE && source.domain === domain);
  const subscription =
    ofDomain.find(({ destination }) => destination.queue_id === queueId) ??
    ofDomain.find(({ name }) => name === subscriptionName(domain));
  if (subscription === undefined) return { kind: "missing" };
  const missing = missingTypes(subscription);
  const faults = [
    ...(subscription.destination.queue_id === queueId ? [] : ["it leads to another queue"]),
    ...(subscription.enabled ? [] : ["it is disabled"]),
    ...(missing.length === 0 ? [] : [`it lacks ${missing.join(", ")}`]),
  ];
  return { kind: "found", subscription, faults };
}

/** Builds the subscription that a domain needs. */
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

/** Builds the change that mends a subscription. Further types of events stay. */
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

/** The service writes the same type with and without its prefix. */
function typeOf(event: string): string {
  return event.startsWith(PREFIX) ? event.slice(PREFIX.length) : event;
}

function subscriptionName(domain: string): string {
  return `postern ${domain}`.slice(0, NAME_CHARACTERS);
}
