// Makes the tokens of a chunk's events for the day's index, and the query for a set of filters
// (docs/storage.md §The chunk index). A query finds only candidate chunks, because tokens are
// hashes, and the matched tokens may belong to different events of a chunk. So event-filters.ts
// then compares each event. Pure.
import { EMAIL_PREFIX } from "../../lib/ids.ts";
import { addressDomain } from "../../lib/address.ts";
import type { WholeEventFilters } from "../../rpc/history-query.ts";
import { createHash } from "node:crypto";
import type { Correlation, MessageEvents } from "../../rpc/event-records.ts";
import type { EventType } from "../../rpc/event-types.ts";
import { attemptHosts } from "../providers/attempt-hosts.ts";
import {
  NO_PROVIDER,
  type ProviderFacts,
  providerOf,
  SIMULATOR,
} from "../providers/provider-of.ts";
import { RULES_VERSION } from "../providers/provider-rules.ts";
import { REFUSAL_TYPES } from "../providers/refusal-text.ts";
import { wordsOf } from "./subject-words.ts";

/** The kinds of labels: facts of a message or an event that queries combine with an event type. */
type LabelKind =
  | "domain"
  | "topic"
  | "campaign"
  | "template"
  | "tag"
  | "recipient domain"
  | "provider";
type TokenKind =
  | LabelKind
  | `${LabelKind} of type`
  | "team"
  | "type"
  | "recipient"
  | "email"
  | "message"
  | "pool"
  | "word"
  | "metadata"
  | "rules"
  | "stray"
  | "late";

/** Makes a team's tokens. It caches them, because a chunk repeats most of its tokens. */
type Tokenizer = (kind: TokenKind, value: string) => string;

/** Number of characters in a token. Eight characters of a-z and 0-9 have 41 bits. */
const TOKEN_CHARACTERS = 8;
const TOKENS = 36 ** TOKEN_CHARACTERS;

/**
 * Types that occur in almost every chunk. All other types are rare, and usually occur once in a
 * chunk. Most labels of such a chunk belong to events of common types. So a query for a rare type
 * and a label by two tokens would find many chunks without a matching event. Therefore each pair of
 * a rare type and a label has its own token.
 */
const COMMON_TYPES: ReadonlySet<EventType> = new Set(["email.sent", "email.delivered"]);

/**
 * Returns the tokens under which the index has a chunk of the team, separated by spaces. Stray
 * chunks and late chunks have an additional token (docs/storage.md §Chunks). `rules` is the version
 * of the provider rules.
 */
export function tokensOf(
  teamId: string,
  messages: readonly MessageEvents[],
  { isStray, isLate }: { readonly isStray: boolean; readonly isLate: boolean },
  rules = RULES_VERSION,
): string {
  const token = tokenizer(teamId);
  const tokens = new Set([token("team", ""), token("rules", String(rules))]);
  if (isStray) tokens.add(token("stray", ""));
  if (isLate) tokens.add(token("late", ""));
  for (const { message, events } of messages) {
    const labelsOfMessage = labelsOf(message);
    const hostOf = attemptHosts(events);
    for (const one of tokensOfMessage(message, token)) tokens.add(one);
    for (const [kind, value] of labelsOfMessage) tokens.add(token(kind, value));
    for (const event of events) {
      const { type, recipient } = event;
      tokens.add(token("type", type)).add(token("recipient", recipient.toLowerCase()));
      const own = labelsOfEvent({ recipient, mxHost: hostOf(event) }, rules);
      for (const [kind, value] of own) tokens.add(token(kind, value));
      if (!COMMON_TYPES.has(type))
        for (const [kind, value] of [...labelsOfMessage, ...own])
          tokens.add(token(`${kind} of type`, pair(type, value)));
    }
  }
  return [...tokens].join(" ");
}

/**
 * Returns the MATCH expression that finds the team's candidate chunks. Every token already contains
 * the team, so the expression needs the team's own token only if the filters are empty.
 */
export function matchOf(teamId: string, asked: WholeEventFilters, rules = RULES_VERSION): string {
  const token = tokenizer(teamId);
  const filters = withType(asked);
  const terms = [
    ...plainTerms(filters, token),
    ...labelTerms(filters, token),
    ...providerTerms(filters, token, rules),
    ...metadataTerms(filters, token),
  ];
  return terms.length === 0 ? token("team", "") : terms.join(" AND ");
}

/** Adds the type `email.bounced` to a filter by classification, which only bounces have. */
function withType(filters: WholeEventFilters): WholeEventFilters {
  const { bounce_classification: classes, event_type: type } = filters;
  return classes === undefined ? filters : { ...filters, event_type: type ?? "email.bounced" };
}

/** Returns the MATCH expression that finds only stray or only late chunks (see store.ts). */
export function markedMatchOf(
  mark: "stray" | "late",
  teamId: string,
  filters: WholeEventFilters,
): string {
  return `${matchOf(teamId, filters)} AND ${tokenizer(teamId)(mark, "")}`;
}

function tokenizer(teamId: string): Tokenizer {
  const known = new Map<string, string>();
  return (kind, value) => {
    const name = `${teamId}\0${kind}\0${value}`;
    let token = known.get(name);
    if (token === undefined) {
      token = (createHash("sha256").update(name).digest().readUIntBE(0, 6) % TOKENS)
        .toString(36)
        .padStart(TOKEN_CHARACTERS, "0");
      known.set(name, token);
    }
    return token;
  };
}

function tokensOfMessage(
  { emailId, messageId, ipPool, metadata = {}, subject }: Correlation,
  token: Tokenizer,
): string[] {
  const email = emailId.slice(EMAIL_PREFIX.length);
  return [
    token("email", email),
    ...(uuidIn(messageId) === email ? [] : [token("message", messageId)]),
    ...(ipPool === null ? [] : [token("pool", ipPool)]),
    ...Object.entries(metadata).map(([name, value]) => token("metadata", pair(name, value))),
    ...wordsOf(subject).map((word) => token("word", word)),
  ];
}

