// The errors that a call throws. Each class stands for one way to react. The error types come from
// the OpenAPI document.
import type { ErrorBody, QuotaExceeded } from "../generated/types.ts";

type Envelope = Extract<ErrorBody, { error: { type: string } }>["error"];
type Word = Extract<ErrorBody, { error: string }>["error"];

/**
 * The `type` of the API's error. `batch_failed`: no message of a batch was queued, and `body` has
 * the reason for each. `unknown`: the answer was not from the API.
 */
export type ErrorType = Envelope["type"] | Word | "batch_failed" | "unknown";

export interface ApiErrorResponse {
  readonly status: number;
  readonly type: ErrorType;
  readonly message: string;
  /** The error texts of each field, by the dotted path of the field. */
  readonly errors: Readonly<Record<string, readonly string[]>>;
  /** The answer's `X-Request-Id`. The operator can find it in the log. */
  readonly requestId: string | null;
  /** The answer's `Retry-After`; null: the answer has none. */
  readonly retryAfterSeconds: number | null;
  /** The answer's body; null: the answer was not from the API. */
  readonly body: ErrorBody | null;
}

/**
 * The key under which an error class stores its name. Minifiers keep that name, and all copies of
 * this package share the key.
 */
const KIND = Symbol.for("postern.error");

/**
 * The base class of this client's errors. `instanceof` also works for an error of another copy of
 * the package, because a program may load the package as an ES module and as CommonJS, or in two
 * versions.
 */
export class PosternError extends Error {
  static readonly [KIND]: string = "PosternError";
  override readonly name: string = (this.constructor as typeof PosternError)[KIND];

  static override [Symbol.hasInstance](value: unknown): boolean {
    const kind = Object.hasOwn(this, KIND) ? this[KIND] : undefined;
    return kind === undefined
      ? Function.prototype[Symbol.hasInstance].call(this, value)
      : kindsOf(value).includes(kind);
  }
}

/** Returns the stored names of the value's class and of its base classes. */
function kindsOf(value: unknown): readonly unknown[] {
  const kinds: unknown[] = [];
  if (typeof value === "object")
    for (let one: unknown = value; one !== null; one = Object.getPrototypeOf(one))
      kinds.push((one as { constructor?: { [KIND]?: unknown } }).constructor?.[KIND]);
  return kinds;
}

/** The API refused the request or failed. */
export class ApiError extends PosternError implements ApiErrorResponse {
  static override readonly [KIND]: string = "ApiError";
  readonly status: number;
  readonly type: ErrorType;
  readonly errors: Readonly<Record<string, readonly string[]>>;
  readonly requestId: string | null;
  readonly retryAfterSeconds: number | null;
  readonly body: ErrorBody | null;

  constructor(refusal: ApiErrorResponse) {
    super(wordsOf(refusal));
    this.status = refusal.status;
    this.type = refusal.type;
    this.errors = refusal.errors;
    this.requestId = refusal.requestId;
    this.retryAfterSeconds = refusal.retryAfterSeconds;
    this.body = refusal.body;
  }
}

/** 400, 413, 415 and 422: the request needs a change. `errors` names the fields. */
export class InvalidRequestError extends ApiError {
  static override readonly [KIND]: string = "InvalidRequestError";
}

/** 401: the key is missing or unknown. */
export class UnauthenticatedError extends ApiError {
  static override readonly [KIND]: string = "UnauthenticatedError";
}

/** 402 and 403: the key or its team lacks the permission. */
export class ForbiddenError extends ApiError {
  static override readonly [KIND]: string = "ForbiddenError";
}

/** 404: the team has no such object. */
export class AbsentError extends ApiError {
  static override readonly [KIND]: string = "AbsentError";
}

/**
 * 409 and 412: the current state forbids the request, for example because an equal request is still
 * running, or because the resource was changed after it was read.
 */
export class ConflictError extends ApiError {
  static override readonly [KIND]: string = "ConflictError";
}

/** 429: the rate limit is exceeded. */
export class RateError extends ApiError {
  static override readonly [KIND]: string = "RateError";
}

/** 429: a quota or a cap of the team is used up. */
export class QuotaError extends ApiError {
  static override readonly [KIND]: string = "QuotaError";
  readonly scope: QuotaExceeded["scope"];
  readonly limit: number;

  constructor(refusal: ApiErrorResponse, { scope, limit }: QuotaExceeded) {
    super(refusal);
    this.scope = scope;
    this.limit = limit;
  }
}

/** 5xx: the service failed. */
export class FaultError extends ApiError {
  static override readonly [KIND]: string = "FaultError";
}

/** The request got no answer. `cause` says why. */
export class UnreachableError extends PosternError {
  static override readonly [KIND]: string = "UnreachableError";
}

/**
 * The call's time limit was reached. `cause` is the error of the last attempt, if there was one.
 */
export class TimeoutError extends PosternError {
  static override readonly [KIND]: string = "TimeoutError";
}

/** Creates the error for an answer that is not a success. */
export function errorOf(response: Response, text: string): ApiError {
  const body = bodyIn(text);
  const refusal = { ...readBody(response, body), ...partsOf(response), body };
  const { status } = response;
  if (body && "scope" in body) return new QuotaError(refusal, body);
  if (status === 429 && refusal.type !== "batch_failed") return new RateError(refusal);
  if (status === 401) return new UnauthenticatedError(refusal);
  if (status === 402 || status === 403) return new ForbiddenError(refusal);
  if (status === 404) return new AbsentError(refusal);
  if (status === 409 || status === 412) return new ConflictError(refusal);
  if ([400, 413, 415, 422].includes(status)) return new InvalidRequestError(refusal);
  return status >= 500 ? new FaultError(refusal) : new ApiError(refusal);
}

function bodyIn(text: string): ErrorBody | null {
  try {
    const body: unknown = JSON.parse(text);
    const isOurs = typeof body === "object" && body !== null && ("error" in body || "data" in body);
    return isOurs ? (body as ErrorBody) : null;
  } catch {
    return null;
  }
}

function readBody(
  { status, statusText }: Response,
  body: ErrorBody | null,
): Pick<ApiErrorResponse, "type" | "message" | "errors"> {
  if (body === null)
    return { type: "unknown", message: statusText || `status ${status}`, errors: {} };
  if ("data" in body)
    return { type: "batch_failed", message: "no message of the batch was queued", errors: {} };
  if (typeof body.error === "string")
    return {
      type: body.error,
      message: "message" in body ? body.message : body.error.replaceAll("_", " "),
      errors: {},
    };
  const { type, message } = body.error;
  return { type, message, errors: "errors" in body.error ? (body.error.errors ?? {}) : {} };
}

function partsOf({ status, headers }: Response) {
  const seconds = Number(headers.get("Retry-After") ?? Number.NaN);
  return {
    status,
    requestId: headers.get("X-Request-Id"),
    retryAfterSeconds: Number.isFinite(seconds) ? seconds : null,
  };
}

/**
 * Returns one line for a log. The API's message names only the first wrong field, so the others
 * are added.
 */
function wordsOf({ status, message, errors }: ApiErrorResponse): string {
  const fields = Object.entries(errors)
    .map(([field, words]) => `${field} ${words.join(", ")}`)
    .filter((words) => !message.includes(words));
  return `${status}: ${[message, ...fields].join("; ")}`;
}

/** Returns why `fetch` failed. */
export function reasonOf(error: unknown): string {
  const { message, cause } = error as Error;
  const { code, message: inner } = (cause ?? {}) as { code?: string; message?: string };
  return code ?? inner ?? message;
}
