// The courier to Cloudflare's Email Service, through the `send_email` binding EMAIL
// (docs/operating.md §Couriers): for sending domains that are zones of the operator's own account.
// It signs, names and returns mail as its own. Its answer is an error code instead of a reply; each
// becomes the reply that the same service gives over SMTP, so that classification reads one
// language.
import { Buffer } from "node:buffer";
import { EmailMessage } from "cloudflare:email";
import { logError, logWarning } from "../../../lib/log.ts";
import { onOneLine } from "../../classify/reply-line.ts";
import type { Outcome, Stage } from "../../message.ts";
import type { Courier, OutboundCopy } from "./courier.ts";
import { Semaphore } from "../semaphore.ts";

/** An invocation may hold six connections. */
const AT_ONCE = 4;
/** No parcel is taken any more when the courier is this old (smtp-courier.ts). */
const WORKING_MS = 5 * 60_000;
const SEND_TIMEOUT_MS = 60_000;

interface Refusal {
  readonly code: number;
  readonly enhanced: string;
  readonly stage: Stage;
}

const SENDER_DENIED: Refusal = { code: 550, enhanced: "5.7.1", stage: "mail" };
const RECIPIENT_DENIED: Refusal = { code: 550, enhanced: "5.7.1", stage: "rcpt" };
const BAD_CONTENT: Refusal = { code: 554, enhanced: "5.6.0", stage: "end" };

/**
 * Verdicts on a message. A recipient on the account's suppression list was not refused by its
 * server: nothing to suppress here.
 */
