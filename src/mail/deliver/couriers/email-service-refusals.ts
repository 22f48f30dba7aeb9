// Reads an error of the Email Service's `send()`. The error refuses one message, a domain or the
// whole account, or leaves the copy's fate unknown (docs/couriers.md §Refusals). Real accounts
// throw most errors without a code, in plain words. Each row of words names its source. Pure.
import type { ProviderRefusal } from "../../../classify/provider-refusals.ts";
import type { SmtpStage } from "../../../../smtp-gateway/src/smtp/smtp-reply.ts";
import type { Outcome } from "../../message.ts";
import type { Hold } from "../../../rpc/holds.ts";
import { withWayToLift } from "../provider-suppression.ts";

/** An error of `send()`. `text` is the error's text on one line. */
export interface SendError {
  /**
   * A code that the documentation names, such as E_FIELD_MISSING. Null means that the error has no
   * such code.
   */
  readonly code: string | null;
  readonly text: string;
}

export type SendVerdict =
  /** The service refused the message, or a fault of the service prevented the send. */
  | { readonly kind: "outcome"; readonly outcome: Outcome }
  | { readonly kind: "held"; readonly held: Pick<Hold, "scope" | "code"> }
  /** The account sends too fast. */
  | { readonly kind: "too_fast" }
  /** The service may have taken the copy. */
  | { readonly kind: "unknown" };

interface RefusalReply {
  readonly code: number;
  readonly enhanced: string;
  readonly stage: SmtpStage;
  readonly providerRefusal: ProviderRefusal;
}

/** `fault` means that the service failed, and sent nothing. */
type Meaning = RefusalReply | Pick<Hold, "scope" | "code"> | "too_fast" | "fault";

const NOT_ONBOARDED = { scope: "domain", code: "not_onboarded" } as const;
const DISABLED = { scope: "domain", code: "sending_disabled" } as const;
const NOT_ENTITLED = { scope: "account", code: "not_entitled" } as const;
const QUOTA_USED_UP = { scope: "account", code: "quota_used_up" } as const;
const SENDER_DENIED: RefusalReply = {
  code: 550,
  enhanced: "5.7.1",
  stage: "mail",
  providerRefusal: "sender_not_set_up_at_provider",
};
const RECIPIENT_DENIED: RefusalReply = {
  code: 550,
  enhanced: "5.7.1",
  stage: "rcpt",
  providerRefusal: "recipient_not_allowed_by_provider",
};
/**
 * No mail server refused the address, so the reply does not suppress the address in Postern
 * (docs/couriers.md §Cloudflare's suppressions).
 */
const SUPPRESSED: RefusalReply = { ...RECIPIENT_DENIED, providerRefusal: "suppressed_by_provider" };
const UNDELIVERED: RefusalReply = {
  code: 554,
  enhanced: "5.0.0",
  stage: "end",
  providerRefusal: "undelivered_by_provider",
};
const BAD_CONTENT: RefusalReply = {
  code: 554,
  enhanced: "5.6.0",
  stage: "end",
  providerRefusal: "content_refused_by_provider",
};
const TOO_LARGE: RefusalReply = { ...BAD_CONTENT, code: 552, enhanced: "5.3.4" };

/**
 * The codes of developers.cloudflare.com/email-service/api/send-emails/workers-api, "Error codes",
 * 2026-10.
 */
const CODES: Readonly<Record<string, Meaning>> = {
  E_SENDER_NOT_VERIFIED: NOT_ONBOARDED,
  E_SENDER_DOMAIN_NOT_AVAILABLE: NOT_ONBOARDED,
  E_RECIPIENT_NOT_ALLOWED: RECIPIENT_DENIED,
  E_RECIPIENT_SUPPRESSED: SUPPRESSED,
  E_DELIVERY_FAILED: UNDELIVERED,
  E_CONTENT_TOO_LARGE: TOO_LARGE,
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
  E_RATE_LIMIT_EXCEEDED: "too_fast",
  E_DAILY_LIMIT_EXCEEDED: QUOTA_USED_UP,
  E_INTERNAL_SERVER_ERROR: "fault",
};

/**
 * The numbers of the REST API. Some errors of the binding contain them, such as
 * `email.sending.error.email.sending_disabled [10203]`. Source: the pages of the send-emails REST
 * API and of the operation send_raw ("No email will be sent when this happens"), 2026-10.
 */
