// The error for a message that the Email Service does not accept. The binding's `send()` throws an
// error with the same code and text. With the switch `plain_errors`, the error has only a text, as
// real accounts showed it (docs/real-platform.md).

export type SendErrorCode =
  | "E_VALIDATION_ERROR"
  | "E_FIELD_MISSING"
  | "E_SENDER_DOMAIN_NOT_AVAILABLE"
  | "E_SENDER_NOT_VERIFIED"
  | "E_RECIPIENT_SUPPRESSED"
  | "E_CONTENT_TOO_LARGE"
  | "E_RATE_LIMIT_EXCEEDED"
  | "E_DAILY_LIMIT_EXCEEDED"
  | "E_INTERNAL_SERVER_ERROR"
  | "E_HEADER_NOT_ALLOWED"
  | "E_HEADER_VALUE_INVALID"
  | "E_HEADER_VALUE_TOO_LONG"
  | "E_HEADER_NAME_INVALID"
  | "E_HEADERS_TOO_LARGE"
  | "E_HEADERS_TOO_MANY";

const PLAIN_WORDS: Partial<Record<SendErrorCode, string>> = {
  E_SENDER_DOMAIN_NOT_AVAILABLE: "could not find domain config of sending domain",
  E_RECIPIENT_SUPPRESSED: "recipient is suppressed",
  E_CONTENT_TOO_LARGE: "message too large",
  E_RATE_LIMIT_EXCEEDED: "rate limit exceeded",
  E_DAILY_LIMIT_EXCEEDED: "daily sending limit exceeded",
};

export class SendRefusal extends Error {
  readonly code: SendErrorCode;
  /** The text of the error with `plain_errors`. Undefined: the error keeps its code and text. */
  readonly plain: string | undefined;

  constructor(code: SendErrorCode, message: string, plain = PLAIN_WORDS[code]) {
    super(message);
    this.code = code;
    this.plain = plain;
  }
}