function labelsOf({
  fromDomain,
  topic,
  campaign,
  templateId,
  tags,
}: Correlation): [LabelKind, string][] {
  const labels: [LabelKind, string | null][] = [
    ["domain", fromDomain],
    ["topic", topic],
    ["campaign", campaign],
    ["template", templateId],
    ...tags.map((tag): [LabelKind, string] => ["tag", tag]),
  ];
  return labels.filter((label): label is [LabelKind, string] => label[1] !== null);
}

/**
 * Returns the labels that depend on the event and not on its message. A query for the simulator's
 * mail uses the recipient domain, so the provider token of this mail does not matter.
 */
function labelsOfEvent({ recipient, mxHost }: ProviderFacts, rules: number): [LabelKind, string][] {
  const domain = addressDomain(recipient);
  const provider = providerOf(mxHost, domain);
  const labels: [LabelKind, string][] = [["recipient domain", domain]];
  if (provider !== null) labels.push(["provider", byRules(rules, provider)]);
  return labels;
}

function byRules(version: number, provider: string): string {
  return `${version} ${provider}`;
}

/**
 * Returns the terms of a query for a provider. They match the chunks that have the provider by the
 * current rules. They also match all chunks that were indexed by earlier rules, because only a read
 * of the event shows its provider by the current rules. Events without a provider have no provider
 * token.
 */
function providerTerms(
  { provider, event_type: type }: WholeEventFilters,
  token: Tokenizer,
  rules: number,
): string[] {
  if (provider === undefined || provider.name === NO_PROVIDER) return [];
  const [kind, value]: [LabelKind, string] =
    provider.name === SIMULATOR
      ? ["recipient domain", provider.simulated]
      : ["provider", byRules(rules, provider.name)];
  const earlier = Array.from({ length: rules - 1 }, (_, at) => token("rules", String(at + 1)));
  return labelTokens(kind, [value], type, token).map((own) => anyOf([own, ...earlier]));
}

function plainTerms(filters: WholeEventFilters, token: Tokenizer): string[] {
  const term = (kind: TokenKind, value: string | undefined) =>
    value === undefined ? [] : [token(kind, value)];
  const { message_id: messageId, email_ids: emailIds, subject, refusal } = filters;
  const types = filters.event_types ?? (refusal === undefined ? undefined : REFUSAL_TYPES);
  return [
    ...term("type", filters.event_type),
    ...term("recipient", filters.recipient),
    ...term("email", filters.email_id?.replace(/^email_/, "")),
    ...(emailIds === undefined
      ? []
      : [anyOf(emailIds.map((id) => token("email", id.replace(/^email_/, ""))))]),
    ...term("pool", filters.ip_pool),
    ...(messageId === undefined ? [] : [anyOf(messageIdTokens(messageId, token))]),
    ...(types === undefined ? [] : [anyOf(types.map((type) => token("type", type)))]),
    ...(subject === undefined ? [] : wordsOf(subject).map((word) => token("word", word))),
  ];
}

/**
 * Returns the terms of a query for labels: the token of each label. If the event type is rare, the
 * terms include the token of each pair of type and label.
 */
function labelTerms(
  { event_type: type, ...filters }: WholeEventFilters,
  token: Tokenizer,
): string[] {
  const { domain, topic, campaign, template_id: template, tags } = filters;
  const { recipient_domain: recipients } = filters;
  const labels: [LabelKind, readonly string[] | undefined][] = [
    ["domain", domain === undefined ? undefined : [domain]],
    ["topic", topic === undefined ? undefined : [topic]],
    ["campaign", campaign === undefined ? undefined : [campaign]],
    ["template", template === undefined ? undefined : [template]],
    ["tag", tags],
    ["recipient domain", recipients === undefined ? undefined : [recipients]],
  ];
  return labels.flatMap(([kind, values]) =>
    values === undefined ? [] : labelTokens(kind, values, type, token),
  );
}

function labelTokens(
  kind: LabelKind,
  values: readonly string[],
  type: EventType | undefined,
  token: Tokenizer,
): string[] {
  const alone = anyOf(values.map((value) => token(kind, value)));
  if (type === undefined || COMMON_TYPES.has(type)) return [alone];
  return [alone, anyOf(values.map((value) => token(`${kind} of type`, pair(type, value))))];
}

function pair(first: string, second: string): string {
  return `${first}\0${second}`;
}

function metadataTerms({ metadata }: WholeEventFilters, token: Tokenizer): string[] {
  if (metadata === undefined) return [];
  return [token("metadata", pair(metadata.name, metadata.value))];
}

/**
 * Returns the tokens for a Message-ID. Every chunk with this Message-ID has at least one of these
 * tokens. If the Message-ID contains the UUID of its own email, the chunk has only the token of the
 * email.
 */
function messageIdTokens(messageId: string, token: Tokenizer): string[] {
  const uuid = uuidIn(messageId);
  return [token("message", messageId), ...(uuid === undefined ? [] : [token("email", uuid)])];
}

/**
 * Finds the first version 7 UUID in a text, with or without dashes. Returns it in the form of email
 * ids.
 */
function uuidIn(text: string): string | undefined {
  const parts =
    /([0-9a-f]{8})-?([0-9a-f]{4})-?(7[0-9a-f]{3})-?([89ab][0-9a-f]{3})-?([0-9a-f]{12})/.exec(text);
  return parts?.slice(1).join("-");
}

function anyOf(tokens: readonly string[]): string {
  return `(${tokens.join(" OR ")})`;
}
