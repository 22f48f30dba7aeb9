// Converts Postern's webhooks to Resend's form, and maps the names of events (docs/from-resend.md
// §Webhooks). Pure.
import type * as z from "zod";
import {
  type EventType,
  REPLIED,
  WEBHOOK_EVENT_TYPES,
  type WebhookEventType,
} from "../../rpc/event-types.ts";
import { NAME_CHARACTERS, WEBHOOK_EVENT_ENTRIES } from "../../limits.ts";
import type { JsonObject } from "../../mail/accept/fields.ts";
import type { Webhook } from "../../resources/webhooks/wire.ts";
import { bareId } from "./bare-ids.ts";

export type OwnWebhook = z.output<typeof Webhook>;

/**
 * The name of a parked webhook. A webhook is parked if it asks only for event types that Postern
 * lacks. Postern stores it, but disables it.
 */
const PARKED = "Resend webhook without an event that is sent here";
/**
 * The event type of a parked webhook, because every Postern webhook needs at least one. A parked
 * webhook is disabled, so it gets no events.
 */
const PARKED_EVENTS: readonly EventType[] = ["email.complained"];

/** The event types that have another name at Resend. */
const RESEND_TYPES: ReadonlyMap<string, string> = new Map([
  ["email.delayed", "email.delivery_delayed"],
  [REPLIED, "email.received"],
]);
const OWN_TYPES: ReadonlyMap<string, string> = new Map(
  Array.from(RESEND_TYPES, ([own, theirs]) => [theirs, own]),
);

/** The settings of a Postern webhook that subscribes to a list of Resend's event types. */
interface Subscription {
  readonly events: unknown;
  /** Event types that only Resend has. */
  readonly unknown: readonly string[];
  /** True: Postern has none of the event types in the list. */
  readonly isParked: boolean;
}

/**
 * Reads a list of Resend's event types. A list that is longer than Postern allows stays as it is,
 * so that validation refuses it.
 */
export function readEvents(events: unknown): Subscription {
  if (!Array.isArray(events) || events.length === 0 || events.length > WEBHOOK_EVENT_ENTRIES)
    return { events, unknown: [], isParked: false };
  const own = events.map((type) => (typeof type === "string" ? ownType(type) : (type as unknown)));
  const unknown = own.filter((type) => typeof type === "string" && !isEventType(type)) as string[];
  const known = own.filter((type) => typeof type !== "string" || isEventType(type));
  const isParked = known.length === 0;
  return { events: isParked ? PARKED_EVENTS : known, unknown, isParked };
}

export function nameOf(endpoint: unknown, isParked: boolean): string {
  if (isParked) return PARKED;
  const host = typeof endpoint === "string" && URL.canParse(endpoint) && new URL(endpoint).host;
  return `Resend webhook ${host || ""}`.trim().slice(0, NAME_CHARACTERS);
}

export function isParkedWebhook({ name, status }: Pick<OwnWebhook, "name" | "status">): boolean {
  return name === PARKED && status === "disabled";
}

export function toResendWebhook(webhook: OwnWebhook): JsonObject {
  return {
    id: bareId(webhook.id),
    endpoint: webhook.url,
    created_at: webhook.created_at,
    // The status `circuit_disabled` (after many failures) counts as enabled, because Postern still
    // tries a delivery from time to time.
    status: webhook.status === "disabled" ? "disabled" : "enabled",
    events: isParkedWebhook(webhook) ? [] : webhook.events.map(resendType),
  };
}

export function resendType(type: WebhookEventType): string {
  return RESEND_TYPES.get(type) ?? type;
}

function ownType(type: string): string {
  return OWN_TYPES.get(type) ?? type;
}

function isEventType(type: string): type is WebhookEventType {
  return WEBHOOK_EVENT_TYPES.some((known) => known === type);
}
