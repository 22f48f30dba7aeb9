// The courier to Cloudflare's Email Service, through the `send_email` binding EMAIL
// (docs/couriers.md), for sending domains that are zones of the operator's own account. The
// platform sets its own signature, Message-ID and return-path, and reports what became of a copy as
// an event (email-service/consumer.ts). Its refusals are error codes, not SMTP replies. So each
// code is turned into the reply that the platform gives over SMTP, and classification has to read
// only SMTP replies.
import { Buffer } from "node:buffer";
import { EmailMessage } from "cloudflare:email";
import { logError, logWarning } from "../../../lib/log.ts";
import { onOneLine } from "../../../classify/reply-line.ts";
import type { Outcome } from "../../message.ts";
import type { SmtpStage } from "../../../../smtp-gateway/src/smtp/smtp-reply.ts";
import { type HeaderForm, keepAllowedHeaders } from "./allowed-headers.ts";
import type { Courier, TakenByProvider, OutboundCopy } from "../courier.ts";
import { withWayToLift } from "../provider-suppression.ts";
import { Semaphore } from "../semaphore.ts";

/** Maximum number of sends at one time. A Workers invocation may have six connections. */
const SENDS_AT_ONCE = 4;
/** Time for which the courier takes copies, counted from its start (as in smtp-courier.ts). */
const TAKES_COPIES_MS = 5 * 60_000;
const SEND_TIMEOUT_MS = 60_000;

interface RefusalReply {
  readonly code: number;
  readonly enhanced: string;
  readonly stage: SmtpStage;
}

const SENDER_DENIED: RefusalReply = { code: 550, enhanced: "5.7.1", stage: "mail" };
const RECIPIENT_DENIED: RefusalReply = { code: 550, enhanced: "5.7.1", stage: "rcpt" };
const BAD_CONTENT: RefusalReply = { code: 554, enhanced: "5.6.0", stage: "end" };

const SUPPRESSED = "E_RECIPIENT_SUPPRESSED";
/**
 * Error codes that refuse one message. If the platform has the recipient on its own suppression
 * list, no mail server refused the address, so the reply must not suppress the address here.
 */
const REFUSALS: Readonly<Record<string, RefusalReply>> = {
  E_SENDER_NOT_VERIFIED: SENDER_DENIED,
  E_SENDER_DOMAIN_NOT_AVAILABLE: SENDER_DENIED,
  E_RECIPIENT_NOT_ALLOWED: RECIPIENT_DENIED,
  [SUPPRESSED]: RECIPIENT_DENIED,
  E_DELIVERY_FAILED: { code: 554, enhanced: "5.0.0", stage: "end" },
  E_CONTENT_TOO_LARGE: { code: 552, enhanced: "5.3.4", stage: "end" },
  E_VALIDATION_ERROR: BAD_CONTENT,
  E_FIELD_MISSING: BAD_CONTENT,
  E_TOO_MANY_RECIPIENTS: BAD_CONTENT,
  E_HEADER_NOT_ALLOWED: BAD_CONTENT,
  E_HEADER_USE_API_FIELD: BAD_CONTENT,
  E_HEADER_VALUE_INVALID: BAD_CONTENT,
  E_HEADER_VALUE_TOO_LONG: BAD_CONTENT,
  E_HEADER_NAME_INVALID: BAD_CONTENT,
  E_HEADERS_TOO_LARGE: BAD_CONTENT,
  E_HEADERS_TOO_MANY: BAD_CONTENT,
};

/**
 * Refusals without a code. They come from the binding itself, and from accounts that may send only
 * to addresses that Email Routing has verified.
 */
const WORDINGS: readonly (readonly [RegExp, RefusalReply])[] = [
  [/^email from \S{1,320} not allowed|sender (?:domain )?not (?:verified|allowed)/i, SENDER_DENIED],
  [/^email to \S{1,320} not allowed|destination address is not (?:a )?verified/i, RECIPIENT_DENIED],
  [
    /^could not parse email|^invalid message-id|^invalid headers set|header does not match mail from/i,
    BAD_CONTENT,
  ],
];

/**
 * The error code for sending too fast. Messages with this error are not refused: they are released
 * again soon.
 */
const TOO_FAST = "E_RATE_LIMIT_EXCEEDED";
/** The error code for a used-up daily quota of the account. */
const QUOTA_USED_UP = "E_DAILY_LIMIT_EXCEEDED";
/** Time for which the courier pauses after the daily quota was used up. */
const QUOTA_PAUSE_MS = 15 * 60_000;
/** Matches the reply of the recipient's server that an error's text quotes. */
const SERVER_REPLY = /(?<![\d.])([45]\d\d)[ -](?:([45]\.\d{1,3}\.\d{1,3})\s)?/;

/**
 * The state of the Email Service that the isolate remembers: when it may be asked again, and
 * whether the binding demands the Message-ID that the platform replaces.
 */
const remembered = { pausedUntil: 0, needsMessageId: false };

/**
 * Returns when the courier's pause ends, Unix milliseconds. A time in the past: the courier does
 * not pause.
 */
export function pausedUntil(): number {
  return remembered.pausedUntil;
}

