// Describes contract.md §Errors in the OpenAPI document: which statuses an endpoint can answer
// with, and each status's envelope and headers. errors.ts renders them; the contract tests hold
// every response that they see against this description.
import type { Endpoint } from "../endpoint.ts";
import { COMPONENT, type Json } from "./openapi-schemas.ts";

export interface ErrorResponse {
  readonly status: number;
  /** Of `components.responses`. */
  readonly name: string;
  readonly description: string;
  /** Names in ERROR_SCHEMAS, one of which the body is. */
  readonly schemas: readonly string[];
  /** Names in HEADERS. */
  readonly headers: readonly string[];
}

const text = { type: "string" };
const count = { type: "integer", minimum: 0 };

/** `{"error": {"type", "message"}}`. */
const envelope = (type: string): Json => ({
  type: "object",
  required: ["error"],
  properties: {
    error: {
      type: "object",
      required: ["type", "message"],
      properties: { type: { const: type }, message: text },
    },
  },
});

const exactly = (properties: Record<string, Json>): Json => ({
  type: "object",
  required: Object.keys(properties),
  properties,
});

export const ERROR_SCHEMAS: Readonly<Record<string, Json>> = {
  ValidationError: exactly({
    error: exactly({
      type: { const: "validation_error" },
      message: text,
      errors: {
        type: "object",
        description: "Dotted field path → what is wrong there.",
        minProperties: 1,
        additionalProperties: { type: "array", minItems: 1, items: text },
        examples: [{ "to.0": ["is not an email address"] }],
      },
    }),
  }),
  AuthenticationError: envelope("authentication_error"),
  SubscriptionRequired: envelope("subscription_required"),
  PermissionError: envelope("permission_error"),
  NotFoundError: envelope("not_found"),
  IdempotencyConcurrent: envelope("idempotency_concurrent"),
  IdempotencyMismatch: envelope("idempotency_mismatch"),
  WebhookRotationInProgress: envelope("webhook_rotation_in_progress"),
  InternalError: envelope("internal_error"),
  ProvisioningError: envelope("provisioning_error"),
  PayloadTooLarge: exactly({ error: { const: "payload_too_large" } }),
  RateLimitExceeded: exactly({ error: { const: "rate_limit_exceeded" }, message: text }),
  QuotaExceeded: exactly({
    error: { const: "quota_exceeded" },
    message: text,
    scope: {
      type: "string",
      enum: ["daily", "monthly", "tag_cardinality", "campaign_cardinality", "topic_cardinality"],
    },
    limit: count,
    retry_after_seconds: { ...count, description: "The same number as `Retry-After`." },
  }),
};

interface Header {
  readonly description: string;
  readonly schema: Json;
  /** On every response that lists it. */
  readonly required?: true;
}

export const HEADERS: Readonly<Record<string, Header>> = {
  "X-Request-Id": {
    description: "Names the request to whoever runs the service: `req_<uuidv7>`.",
    required: true,
    schema: { type: "string", pattern: "^req_[0-9a-f-]{36}$" },
  },
  "RateLimit-Limit": { description: "Requests a second that the team may make.", schema: count },
  "RateLimit-Remaining": { description: "Requests that are left at once.", schema: count },
  "RateLimit-Reset": { description: "Seconds until all of them are back.", schema: count },
  "Retry-After": { description: "Seconds to wait.", schema: count },
  "WWW-Authenticate": {
    description: "The scheme to use.",
    required: true,
    schema: { const: "Bearer" },
  },
  "X-Ignored-Members": {
    description:
      "There when the body has members that the endpoint does not know: their dotted paths, sorted, at most 512 bytes. `+2` at the end counts those that are not shown, because they are longer than 64 characters, hold others than `A-Z a-z 0-9 _ . -`, or find no room.",
    schema: text,
  },
  "X-Ignored-Parameters": {
    description:
      "There when the query has parameters that the endpoint does not know: their names, as in `X-Ignored-Members`.",
    schema: text,
  },
  "X-Missing-Variables": {
    description:
      "There when a template uses variables that the send's `variables` do not have: their names, in a batch with their entry (`emails.3.name`), as in `X-Ignored-Members`. The message is sent all the same.",
    schema: text,
  },
  "Idempotent-Replayed": {
    description: "There when the response is an earlier one's replay.",
    schema: { const: "true" },
  },
};

export const RATE_HEADERS = ["RateLimit-Limit", "RateLimit-Remaining", "RateLimit-Reset"] as const;

/**
 * The notes on names that a request held and that were not used, or were missed (src/api/notes.ts).
 */
export function noteHeaders({
  body,
  admitsItself,
}: Pick<Endpoint, "body" | "admitsItself">): string[] {
  return [
    "X-Ignored-Parameters",
    ...(body ? ["X-Ignored-Members"] : []),
    ...(admitsItself ? ["X-Missing-Variables"] : []),
  ];
}

/**
 * Every error that the endpoint can answer with, by status. What it declares in `responses` itself
 * is not among them.
 */