const NUMBERS: Readonly<Record<string, Meaning>> = {
  10001: BAD_CONTENT,
  10002: "fault",
  10004: "too_fast",
  10100: "fault",
  10105: NOT_ENTITLED,
  10200: TOO_LARGE,
  10201: BAD_CONTENT,
  10202: BAD_CONTENT,
  10203: DISABLED,
  10204: NOT_ONBOARDED,
};

/** The meanings of error texts. The first row that matches counts. */
const WORDINGS: readonly (readonly [RegExp, Meaning])[] = [
  // Five real accounts got this text from 2026-05 to 2026-10. The receipt cloudflare-email-sending
  // of Straits-AI/mailda (2026-08-05) has it for a name below an onboarded domain.
  [/\bnot authorized for (?:sub)?domain\b/i, NOT_ONBOARDED],
  // Public reports of 2026-08-30 and 2026-09 have this text for a name in no onboarded zone.
  [/\bcould not find domain config\b/i, NOT_ONBOARDED],
  // The names of the REST API's errors. The binding throws them without the numeric codes.
  [/\bsender_not_configured\b/i, NOT_ONBOARDED],
  [/\bsending_disabled\b/i, DISABLED],
  [/\bnot_entitled\b/i, NOT_ENTITLED],
  [/\bemail\.too_big\b/i, TOO_LARGE],
  [/\berror\.(?:email\.(?:invalid|no_content_length)|invalid_request_schema)\b/i, BAD_CONTENT],
  [/\berror\.throttled\b/i, "too_fast"],
  [/\berror\.(?:internal_server|authentication\.upstream)\b/i, "fault"],
  // The texts of the codes' table, which public reports of 2026-05 to 2026-10 show without their
  // codes.
  [
    /\bdaily (?:\w{1,20} )?(?:limit|quota)\b|\bsending (?:limit|quota)\b|\bquota (?:is |was )?exceeded\b/i,
    QUOTA_USED_UP,
  ],
  [/\brate limit exceeded\b|\btoo many requests\b/i, "too_fast"],
  [/\brecipient\b.{0,330}\bsuppress|\bsuppression list\b/i, SUPPRESSED],
  [/\b(?:message|email|content)\b.{0,40}\b(?:too large|exceeds)\b/i, TOO_LARGE],
  [/\b(?:sender|domain) (?:is )?not verified\b/i, NOT_ONBOARDED],
  [/\bsending (?:is )?disabled\b/i, DISABLED],
  // The binding's own checks (workerd, src/workerd/api), and the checks of its list of allowed
  // senders.
  [/^email from \S{1,320} not allowed|\bsender (?:domain )?not allowed\b/i, SENDER_DENIED],
  // Accounts that may send only to verified destinations of Email Routing get this text.
  [
    /^email to \S{1,320} not allowed|\bdestination (?:address )?(?:is )?not (?:a )?verified\b/i,
    RECIPIENT_DENIED,
  ],
  [
    /^could not parse email|^invalid message-id|^invalid headers set|header does not match mail from/i,
    BAD_CONTENT,
  ],
];

/** Matches the reply of the recipient's server that an error's text quotes. */
const SERVER_REPLY = /(?<![\d.])([45]\d\d)[ -](?:([45]\.\d{1,3}\.\d{1,3})\s)?/;

export function readSendError({ code, text }: SendError): SendVerdict {
  const meaning = code === null ? meaningOf(text) : (CODES[code] ?? "fault");
  if (meaning === undefined) return { kind: "unknown" };
  if (meaning === "too_fast") return { kind: "too_fast" };
  if (meaning === "fault")
    return {
      kind: "outcome",
      outcome: { kind: "failure", cause: "other", detail: code ?? text, mxHost: null },
    };
  if ("scope" in meaning) return { kind: "held", held: meaning };
  return { kind: "outcome", outcome: refusedBy(meaning, text) };
}

function meaningOf(text: string): Meaning | undefined {
  const [, number = ""] = /\[(?:code: )?(10\d{3})\]/.exec(text) ?? [];
  return NUMBERS[number] ?? WORDINGS.find(([wording]) => wording.test(text))?.[1];
}

function refusedBy(refusal: RefusalReply, text: string): Outcome {
  const quoted = refusal === UNDELIVERED ? SERVER_REPLY.exec(text) : null;
  if (!quoted) {
    const shown = refusal === SUPPRESSED ? withWayToLift(text) : text;
    return { kind: "reply", ...refusal, text: shown, mxHost: null, tls: null };
  }
  const [, code, enhanced = null] = quoted;
  return {
    kind: "reply",
    code: Number(code),
    enhanced,
    stage: null,
    text: text.slice(quoted.index + quoted[0].length),
    mxHost: null,
    tls: null,
  };
}