/** `speedup`: divisor of the pause, at least 1. */
export function cloudflareCourier(email: SendEmail, speedup = 1): Courier {
  const endsAt = Date.now() + TAKES_COPIES_MS;
  const slots = new Semaphore(SENDS_AT_ONCE);
  return async (copies, onOutcome) => {
    const iterator = copies[Symbol.asyncIterator]();
    let isHeldBack = false;
    const sendNext = async (): Promise<void> => {
      while (!isHeldBack && Date.now() < endsAt && Date.now() >= remembered.pausedUntil) {
        const { done, value: copy } = await iterator.next();
        if (done) return;
        const outcome = await outcomeOf(email, copy, speedup);
        if (outcome) onOutcome(copy.key, outcome);
        else isHeldBack = true;
      }
    };
    try {
      await Promise.all(Array.from({ length: SENDS_AT_ONCE }, () => slots.take(sendNext)));
      await iterator.return?.();
    } catch (error) {
      logError("email_service_fault", error);
    }
  };
}

/** Sends one copy; null: the copy was not carried, for a reason that does not concern this copy. */
async function outcomeOf(
  email: SendEmail,
  copy: OutboundCopy,
  speedup: number,
): Promise<Outcome | TakenByProvider | null> {
  if (copy.pool !== null) return failure("the Email Service has no IP pools");
  const timer = new AbortController();
  try {
    const sent: Partial<EmailSendResult> | void = await Promise.race([
      sendInSomeForm(email, copy),
      scheduler.wait(SEND_TIMEOUT_MS, { signal: timer.signal }),
    ]);
    return { kind: "taken", providerId: sent?.messageId || null };
  } catch (error) {
    return outcomeOfError(error, speedup);
  } finally {
    timer.abort();
  }
}

/**
 * Sends a copy with the headers that the platform takes. If the platform still refuses a header,
 * sends the copy without custom headers, because no message should bounce for a header.
 */
async function sendInSomeForm(email: SendEmail, copy: OutboundCopy): Promise<EmailSendResult> {
  let form: HeaderForm = { withMessageId: remembered.needsMessageId, withCustomHeaders: true };
  for (;;) {
    try {
      const bytes = keepAllowedHeaders(copy.bytes, form);
      const from = findSender(bytes, copy.sender);
      return await email.send(new EmailMessage(from, copy.rcptTo, new Response(bytes).body ?? ""));
    } catch (error) {
      const next = easierForm(form, error);
      if (!next) throw error;
      form = next;
    }
  }
}

/**
 * Returns the headers for another try after an error about a header; null: the error has another
 * cause.
 */
function easierForm(form: HeaderForm, error: unknown): HeaderForm | null {
  const message = error instanceof Error ? error.message : "";
  if (/^invalid message-id/i.test(message) && !form.withMessageId) {
    remembered.needsMessageId = true;
    return { ...form, withMessageId: true };
  }
  const code = codeOf(error, message);
  if (!code?.startsWith("E_HEADER") || !form.withCustomHeaders) return null;
  logWarning("email_service_headers_dropped", { code });
  return { ...form, withCustomHeaders: false };
}

function outcomeOfError(error: unknown, speedup: number): Outcome | TakenByProvider | null {
  const message = error instanceof Error ? onOneLine(error.message) : "";
  const code = codeOf(error, message);
  logWarning("email_service_refused", { code });
  if (code === TOO_FAST) return null;
  if (code === QUOTA_USED_UP) {
    remembered.pausedUntil = Date.now() + QUOTA_PAUSE_MS / speedup;
    logWarning("email_service_paused", { until: new Date(remembered.pausedUntil).toISOString() });
    return null;
  }
  const refusal = refusalBy(code, message);
  // If an error has no code, the connection may have broken after the platform took the message.
  if (!refusal) return code === null ? { kind: "taken", providerId: null } : failure(code);
  const quoted = code === "E_DELIVERY_FAILED" ? SERVER_REPLY.exec(message) : null;
  const text = code === SUPPRESSED ? withWayToLift(message) : message;
  if (!quoted) return { kind: "reply", ...refusal, text, mxHost: null, tls: null };
  const [, replyCode, enhanced = null] = quoted;
  return {
    kind: "reply",
    code: Number(replyCode),
    enhanced,
    stage: null,
    text: message.slice(quoted.index + quoted[0].length),
    mxHost: null,
    tls: null,
  };
}

function refusalBy(code: string | null, message: string): RefusalReply | undefined {
  return code === null ? WORDINGS.find(([wording]) => wording.test(message))?.[1] : REFUSALS[code];
}

/**
 * Returns the error's code, from its `code` member or from its text, because an error may lose its
 * members on the way through the binding.
 */
function codeOf(error: unknown, message: string): string | null {
  const code =
    typeof error === "object" && error !== null && "code" in error ? error.code : undefined;
  return typeof code === "string" ? code : (/\bE_[A-Z_]{3,60}\b/.exec(message)?.[0] ?? null);
}

function failure(detail: string): Outcome {
  return { kind: "failure", cause: "other", detail, mxHost: null };
}

/**
 * Returns the sender exactly as it is in the header: the envelope must repeat it character by
 * character.
 */
function findSender(message: Uint8Array, sender: string): string {
  const text = Buffer.from(message.buffer, message.byteOffset, message.byteLength);
  const end = text.indexOf("\r\n\r\n");
  const header = text.toString("utf8", 0, end < 0 ? text.length : end);
  const field = /(?:^|\r\n)From:[^\r]*(?:\r\n[ \t][^\r]*)*/i.exec(header)?.[0] ?? "";
  const at = field.toLowerCase().lastIndexOf(sender.toLowerCase());
  const written = field.slice(at, at + sender.length);
  return written.toLowerCase() === sender.toLowerCase() ? written : sender;
}
