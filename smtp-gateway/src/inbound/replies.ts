// Turns the worker's answers into SMTP replies (contract.md §SMTP replies,
// docs/gateway-protocol.md), and defines the gateway's own refusals. Each text begins with one
// enhanced code (RFC 2034). Control characters are removed, so that the worker's text can't break a
// line. Pure.
import type { FillResult } from "./message-buffer.ts";
import type { WorkerResponse } from "./worker-api.ts";

export interface SessionReply {
  readonly code: number;
  /** The reply's enhanced code, a space, and a text for people. */
  readonly text: string;
}

/** The reply to a message, and the worker's answer from which the reply follows. */
export interface MessageReply {
  readonly reply: SessionReply;
  readonly answer: WorkerResponse | null;
}

/**
 * The result of reading a message and passing it on: the reply, with values for the log. Null: the
 * client has disconnected and needs no reply. "flood": the client does not stop sending, so its
 * session must end.
 */
export type ReceiveResult = (MessageReply & { readonly bytes: number }) | "flood" | null;

const REASON_CHARACTERS = 400;

export const TLS_REQUIRED = reply(530, "5.7.0 Must issue a STARTTLS command first");
export const AUTHENTICATION_REQUIRED = reply(530, "5.7.0 Authentication required");
export const AUTHENTICATED = reply(235, "2.7.0 Authentication successful");
export const WRONG_CREDENTIALS = reply(535, "5.7.8 Authentication credentials invalid");
export const NO_SUBSCRIPTION = reply(550, "5.7.1 The team has no active subscription");
const BLOCKED = reply(
  421,
  "4.7.0 Too many failed authentications from your address, try again later",
);
export const TOO_LARGE = reply(552, "5.3.4 Message too large");
export const TOO_MANY_CONNECTIONS = reply(421, "4.7.0 Too many connections, try again later");
export const TOO_MANY_RECIPIENTS = reply(452, "4.5.3 Too many recipients");
export const UNAVAILABLE = reply(451, "4.3.0 Temporarily unavailable, try again later");
const NO_SUCH_ADDRESS = reply(550, "5.1.1 No such address");
const MAILBOX_FULL = reply(452, "4.2.2 The mailbox takes no more mail now, try again later");
export const OTHER_KIND = reply(452, "4.5.3 Send this recipient a message of its own");
const NO_ROOM = reply(452, "4.3.1 Insufficient system storage, try again later");
export const NO_RELAYING = reply(
  550,
  "5.7.1 Relaying denied: to submit mail, use STARTTLS and AUTH",
);
export const SHUTTING_DOWN = reply(421, "4.3.2 Service shutting down");

const IP_NOT_ALLOWED = reply(535, "5.7.8 The API key may not be used from your address");
export const KEY_UNJUDGED = reply(454, "4.7.0 Temporary authentication failure");

/**
 * Returns the result for a message that was not read to its end. `bytes`: number of bytes that
 * came.
 */
export function notWhole(filled: Exclude<FillResult, "whole">, bytes: number): ReceiveResult {
  if (filled === "gone") return null;
  if (filled === "flood") return "flood";
  return { reply: filled === "too large" ? TOO_LARGE : NO_ROOM, bytes, answer: null };
}

export function reply(code: number, text: string): SessionReply {
  return { code, text };
}

/**
 * Returns the reply to AUTH. If the key's team has no subscription, AUTH succeeds, but each MAIL is
 * refused.
 */
export function replyToKey(answer: WorkerResponse | null): {
  readonly reply: SessionReply;
  readonly subscribed: boolean;
} {
  const subscribed = answer?.status !== 402;
  if (answer?.status === 204 || answer?.status === 402) return { reply: AUTHENTICATED, subscribed };
  return { reply: refusedKey(answer) ?? KEY_UNJUDGED, subscribed };
}

/** Returns the reply to a message's final dot. */
export function replyToMessage(answer: WorkerResponse | null): SessionReply {
  if (!answer) return UNAVAILABLE;
  const { status, body } = answer;
  if (status === 202) return replyToId(member(body, "id"));
  if (status === 402) return NO_SUBSCRIPTION;
  if (status === 413) return TOO_LARGE;
  if (status === 429) return replyToExcess(body);
  if (status === 422) return replyToFaults(body);
  if (status === 400) return isEnvelopeFault(answer) ? UNAVAILABLE : invalid(body);
  return refusedKey(answer) ?? UNAVAILABLE;
}