const REFUSALS: Readonly<Record<string, Refusal>> = {
  E_SENDER_NOT_VERIFIED: SENDER_DENIED,
  E_SENDER_DOMAIN_NOT_AVAILABLE: SENDER_DENIED,
  E_RECIPIENT_NOT_ALLOWED: RECIPIENT_DENIED,
  E_RECIPIENT_SUPPRESSED: RECIPIENT_DENIED,
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
 * What is said without a code, by the binding itself and where addresses of Email Routing are all
 * that may be sent to.
 */
const WORDINGS: readonly (readonly [RegExp, Refusal])[] = [
  [/^email from \S{1,320} not allowed|sender (?:domain )?not (?:verified|allowed)/i, SENDER_DENIED],
  [/^email to \S{1,320} not allowed|destination address is not (?:a )?verified/i, RECIPIENT_DENIED],
  [
    /^could not parse email|^invalid message-id|^invalid headers set|header does not match mail from/i,
    BAD_CONTENT,
  ],
];

/** The account sends too fast: not a word on any message, which are offered again soon. */
const TOO_FAST = "E_RATE_LIMIT_EXCEEDED";
/** A reply of the recipient's server inside an error's words. */
const SERVER_REPLY = /(?<![\d.])([45]\d\d)[ -](?:([45]\.\d{1,3}\.\d{1,3})\s)?/;
/** Our signature, and the address for complaints that stands behind it. */
const SIGNED_FIELDS =
  /^DKIM-Signature:[^\r]*(?:\r\n[ \t][^\r]*)*\r\n(?:CFBL-Address:[^\r]*(?:\r\n[ \t][^\r]*)*\r\n)?/i;
/** More than the two take. */
const FIELD_BYTES = 8_192;

export function cloudflareCourier(email: SendEmail): Courier {
  const endsAt = Date.now() + WORKING_MS;
  const turns = new Semaphore(AT_ONCE);
  return async (parcels, onOutcome) => {
    const iterator = parcels[Symbol.asyncIterator]();
    let tooFast = false;
    const lane = async (): Promise<void> => {
      while (!tooFast && Date.now() < endsAt) {
        const { done, value: parcel } = await iterator.next();
        if (done) return;
        const outcome = await outcomeOf(email, parcel);
        if (outcome) onOutcome(parcel.key, outcome);
        else tooFast = true;
      }
    };
    try {
      await Promise.all(Array.from({ length: AT_ONCE }, () => turns.take(lane)));
      await iterator.return?.();
    } catch (error) {
      logError("email_service_fault", error);
    }
  };
}

/** null: it was not carried, and no fault of its own. */
async function outcomeOf(email: SendEmail, parcel: OutboundCopy): Promise<Outcome | null> {
  if (parcel.pool !== null) return failure("the Email Service has no IP pools");
  try {
    const bytes = unsigned(parcel.bytes);
    const from = senderIn(bytes, parcel.sender);
    const sending = email.send(
      new EmailMessage(from, parcel.rcptTo, new Response(bytes).body ?? ""),
    );
    const timer = new AbortController();
    const sent = await Promise.race([
      sending,
      scheduler.wait(SEND_TIMEOUT_MS, { signal: timer.signal }),
    ]);
    timer.abort();
    if (!sent) return failure("unknown fate: no answer in time");
    return {
      kind: "reply",
      code: 250,
      enhanced: "2.0.0",
      text: onOneLine(`queued as ${sent.messageId}`),
      stage: "end",
      mxHost: null,
      tls: null,
    };
  } catch (error) {
    return outcomeOfError(error);
  }
}

function outcomeOfError(error: unknown): Outcome | null {
  const words = error instanceof Error ? onOneLine(error.message) : "";
  const code = codeOf(error, words);
  logWarning("email_service_refused", { code });
  if (code === TOO_FAST) return null;
  const refusal =
    REFUSALS[code ?? ""] ??
    (code === null ? WORDINGS.find(([wording]) => wording.test(words))?.[1] : undefined);
  if (!refusal) return failure(code ?? words);
  const said = code === "E_DELIVERY_FAILED" ? SERVER_REPLY.exec(words) : null;
  if (!said) return { kind: "reply", ...refusal, text: words, mxHost: null, tls: null };
  const [, replyCode, enhanced = null] = said;
  return {
    kind: "reply",
    code: Number(replyCode),
    enhanced,
    stage: "end",
    text: words.slice(said.index + said[0].length),
    mxHost: null,
    tls: null,
  };
}

/**
 * As the error carries it, or as its words begin with it: not every error keeps its members on the
 * way through the binding.
 */
function codeOf(error: unknown, words: string): string | null {
  const code =
    typeof error === "object" && error !== null && "code" in error ? error.code : undefined;
  return typeof code === "string" ? code : (/\bE_[A-Z_]{3,60}\b/.exec(words)?.[0] ?? null);
}

function failure(detail: string): Outcome {
  return { kind: "failure", cause: "other", detail, mxHost: null };
}

/**
 * Without our signature: the service sets Date and Message-ID anew, which the signature covers, and
 * signs itself. So the address for complaints goes, too: nothing would vouch for it, and the
 * service takes the return-path for itself.
 */
function unsigned(message: Uint8Array): Uint8Array<ArrayBuffer> {
  const start = Buffer.from(
    message.buffer,
    message.byteOffset,
    Math.min(message.length, FIELD_BYTES),
  ).toString("latin1");
  return Uint8Array.from(message.subarray(SIGNED_FIELDS.exec(start)?.[0].length ?? 0));
}

/** The sender as its header writes it, which the envelope has to repeat letter by letter. */
function senderIn(message: Uint8Array, sender: string): string {
  const text = Buffer.from(message.buffer, message.byteOffset, message.byteLength);
  const end = text.indexOf("\r\n\r\n");
  const header = text.toString("utf8", 0, end < 0 ? text.length : end);
  const field = /(?:^|\r\n)From:[^\r]*(?:\r\n[ \t][^\r]*)*/i.exec(header)?.[0] ?? "";
  const at = field.toLowerCase().lastIndexOf(sender.toLowerCase());
  const written = field.slice(at, at + sender.length);
  return written.toLowerCase() === sender.toLowerCase() ? written : sender;
}