export function errorsOf(endpoint: Endpoint): ErrorResponse[] {
  const operator = endpoint.permission === "operator";
  return statusesOf(endpoint).map((status) => {
    const { name, headers, ...rest } = describe(status, endpoint);
    const rated = !operator && !BEFORE_THE_RATE.has(status);
    return {
      ...rest,
      status,
      name: operator && !BEFORE_THE_RATE.has(status) ? `Operator${name}` : name,
      headers: rated ? [...headers, ...RATE_HEADERS] : headers,
    };
  });
}

/** Decided before a request counts against the team's rate: api/app.ts. */
const BEFORE_THE_RATE = new Set([401, 402, 403, 413]);

function statusesOf(endpoint: Endpoint): number[] {
  const operator = endpoint.permission === "operator";
  const takesBody = Boolean(endpoint.body ?? endpoint.accepts) || endpoint.admitsItself === true;
  const statuses = new Set<number>([401, 403, 500, ...(endpoint.errors ?? [])]);
  if (!operator) for (const status of [402, 429]) statuses.add(status);
  if (takesBody) for (const status of [400, 413, 415, 422]) statuses.add(status);
  if (endpoint.query ?? endpoint.paginated) statuses.add(422);
  if (endpoint.admitsItself) for (const status of [409, 502]) statuses.add(status);
  // Without an ADMIN_TOKEN there is no /admin.
  if (operator || endpoint.path.includes(":")) statuses.add(404);
  return [...statuses].toSorted((left, right) => left - right);
}

type Described = Omit<ErrorResponse, "status">;

function describe(status: number, { admitsItself = false, permission }: Endpoint): Described {
  switch (status) {
    case 400:
      return validation("BadRequest", "The body can't be read, or a value can't be mended.");
    case 401:
      return one("Unauthorized", "AuthenticationError", "Credentials are missing or unknown.", [
        "WWW-Authenticate",
      ]);
    case 402:
      return one(
        "SubscriptionRequired",
        "SubscriptionRequired",
        "The team has no active subscription.",
      );
    case 403:
      return one(
        "Forbidden",
        "PermissionError",
        "The key may not do this, or not from this address. With `Retry-After`: the credentials are wrong, and so were too many others from this address.",
        ["Retry-After"],
      );
    case 404:
      return one(
        "NotFound",
        "NotFoundError",
        permission === "operator"
          ? "There is none, or no operator API."
          : "The team has none, whoever else may.",
      );
    case 409:
      return admitsItself
        ? one(
            "RequestInFlight",
            "IdempotencyConcurrent",
            "The first request with this `Idempotency-Key` is still in progress.",
          )
        : one(
            "RotationInProgress",
            "WebhookRotationInProgress",
            "The grace window of an earlier rotation is still open.",
          );
    case 413:
      return one(
        "PayloadTooLarge",
        "PayloadTooLarge",
        "The body is over 5 MB. Decided before anything else; the connection is closed.",
      );
    case 415:
      return validation(
        "UnsupportedMediaType",
        "`Content-Type` is not what this endpoint takes, or the body is compressed.",
      );
    case 422:
      return admitsItself
        ? several(
            "UnprocessableSend",
            ["ValidationError", "IdempotencyMismatch"],
            "A rule failed, or the `Idempotency-Key` was used with another body.",
            ["X-Ignored-Members", "X-Ignored-Parameters", "X-Missing-Variables"],
          )
        : validation("Unprocessable", "A rule failed.");
    case 429:
      return admitsItself
        ? several(
            "OverRateOrQuota",
            ["RateLimitExceeded", "QuotaExceeded"],
            "Over the request rate, or (with `scope`) over a quota. Nothing was accepted.",
            ["Retry-After"],
          )
        : one("OverRate", "RateLimitExceeded", "Over the team's request rate.", ["Retry-After"]);
    case 500:
      return one("Fault", "InternalError", "A fault on this side; it has been logged.");
    case 502:
      return one(
        "PipelineUnavailable",
        "InternalError",
        "The message could not be taken. Nothing was sent; retry with backoff.",
      );
    case 503:
      return one(
        "ProvisioningFailed",
        "ProvisioningError",
        "The domain's records could not be published. Nothing was created; retry with backoff.",
      );
    default:
      throw new Error(`no description of the error status ${status}`);
  }
}

function one(
  name: string,
  schema: string,
  description: string,
  headers: readonly string[] = [],
): Described {
  return several(name, [schema], description, headers);
}

function validation(name: string, description: string): Described {
  return several(name, ["ValidationError"], description, [
    "X-Ignored-Members",
    "X-Ignored-Parameters",
  ]);
}

function several(
  name: string,
  schemas: readonly string[],
  description: string,
  headers: readonly string[] = [],
): Described {
  return { name, schemas, description, headers: ["X-Request-Id", ...headers] };
}

/** The body's schema: one of the errors', or one of `others`. */
export function errorSchema(schemas: readonly string[], others: readonly Json[] = []): Json {
  const all = [...schemas.map((name) => ({ $ref: COMPONENT + name })), ...others];
  return all.length === 1 && all[0] ? all[0] : { anyOf: all };
}
