// The log's filters in the URL. Personal data (an address, a subject's words, metadata) is in the
// fragment. The browser sends the fragment to no server, so no request log has it. The other
// filters are in the query. Pure.
import { EVENT_TYPES } from "../../../../packages/postern/src/generated/event-type-list.ts";
import type { EventTypeName } from "../../api/event-type-names.ts";
import { decoded } from "../../parts/decoded.ts";
import { DAY_MS } from "../../parts/time/time-units.ts";
import type { ListEventsQuery } from "../../../../packages/postern/src/generated/types.ts";

export type LogQuery = Omit<ListEventsQuery, "after" | "limit">;

/** The time ranges that end now, in days. */
export const WINDOWS = ["1", "3", "7", "30"] as const;

/** Filters with a free text as value, named as in the API. */
const PLAIN_FILTERS = [
  "recipient_domain",
  "refusal",
  "bounce_classification",
  "domain",
  "topic",
  "campaign",
  "tags",
  "email_id",
  "message_id",
  "template_id",
  "ip_pool",
] as const;

export type PlainFilter = (typeof PLAIN_FILTERS)[number];

const TEXTS = ["open", "start", "end", "provider", ...PLAIN_FILTERS] as const;
const VIEWS = ["events", "scheduled"] as const;
const PRIVATE = ["recipient", "subject", "metadata"] as const;

/** The part of the URL that servers may log. */
export type MessagesSearch = {
  [Name in (typeof TEXTS)[number]]?: string;
} & {
  view?: "events" | "scheduled";
  days?: (typeof WINDOWS)[number];
  event_type?: EventTypeName;
};

/** The part of the URL that stays in the browser. */
export type MessagesFragment = { [Name in (typeof PRIVATE)[number]]?: string };

/** Returns the search parameters for an API path, such as a finding's `evidence.events`. */
export function logSearchOf(path: string): MessagesSearch {
  return readMessagesSearch(
    Object.fromEntries(new URLSearchParams(path.slice(path.indexOf("?") + 1))),
  );
}

/** Reads the query of the URL. Leaves out unknown values. */
export function readMessagesSearch(raw: Record<string, unknown>): MessagesSearch {
  const search: MessagesSearch = {};
  for (const name of TEXTS) {
    const text = asText(raw[name]);
    if (text !== "") search[name] = text;
  }
  const view = VIEWS.find((one) => one === raw["view"]);
  if (view !== undefined) search.view = view;
  const days = WINDOWS.find((one) => one === asText(raw["days"]));
  if (days !== undefined && days !== "1") search.days = days;
  const type = EVENT_TYPES.find((one) => one === asText(raw["event_type"]));
  if (type !== undefined) search.event_type = type;
  return search;
}

/** Returns a search parameter as text, because the router reads `2024` as a number. */
function asText(value: unknown): string {
  if (typeof value === "number" || typeof value === "boolean") return String(value);
  return typeof value === "string" ? value.trim() : "";
}

/** Reads the fragment, such as `recipient=ada%40example.org`. */
export function readFragment(hash: string): MessagesFragment {
  const fragment: MessagesFragment = {};
  for (const pair of hash.replace(/^#/, "").split("&")) {
    const [name, value = ""] = pair.split("=");
    const known = PRIVATE.find((one) => one === name);
    const text = decoded(value).trim();
    if (known !== undefined && text !== "") fragment[known] = text;
  }
  return fragment;
}

export function writeFragment(fragment: MessagesFragment): string {
  return PRIVATE.flatMap((name) => {
    const text = fragment[name]?.trim() ?? "";
    return text === "" ? [] : [`${name}=${encodeURIComponent(text)}`];
  }).join("&");
}

/**
 * Returns the filters as the API takes them. A time range in days ends at `now` (Unix
 * milliseconds).
 */
export function toLogQuery(
  search: MessagesSearch,
  fragment: MessagesFragment,
  now: number,
): LogQuery {
  const { start, end, days, event_type: type, provider } = search;
  const query: LogQuery = { ...fragment };
  if (type !== undefined) query.event_type = type;
  // The service, not the console, checks whether the provider's name is valid.
  if (provider !== undefined) query.provider = provider as NonNullable<LogQuery["provider"]>;
  for (const name of PLAIN_FILTERS) if (search[name] !== undefined) query[name] = search[name];
  if (start !== undefined) query.start = start;
  else if (days !== undefined) query.start = windowStart(Number(days), now);
  if (end !== undefined) query.end = end;
  return query;
}

export function windowStart(days: number, now: number): string {
  return new Date(now - days * DAY_MS).toISOString();
}

/** Returns the API request for a query, such as `/v1/events?limit=50`. */
export function pathOf(query: LogQuery, limit: number): string {
  const parts = Object.entries({ ...query, limit }).flatMap(([name, value]) =>
    [value].flat().map((one) => `${name}=${encodeURIComponent(one)}`),
  );
  return `/v1/events?${parts.join("&")}`;
}
