// Makes the index of a day's pages: the opaque tokens of a page's events, and the query for a set
// of filters (docs/storage.md §The page index). Tokens only lead to pages: the tokens of a query
// may belong to different events of one page, and a token is a hash. matches() decides. Pure.
import type { WholeEventFilters } from "../../contracts/history-query.ts";
import { createHash } from "node:crypto";
import type {
  Correlation,
  EventRecord,
  MessageEvents,
  OwnEvent,
} from "../../contracts/event-records.ts";
import type { EventType } from "../../contracts/event-types.ts";

/** Labels that a query often combines with a type. */
type LabelKind = "domain" | "topic" | "campaign" | "template" | "tag";
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
  | "stray";

/** Makes a team's tokens, and remembers them, because a page has most of them many times. */
type Tokenizer = (kind: TokenKind, value: string) => string;

/** Eight characters of a-z and 0-9 make 41 bits. */
const TOKEN_CHARACTERS = 8;
const TOKENS = 36 ** TOKEN_CHARACTERS;

/**
 * Types that every page has. An event of another type is usually the only one in its page, and a
 * label beside it is another event's. So a pair of such a type and a label has a token of its own.
 */
const COMMON_TYPES: ReadonlySet<EventType> = new Set(["email.sent", "email.delivered"]);

/**
 * A character of a script that puts no blanks between its words, or else a run of letters and
 * digits. Combining marks belong to the letters before them.
 */
const WORD =
  /[\p{sc=Han}\p{sc=Hira}\p{sc=Kana}]\p{M}*|(?:(?![\p{sc=Han}\p{sc=Hira}\p{sc=Kana}])[\p{L}\p{N}\p{M}])+/gu;
const LONGEST_WORD = 32;
/** Words of two or more characters, and words of one, that find a subject. */
const WORDS_PER_SUBJECT = 12;
const SINGLES_PER_SUBJECT = 20;

/**
 * Returns the tokens under which a page of the team is indexed, separated by spaces. A stray page
 * has one token more (docs/storage.md §Pages).
 */
export function tokensOf(
  teamId: string,
  messages: readonly MessageEvents[],
  isStray: boolean,
): string {
  const token = tokenizer(teamId);
  const tokens = new Set([token("team", "")]);
  if (isStray) tokens.add(token("stray", ""));
  for (const { message, events } of messages) {
    const labels = labelsOf(message);
    for (const one of tokensOfMessage(message, token)) tokens.add(one);
    for (const [kind, value] of labels) tokens.add(token(kind, value));
    for (const { type, recipient } of events) {
      tokens.add(token("type", type)).add(token("recipient", recipient.toLowerCase()));
      if (!COMMON_TYPES.has(type))
        for (const [kind, value] of labels) tokens.add(token(`${kind} of type`, pair(type, value)));
    }
  }
  return [...tokens].join(" ");
}

/**
 * Returns the MATCH expression for the team's pages that may have such events. Tokens are the
 * team's own, so the team itself is asked for only if the filters are empty.
 */
export function matchOf(teamId: string, filters: WholeEventFilters): string {
  const token = tokenizer(teamId);
  const terms = [...plainTerms(filters, token), ...labelTerms(filters, token)];
  return terms.length === 0 ? token("team", "") : terms.join(" AND ");
}

/** Returns the MATCH expression for stray pages only. */
export function strayMatchOf(teamId: string, filters: WholeEventFilters): string {
  return `${matchOf(teamId, filters)} AND ${tokenizer(teamId)("stray", "")}`;
}

/** Returns whether an event of the team really matches the filters. */
export function matches(event: EventRecord, filters: WholeEventFilters): boolean {
  return matchesMessage(event, filters) && matchesEvent(event, filters);
}

/** Returns whether events of a message may match, as far as the message decides it. */
export function matchesMessage(message: Correlation, filters: WholeEventFilters): boolean {
  return (
    is(filters.email_id, message.emailId) &&
    is(filters.message_id, message.messageId) &&
    is(filters.domain, message.fromDomain) &&
    is(filters.topic, message.topic) &&
    is(filters.campaign, message.campaign) &&
    is(filters.template_id, message.templateId) &&
    is(filters.ip_pool, message.ipPool) &&
    (filters.tags === undefined || filters.tags.some((tag) => message.tags.includes(tag))) &&
    (filters.subject === undefined || hasWords(message.subject, wordsOf(filters.subject)))
  );
}

