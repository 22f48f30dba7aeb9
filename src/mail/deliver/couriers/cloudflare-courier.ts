// The courier to Cloudflare's Email Service, through the `send_email` binding EMAIL
// (docs/couriers.md), for sending domains that are zones of the operator's own account. The
// platform sets its own signature, Message-ID and return-path. It reports the fate of a copy as an
// event (email-service/consumer.ts). Its refusals are codes or plain words, not SMTP replies. This
// courier turns each refusal of a message into the reply that the platform gives over SMTP, so
// classification has to read only SMTP replies.
import { Buffer } from "node:buffer";
import { EmailMessage } from "cloudflare:email";
import { addressDomain } from "../../../lib/address.ts";
import { logError, logWarning } from "../../../lib/log.ts";
import { onOneLine } from "../../../classify/reply-line.ts";
import type { Outcome } from "../../message.ts";
import { type HeaderForm, keepAllowedHeaders } from "./allowed-headers.ts";
import type { Courier, HeldCopy, OutboundCopy, TakenByProvider } from "../courier.ts";
import { Semaphore } from "../semaphore.ts";
import { readSendError } from "./email-service-refusals.ts";
import {
  forgetUnclearErrors,
  safeText,
  countUnclearError,
  repeatedError,
} from "./unclear-errors.ts";

/** Maximum number of sends at one time. A Workers invocation may have six connections. */
const SENDS_AT_ONCE = 4;
/** Matches an error code that the documentation names. */
const CODE = /\bE_[A-Z_]{3,60}\b/;
/** Time from the courier's start during which it takes copies (as in smtp-courier.ts). */
const TAKES_COPIES_MS = 5 * 60_000;
/** Time without a response after which the copy's fate is unknown. */
const SEND_TIMEOUT_MS = 30_000;

/**
 * True after the binding demanded a Message-ID in this isolate, although the platform replaces it.
 */
const remembered = { needsMessageId: false };

/**
 * Makes the courier. `speedup` is the divisor of the time for which unknown error texts stop a
 * domain's mail, at least 1. `silent` returns the addresses about which the platform publishes no
 * event, in lower case.
 */
export function cloudflareCourier(
  email: SendEmail,
  speedup = 1,
  silent: () => Promise<ReadonlySet<string>> = async () => new Set(),
): Courier {
  const endsAt = Date.now() + TAKES_COPIES_MS;
  const slots = new Semaphore(SENDS_AT_ONCE);
  return async (copies, onOutcome) => {
    const iterator = copies[Symbol.asyncIterator]();
    // The addresses are read before the first copy is sent, so that no outcome has to wait for
    // them.
    const addresses = await silent();
    const round = new Round((copy) => outcomeOf(email, copy, addresses, speedup));
    const sendNext = async (): Promise<void> => {
      while (!round.isOver && Date.now() < endsAt) {
        const { done, value: copy } = await iterator.next();
        if (done) return;
        const outcome = await round.send(copy);
        if (outcome) onOutcome(copy.key, outcome);
      }
    };
    try {
      await Promise.all(Array.from({ length: SENDS_AT_ONCE }, () => slots.take(sendNext)));
      await iterator.return?.();
    } catch (error) {
      logError("email_service_fault", error);
    }
    return round.isOver ? "down" : undefined;
  };
}

type CopyOutcome = Outcome | TakenByProvider | HeldCopy;
type Send = (copy: OutboundCopy) => Promise<CopyOutcome | null>;

/**
 * The copies of one call. The first copy of a sending domain is sent alone. If the domain is on
 * hold, no other copy of it is sent in vain.
 */
class Round {
  readonly #send: Send;
  /** The hold of each domain, once its first copy has an outcome. */
  readonly #holds = new Map<string, Promise<HeldCopy | null>>();
  /** True if the account sends too fast, or is on hold. */
  isOver = false;

  constructor(send: Send) {
    this.#send = send;
  }

