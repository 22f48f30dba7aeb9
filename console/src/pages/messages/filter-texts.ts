// Describes each filter of the log in words. Pure.
import { type EventTypeName, eventName } from "../../api/event-type-names.ts";
import { type Clock, formatExact } from "../../parts/time/times.ts";
import { className } from "../message/bounce-sentence.ts";
import type { MessagesFragment, MessagesSearch, PlainFilter } from "./messages-search.ts";

export type TextFilter = PlainFilter | "provider" | "start" | "end";
export type FilterName = TextFilter | "days" | "event_type" | keyof MessagesFragment;

/** The labels of the filters, in display order. */
export const FILTER_LABELS: Readonly<Record<FilterName, string>> = {
  event_type: "Event type",
  days: "Time range",
  start: "From",
  end: "Until",
  provider: "Provider",
  recipient: "Recipient",
  recipient_domain: "Recipient domain",
  refusal: "Server reply",
  bounce_classification: "Bounce reason",
  subject: "Subject",
  domain: "Sending domain",
  metadata: "Metadata",
  topic: "Topic",
  campaign: "Campaign",
  tags: "Tags",
  email_id: "Email ID",
  message_id: "Message-ID",
  template_id: "Template ID",
  ip_pool: "IP pool",
};

export interface FilterInForce {
  readonly name: FilterName;
  readonly value: string;
}

/** Returns the active filters. `titleOf` returns a provider's name for use in a sentence. */
export function filtersInForce(
  search: MessagesSearch,
  fragment: MessagesFragment,
  titleOf: (provider: string) => string,
  clock: Clock,
): FilterInForce[] {
  const values: Partial<Record<FilterName, string>> = { ...search, ...fragment };
  return (Object.keys(FILTER_LABELS) as FilterName[]).flatMap((name) => {
    const value = values[name];
    if (value === undefined) return [];
    const write = name === "provider" ? titleOf : WORDS[name];
    return [{ name, value: write ? write(value, clock) : value }];
  });
}

/**
 * Functions that write a filter's value for display. A filter without a function shows its value
 * unchanged.
 */
const WORDS: Partial<Record<FilterName, (value: string, clock: Clock) => string>> = {
  event_type: (type) => eventName(type as EventTypeName),
  days: (days) => `last ${days} days`,
  start: timeOf,
  end: timeOf,
  refusal: (text) => `“${text}”`,
  bounce_classification: (names) => names.split(",").map(className).join(", "),
};

function timeOf(text: string, clock: Clock): string {
  const at = Date.parse(text);
  return Number.isNaN(at) ? text : formatExact(at, clock);
}
