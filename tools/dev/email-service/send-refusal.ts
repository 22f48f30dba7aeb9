// The error for a message that the Email Service does not accept. The binding's `send()` throws an
// error with the same code and text.

export type SendErrorCode =
  | "E_VALIDATION_ERROR"
  | "E_FIELD_MISSING"
  | "E_SENDER_DOMAIN_NOT_AVAILABLE"
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

export class SendRefusal extends Error {
  readonly code: SendErrorCode;

  constructor(code: SendErrorCode, message: string) {
    super(message);
    this.code = code;
  }
}