/** Returns whether an event matches, as far as the event itself decides it. */
export function matchesEvent(
  { type, recipient }: Pick<OwnEvent, "type" | "recipient">,
  filters: WholeEventFilters,
): boolean {
  return (
    is(filters.event_type, type) &&
    (filters.event_types === undefined || filters.event_types.includes(type)) &&
    is(filters.recipient, recipient.toLowerCase())
  );
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

/** Returns the tokens that find all events of a message, except those of its labels. */
function tokensOfMessage(
  { emailId, messageId, ipPool, subject }: Correlation,
  token: Tokenizer,
): string[] {
  const email = emailId.slice("email_".length);
  return [
    token("email", email),
    ...(uuidIn(messageId) === email ? [] : [token("message", messageId)]),
    ...(ipPool === null ? [] : [token("pool", ipPool)]),
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
  const single: [LabelKind, string | null][] = [
    ["domain", fromDomain],
    ["topic", topic],
    ["campaign", campaign],
    ["template", templateId],
  ];
  const labels = single.flatMap(([kind, value]): [LabelKind, string][] =>
    value === null ? [] : [[kind, value]],
  );
  return [...labels, ...tags.map((tag): [LabelKind, string] => ["tag", tag])];
}

function plainTerms(filters: WholeEventFilters, token: Tokenizer): string[] {
  const term = (kind: TokenKind, value: string | undefined) =>
    value === undefined ? [] : [token(kind, value)];
  const { message_id: messageId, event_types: types, subject } = filters;
  return [
    ...term("type", filters.event_type),
    ...term("recipient", filters.recipient),
    ...term("email", filters.email_id?.replace(/^email_/, "")),
    ...term("pool", filters.ip_pool),
    ...(messageId === undefined ? [] : [anyOf(messageIdTokens(messageId, token))]),
    ...(types === undefined ? [] : [anyOf(types.map((type) => token("type", type)))]),
    ...(subject === undefined ? [] : wordsOf(subject).map((word) => token("word", word))),
  ];
}

/** A label is asked for alone and, if the type is rare, together with the type. */
function labelTerms(
  { event_type: type, ...filters }: WholeEventFilters,
  token: Tokenizer,
): string[] {
  const { domain, topic, campaign, template_id: template, tags } = filters;
  const labels: [LabelKind, readonly string[] | undefined][] = [
    ["domain", domain === undefined ? undefined : [domain]],
    ["topic", topic === undefined ? undefined : [topic]],
    ["campaign", campaign === undefined ? undefined : [campaign]],
    ["template", template === undefined ? undefined : [template]],
    ["tag", tags],
  ];
  return labels.flatMap(([kind, values]) => {
    if (values === undefined) return [];
    const alone = anyOf(values.map((value) => token(kind, value)));
    if (type === undefined || COMMON_TYPES.has(type)) return [alone];
    return [alone, anyOf(values.map((value) => token(`${kind} of type`, pair(type, value))))];
  });
}

function pair(type: EventType, label: string): string {
  return `${type}\0${label}`;
}

function is(wanted: string | undefined, actual: string | null): boolean {
  return wanted === undefined || wanted === actual;
}

/**
 * Returns the words that find a text, without case (contract.md §Pulled history): the first
 * different ones of up to 32 characters. Those of one character have a limit of their own, so that
 * they keep no longer word out.
 */
export function wordsOf(text: string): string[] {
  // Upper case first, because ß and ss have it in common.
  const words =
    text.normalize("NFKC").toUpperCase().toLowerCase().normalize("NFKC").match(WORD) ?? [];
  const different = [...new Set(words)].filter(({ length }) => length <= LONGEST_WORD);
  return [
    ...different.filter((word) => !isSingle(word)).slice(0, WORDS_PER_SUBJECT),
    ...different.filter(isSingle).slice(0, SINGLES_PER_SUBJECT),
  ];
}

function isSingle(word: string): boolean {
  return word.length <= 2 && Array.from(word).length === 1;
}

/** A subject without any word that could be looked for finds no event. */
function hasWords(subject: string, wanted: readonly string[]): boolean {
  const words = wordsOf(subject);
  return wanted.length > 0 && wanted.every((word) => words.includes(word));
}

/**
 * Returns the tokens of a Message-ID. A Message-ID with its own email's UUID is found by the
 * email's token and needs none.
 */
function messageIdTokens(messageId: string, token: Tokenizer): string[] {
  const uuid = uuidIn(messageId);
  return [token("message", messageId), ...(uuid === undefined ? [] : [token("email", uuid)])];
}

/**
 * Finds the first version 7 UUID in a text, with or without dashes, in the spelling of an email id.
 */
function uuidIn(text: string): string | undefined {
  const parts =
    /([0-9a-f]{8})-?([0-9a-f]{4})-?(7[0-9a-f]{3})-?([89ab][0-9a-f]{3})-?([0-9a-f]{12})/.exec(text);
  return parts?.slice(1).join("-");
}

function anyOf(tokens: readonly string[]): string {
  return `(${tokens.join(" OR ")})`;
}