function replyToId(id: unknown): SessionReply {
  return typeof id === "string" && /^email_[\w-]{1,64}$/.test(id)
    ? reply(250, `2.0.0 ${id}`)
    : UNAVAILABLE;
}

function replyToExcess(body: unknown): SessionReply {
  const message = toPrintable(member(body, "message"));
  return member(body, "scope") === undefined
    ? reply(451, `4.7.1 ${message}`)
    : reply(452, `4.5.3 ${message}`);
}

function replyToFaults(body: unknown): SessionReply {
  const errors = member(member(body, "error"), "errors");
  return member(errors, "from") === undefined
    ? invalid(body)
    : reply(550, `5.7.1 ${reasonOf(body)}`);
}

function invalid(body: unknown): SessionReply {
  return reply(554, `5.6.0 ${reasonOf(body)}`);
}

/**
 * Tells whether the worker could not read the frame. The gateway and the worker then use different
 * formats.
 */
export function isEnvelopeFault(answer: WorkerResponse | null): boolean {
  return (
    answer?.status === 400 &&
    member(member(member(answer.body, "error"), "errors"), "envelope") !== undefined
  );
}

/** Returns the reply to RCPT for a return-path or a mailbox of the service. */
export function replyToReturnPath(answer: WorkerResponse | null): SessionReply {
  if (answer?.status === 204) return reply(250, "2.1.5 Recipient ok");
  return answer?.status === 404 ? NO_RELAYING : UNAVAILABLE;
}

/** Returns the reply to the end of a message for return-paths and mailboxes of the service. */
export function replyToReport(answer: WorkerResponse | null): SessionReply {
  if (answer?.status === 202) return reply(250, "2.0.0 Accepted");
  if (answer?.status === 404) return NO_RELAYING;
  if (answer?.status === 413) return TOO_LARGE;
  return answer?.status === 422 ? reply(554, `5.6.0 ${reasonOf(answer.body)}`) : UNAVAILABLE;
}

/** Returns the reply to RCPT for a reply address. */
export function replyToReplyAddress(answer: WorkerResponse | null): SessionReply {
  if (answer?.status === 204) return reply(250, "2.1.5 Recipient ok");
  return refusedReply(answer) ?? UNAVAILABLE;
}

/** Returns the reply to the end of a message for a reply address. */
export function replyToReply(answer: WorkerResponse | null): SessionReply {
  return refusedReply(answer) ?? replyToReport(answer);
}

/**
 * Chooses one reply for all recipients. A temporary failure takes precedence, so that the client
 * tries again. Then comes an acceptance, and then a refusal.
 */
export function decisiveReply(replies: readonly MessageReply[]): MessageReply {
  return (
    replies.find(({ reply: { code } }) => code !== 250 && code < 500) ??
    replies.find(({ reply: { code } }) => code === 250) ??
    replies[0]!
  );
}

function refusedReply(answer: WorkerResponse | null): SessionReply | null {
  if (answer?.status === 404) return NO_SUCH_ADDRESS;
  return answer?.status === 429 ? MAILBOX_FULL : null;
}

export function enhancedCode({ text }: SessionReply): string {
  return text.slice(0, text.indexOf(" "));
}

function refusedKey(answer: WorkerResponse | null): SessionReply | null {
  if (answer?.status === 401) return WRONG_CREDENTIALS;
  if (answer?.status === 403) return answer.retryAfter ? BLOCKED : IP_NOT_ALLOWED;
  return null;
}

/**
 * Returns the first failed rule of an error as `<path> <message>`. If the error names no rule,
 * returns the error's message.
 */
function reasonOf(body: unknown): string {
  const error = member(body, "error");
  const errors = member(error, "errors");
  const [first] = typeof errors === "object" && errors !== null ? Object.entries(errors) : [];
  if (!first) return toPrintable(member(error, "message"));
  const [path, messages] = first as [string, unknown];
  return toPrintable(`${path} ${Array.isArray(messages) ? String(messages[0]) : ""}`);
}

/** Reduces a text to one line of printable ASCII. */
function toPrintable(text: unknown): string {
  const given = typeof text === "string" && text !== "" ? text : "Refused";
  const ascii = given.slice(0, REASON_CHARACTERS).replace(/[\p{Cc}\u2028\u2029]/gu, " ");
  return ascii.replace(/[^ -~]/gu, "?").trim();
}

function member(value: unknown, name: string): unknown {
  return typeof value === "object" && value !== null && Object.hasOwn(value, name)
    ? (value as Record<string, unknown>)[name]
    : undefined;
}
