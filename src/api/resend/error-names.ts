// Converts Postern's errors to Resend's form, `{statusCode, name, message}`, with Resend's names
// (docs/from-resend.md §Errors). The message keeps Postern's wording. Pure.
import { isJsonObject, parseJson } from "../../lib/json.ts";

interface ResendError {
  readonly statusCode: number;
  readonly name: string;
  readonly message: string;
}

/** An error with which a Postern endpoint answered. */
export interface OwnError {
  readonly status: number;
  readonly body: Uint8Array;
  /** True: the answer has a Retry-After header. */
  readonly hasRetryAfter: boolean;
  /** True: the request presented an API key. */
  readonly hasKey: boolean;
}

type FieldErrors = Readonly<Record<string, readonly string[]>>;

/** Maximum nesting of an error's body. Every error of Postern is nested less. */
const DEPTH = 8;
const FAULT = "The service could not answer this request. Retry with backoff.";
const KEY = "The Idempotency-Key must be 1 to 256 printable ASCII characters.";

/** Postern's error types for which the type alone determines Resend's name and status. */
const BY_TYPE: Readonly<Record<string, readonly [status: number, name: string]>> = {
  subscription_required: [403, "validation_error"],
  not_found: [404, "not_found"],
  method_not_allowed: [405, "method_not_allowed"],
  idempotency_concurrent: [409, "concurrent_idempotent_requests"],
  idempotency_mismatch: [409, "invalid_idempotent_request"],
  not_cancelable: [422, "validation_error"],
  webhook_rotation_in_progress: [422, "validation_error"],
  rate_limit_exceeded: [429, "rate_limit_exceeded"],
  payload_too_large: [413, "validation_error"],
};

/** Postern's messages about members that have another name or shape at Resend. */
const SHAPES: Readonly<Record<string, string>> = {
  "metadata must be an object": "must be an array of objects with `name` and `value`",
  "fallbacks must be an object": "must be an array of objects with `key`",
  "html is required unless text or template_id is given":
    "is required unless text or template is given",
  "text is required unless html or template_id is given":
    "is required unless html or template is given",
};

/** Resend's names of the quotas. Postern's limits on labels have no name at Resend. */
const QUOTA_NAMES: Readonly<Record<string, string>> = {
  daily: "daily_quota_exceeded",
  monthly: "monthly_quota_exceeded",
};

/**
 * Converts an error. `memberNames`: the names of members at the called Resend endpoint, by
 * Postern's names.
 */
export function toResendError(
  error: OwnError,
  memberNames: Readonly<Record<string, string>> = {},
): ResendError {
  const parsed = parseJson(error.body, DEPTH);
  const body = parsed.kind === "value" && isJsonObject(parsed.value) ? parsed.value : {};
  const envelope = isJsonObject(body["error"]) ? body["error"] : { ...body, type: body["error"] };
  const type = textOf(envelope["type"]);
  const message = textOf(envelope["message"]);
  const errors = envelope["errors"] as FieldErrors | undefined;
  if (error.status >= 500)
    return { statusCode: error.status, name: "internal_server_error", message: message || FAULT };
  if (errors) return fieldError(errors, error.status, memberNames);
  if (type === "authentication_error" || type === "permission_error")
    return keyError(error, type, message);
  if (type === "quota_exceeded")
    return {
      statusCode: 429,
      name: QUOTA_NAMES[textOf(envelope["scope"])] ?? "rate_limit_exceeded",
      message,
    };
  const [statusCode, name] = BY_TYPE[type] ?? [error.status, "validation_error"];
  return { statusCode, name, message: message || "The request body is too large." };
}

/**
 * Builds the error of a key. A missing key gets 401, an unknown key 403, and a key without the
 * permission 401.
 */
function keyError(
  { hasKey, hasRetryAfter }: OwnError,
  type: "authentication_error" | "permission_error",
  message: string,
): ResendError {
  if (!hasKey) return { statusCode: 401, name: "missing_api_key", message };
  return type === "authentication_error" || hasRetryAfter
    ? { statusCode: 403, name: "invalid_api_key", message }
    : { statusCode: 401, name: "restricted_api_key", message };
}

/**
 * Builds the error for wrong members. The first wrong member decides the error's name. The message
 * has one sentence for each wrong member.
 */
function fieldError(
  errors: FieldErrors,
  status: number,
  memberNames: Readonly<Record<string, string>>,
): ResendError {
  const [[path, [problem = ""]] = ["", []]] = Object.entries(errors);
  if (path === "idempotency_key")
    return { statusCode: 400, name: "invalid_idempotency_key", message: KEY };
  return {
    ...nameOf(withoutPlace(path), problem, status),
    message: sentences(errors, memberNames),
  };
}

function nameOf(
  path: string,
  problem: string,
  status: number,
): Pick<ResendError, "statusCode" | "name"> {
  if (path === "body") return { statusCode: status, name: "validation_error" };
  if (problem.startsWith("is required")) return { statusCode: 422, name: "missing_required_field" };
  if (path.startsWith("attachments")) return { statusCode: 422, name: "invalid_attachment" };
  // The problem names the domain, so the address itself is well-formed.
  if (path === "from" && problem.includes("domain"))
    return { statusCode: 403, name: "validation_error" };
  if (path === "from") return { statusCode: 422, name: "invalid_from_address" };
  return { statusCode: 422, name: "validation_error" };
}

/** Writes sentences such as `to is required.`, with the members' names in backticks. */
export function sentences(
  errors: FieldErrors,
  memberNames: Readonly<Record<string, string>>,
): string {
  return Object.entries(errors)
    .flatMap(([path, problems]) =>
      problems.map(
        (problem) =>
          `\`${nameThere(path, memberNames)}\` ${SHAPES[`${withoutPlace(path)} ${problem}`] ?? problem}.`,
      ),
    )
    .join(" ");
}

/**
 * Translates the path of a wrong member to Resend's names. `memberNames` may have a name for the
 * whole path, or only for its first member: `emails.3.metadata.a` → `3.tags.a`.
 */
function nameThere(path: string, memberNames: Readonly<Record<string, string>>): string {
  const whole = memberNames[path];
  if (whole !== undefined) return whole;
  const [, place = "", member = "", rest = ""] =
    /^(?:emails\.(\d+\.))?([^.]*)(.*)$/s.exec(path) ?? [];
  return place + (memberNames[member] ?? member) + rest;
}

function withoutPlace(path: string): string {
  return path.replace(/^emails\.\d+\./, "");
}

function textOf(value: unknown): string {
  return typeof value === "string" ? value : "";
}
