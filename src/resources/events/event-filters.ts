// Compares an event with the filters of a request (contract.md §Pulled history). Pure.
import { addressDomain } from "../../lib/address.ts";
import type { WholeEventFilters } from "../../rpc/history-query.ts";
import type { Correlation, EventRecord, OwnEvent } from "../../rpc/event-records.ts";
import { NO_CLASSIFICATION } from "../../rpc/event-types.ts";
import { eventProvider, NO_PROVIDER, type ProviderFacts } from "../providers/provider-of.ts";
import { eventRefusal, REFUSAL_TYPES } from "../providers/refusal-text.ts";
import { wordsOf } from "./subject-words.ts";

/** Returns whether an event of the team matches all filters. */
export function matches(event: EventRecord & ProviderFacts, filters: WholeEventFilters): boolean {
  return (
    matchesEvent(event, filters) &&
    matchesMessage(event, filters) &&
    (filters.provider === undefined || matchesProvider(event, filters.provider)) &&
    (filters.refusal === undefined || eventRefusal(event) === filters.refusal)
  );
}

/** Returns whether a message matches the filters that depend on the message. */
export function matchesMessage(message: Correlation, filters: WholeEventFilters): boolean {
  return (
    is(filters.email_id, message.emailId) &&
    (filters.email_ids === undefined || filters.email_ids.includes(message.emailId)) &&
    is(filters.message_id, message.messageId) &&
    is(filters.domain, message.fromDomain) &&
    is(filters.topic, message.topic) &&
    is(filters.campaign, message.campaign) &&
    is(filters.template_id, message.templateId) &&
    is(filters.ip_pool, message.ipPool) &&
    (filters.tags === undefined || filters.tags.some((tag) => message.tags.includes(tag))) &&
    (filters.metadata === undefined || hasPair(message.metadata, filters.metadata)) &&
    (filters.subject === undefined || hasWords(message.subject, wordsOf(filters.subject)))
  );
}

/** The members of an event that need no decoding of its texts, such as a server's reply. */
export type EventHead = Pick<OwnEvent, "type" | "recipient" | "occurredAt"> & {
  readonly bounce: { readonly classification: string | null } | null;
};

/** Returns whether an event matches the filters that need only the members of EventHead. */
export function matchesEvent(
  { type, recipient, bounce }: EventHead,
  filters: WholeEventFilters,
): boolean {
  const { recipient_domain: domain, bounce_classification: classes, refusal } = filters;
  return (
    is(filters.event_type, type) &&
    (filters.event_types === undefined || filters.event_types.includes(type)) &&
    is(filters.recipient, recipient.toLowerCase()) &&
    (domain === undefined || addressDomain(recipient) === domain) &&
    (refusal === undefined || REFUSAL_TYPES.includes(type)) &&
    (classes === undefined ||
      (bounce !== null && classes.includes(bounce.classification ?? NO_CLASSIFICATION)))
  );
}

export function matchesProvider(
  facts: ProviderFacts,
  { name, simulated }: NonNullable<WholeEventFilters["provider"]>,
): boolean {
  return (eventProvider(facts, simulated) ?? NO_PROVIDER) === name;
}

function is(wanted: string | undefined, actual: string | null): boolean {
  return wanted === undefined || wanted === actual;
}

function hasPair(
  metadata: Correlation["metadata"],
  { name, value }: NonNullable<WholeEventFilters["metadata"]>,
): boolean {
  return metadata !== undefined && Object.hasOwn(metadata, name) && metadata[name] === value;
}

/** Returns whether the subject has all wanted words. Returns false for a filter without words. */
function hasWords(subject: string, wanted: readonly string[]): boolean {
  const words = wordsOf(subject);
  return wanted.length > 0 && wanted.every((word) => words.includes(word));
}