  /**
   * Sends one copy of the call. Returns null if the copy was not carried, for a reason that does
   * not concern this copy.
   */
  async send(copy: OutboundCopy): Promise<CopyOutcome | null> {
    const domain = addressDomain(copy.sender);
    const known = this.#holds.get(domain);
    if (!known) {
      const sending = this.#sendNow(copy);
      this.#holds.set(domain, sending.then(holdIn));
      return sending;
    }
    const hold = await known;
    if (hold || this.isOver) return hold;
    const outcome = await this.#sendNow(copy);
    if (holdIn(outcome)) this.#holds.set(domain, Promise.resolve(holdIn(outcome)));
    return outcome;
  }

  async #sendNow(copy: OutboundCopy): Promise<CopyOutcome | null> {
    const outcome = await this.#send(copy);
    this.isOver ||= outcome === null || holdIn(outcome)?.scope === "account";
    return outcome;
  }
}

function holdIn(outcome: CopyOutcome | null): HeldCopy | null {
  return outcome?.kind === "held" ? outcome : null;
}

/** Sends one copy. Returns null if the account sends too fast. */
async function outcomeOf(
  email: SendEmail,
  copy: OutboundCopy,
  silent: ReadonlySet<string>,
  speedup: number,
): Promise<CopyOutcome | null> {
  if (copy.pool !== null) {
    const detail = "the Email Service has no IP pools";
    return { kind: "failure", cause: "other", detail, mxHost: null };
  }
  const domain = addressDomain(copy.sender);
  const holding = repeatedError(domain, Date.now());
  if (holding !== null)
    return { kind: "held", scope: "domain", code: "unknown_words", message: holding };
  const timer = new AbortController();
  try {
    const sent: Partial<EmailSendResult> | void = await Promise.race([
      sendInSomeForm(email, copy),
      scheduler.wait(SEND_TIMEOUT_MS, { signal: timer.signal }),
    ]);
    const providerId = sent?.messageId || null;
    if (providerId !== null) forgetUnclearErrors(domain);
    else logWarning("email_service_silent", { domain });
    const isSilent = silent.has(copy.rcptTo.toLowerCase());
    return { kind: "taken", providerId, ...(isSilent && { isSilent }) };
  } catch (error) {
    return outcomeOfError(error, domain, speedup);
  } finally {
    timer.abort();
  }
}

/**
 * Sends a copy with the headers that the platform takes. If the platform still refuses a header,
 * sends the copy without custom headers, because no message should bounce because of a header.
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
 * Returns the headers for another try after an error about a header. Null means that the error has
 * another cause.
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

function outcomeOfError(error: unknown, domain: string, speedup: number): CopyOutcome | null {
  const text = textOf(error);
  const code = codeOf(error, text);
  const words = safeText(error);
  logWarning("email_service_refused", { code, domain, words });
  const verdict = readSendError({ code, text });
  switch (verdict.kind) {
    case "outcome":
      return verdict.outcome;
    case "too_fast":
      return null;
    case "held":
      return { kind: "held", ...verdict.held, message: words };
    case "unknown":
      // The connection may have broken after the platform took the message.
      countUnclearError(domain, words, Date.now(), speedup);
      return { kind: "taken", providerId: null, words };
  }
}

/**
 * Returns the error's text on one line, together with a code that the documentation does not name.
 */
function textOf(error: unknown): string {
  if (!(error instanceof Error)) return "";
  const { code } = error as { code?: unknown };
  const isOther = typeof code === "number" || (typeof code === "string" && !CODE.test(code));
  return onOneLine(isOther ? `${error.message} [${code}]` : error.message);
}

/**
 * Returns the error's code if the documentation names it. Reads the code from the `code` member or
 * from the text, because an error may lose its members on the way through the binding.
 */
function codeOf(error: unknown, text: string): string | null {
  const code =
    typeof error === "object" && error !== null && "code" in error ? error.code : undefined;
  const given = typeof code === "string" ? CODE.exec(code) : null;
  return (given ?? CODE.exec(text))?.[0] ?? null;
}

/**
 * Returns the sender exactly as the header writes it, because the envelope must repeat it character
 * by character.
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
