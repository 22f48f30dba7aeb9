// The index of a day's events: an event's opaque tokens in one full-text table, and the query that a set of filters becomes (docs/storage.md §The
// event index). A token is a hash, so a match is compared with the event itself. Pure.
import { createHash } from "node:crypto";
import type { EventRecord } from "./records.ts";
import type { EventQuery, EventType, PulledEvent } from "./wire.ts";

/** GET /events without its window. */
export type EventFilters = Omit<EventQuery, "start" | "end">;

/** What a webhook's replay asks for beside that: any of several types. */
export type WholeEventFilters = EventFilters & { readonly event_types?: readonly EventType[] };

type TokenKind = "team" | "type" | "recipient" | "email" | "message" | "domain" | "topic" | "campaign" | "template" | "pool" | "tag";

/** Eight characters of a-z and 0-9: 41 bits, short because every event pays for some ten of them. */
const TOKEN_CHARACTERS = 8;
const TOKENS = 36 ** TOKEN_CHARACTERS;

/** Makes a team's tokens; remembers them, since one batch has most of them many times over. */
export type Tokenizer = (teamId: string, kind: TokenKind, value: string) => string;

export function tokenizer(): Tokenizer {
  const known = new Map<string, string>();
  return (teamId, kind, value) => {
    const name = `${teamId}\0${kind}\0${value}`;
    let token = known.get(name);
    if (token === undefined) {
      token = (createHash("sha256").update(name).digest().readUIntBE(0, 6) % TOKENS).toString(36).padStart(TOKEN_CHARACTERS, "0");
      known.set(name, token);
    }
    return token;
  };
}

/** What an event is indexed under, separated by spaces. */
export function tokensOf(event: EventRecord, token: Tokenizer): string {
  const of = (kind: TokenKind, value: string) => token(event.teamId, kind, value);
  const email = event.emailId.slice("email_".length);
  return [
    of("team", ""),
    of("type", event.type),
    of("recipient", event.recipient.toLowerCase()),
    of("email", email),
    uuidIn(event.messageId) === email ? null : of("message", event.messageId),
    of("domain", event.fromDomain),
    event.topic === null ? null : of("topic", event.topic),
    event.campaign === null ? null : of("campaign", event.campaign),
    event.templateId === null ? null : of("template", event.templateId),
    event.ipPool === null ? null : of("pool", event.ipPool),
    ...new Set(event.tags.map((tag) => of("tag", tag))),
  ]
    .filter((part) => part !== null)
    .join(" ");
}

/** The MATCH expression for a team's events under those filters. Tokens are the team's own, so the team is asked for only when nothing else is. */
export function matchOf(teamId: string, filters: WholeEventFilters): string {
  const token = tokenizer();
  const terms: string[] = [];
  const term = (kind: TokenKind, value: string | undefined) => {
    if (value !== undefined) terms.push(token(teamId, kind, value));
  };
  term("type", filters.event_type);
  term("recipient", filters.recipient);
  term("email", filters.email_id?.replace(/^email_/, ""));
  term("domain", filters.domain);
  term("topic", filters.topic);
  term("campaign", filters.campaign);
  term("template", filters.template_id);
  term("pool", filters.ip_pool);
  if (filters.message_id !== undefined) terms.push(anyOf(messageIdTokens(teamId, filters.message_id, token)));
  if (filters.tags !== undefined) terms.push(anyOf(filters.tags.map((tag) => token(teamId, "tag", tag))));
  if (filters.event_types !== undefined) terms.push(anyOf(filters.event_types.map((type) => token(teamId, "type", type))));
  return terms.length === 0 ? token(teamId, "team", "") : terms.join(" AND ");
}

/** Whether an event of the team is really what the filters ask for. */
export function matches(event: PulledEvent, filters: WholeEventFilters): boolean {
  return (
    is(filters.event_type, event.type) &&
    (filters.event_types === undefined || filters.event_types.includes(event.type)) &&
    is(filters.recipient, event.recipient.toLowerCase()) &&
    is(filters.email_id, event.email_id) &&
    is(filters.message_id, event.message_id) &&
    is(filters.domain, event.from_domain) &&
    is(filters.topic, event.topic) &&
    is(filters.campaign, event.campaign) &&
    is(filters.template_id, event.template_id) &&
    is(filters.ip_pool, event.ip_pool) &&
    (filters.tags === undefined || filters.tags.some((tag) => event.tags.includes(tag)))
  );
}

function is(wanted: string | undefined, actual: string | null): boolean {
  return wanted === undefined || wanted === actual;
}

/** A Message-ID that holds its own email's UUID is found by the email's token, and has none of its own. */
function messageIdTokens(teamId: string, messageId: string, token: Tokenizer): string[] {
  const uuid = uuidIn(messageId);
  return [token(teamId, "message", messageId), ...(uuid === undefined ? [] : [token(teamId, "email", uuid)])];
}

/** The first version 7 UUID in a text, with its dashes or without, as it stands in an email id. */
function uuidIn(text: string): string | undefined {
  const parts = /([0-9a-f]{8})-?([0-9a-f]{4})-?(7[0-9a-f]{3})-?([89ab][0-9a-f]{3})-?([0-9a-f]{12})/.exec(text);
  return parts?.slice(1).join("-");
}

function anyOf(tokens: readonly string[]): string {
  return `(${tokens.join(" OR ")})`;
}
