// The errors of each endpoint: their statuses, texts and headers, and the schemas of their bodies
// (contract.md §Errors).
import { type Endpoint, takesBody } from "../../src/endpoint.ts";
import { RATE_HEADERS } from "./response-headers.ts";
import { COMPONENT, type Json } from "./schemas.ts";

export interface ErrorResponse {
  readonly status: number;
  /** The name in `components.responses`. */
  readonly name: string;
  readonly description: string;
  /** Names in ERROR_SCHEMAS. The body has the form of one of them. */
  readonly schemas: readonly string[];
  /** Names in HEADERS. */
  readonly headers: readonly string[];
}

const text = { type: "string" };
const count = { type: "integer", minimum: 0 };

const exactly = (properties: Record<string, Json>): Json => ({
  type: "object",
  required: Object.keys(properties),
  properties,
});
const envelope = (type: string): Json =>
  exactly({ error: exactly({ type: { const: type }, message: text }) });

export const ERROR_SCHEMAS: Readonly<Record<string, Json>> = {
  ValidationError: exactly({
    error: exactly({
      type: { const: "validation_error" },
      message: text,
      errors: {
        type: "object",
        description: "Dotted field path → the problems of this field.",
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
  NotCancelable: envelope("not_cancelable"),
  PreconditionFailed: envelope("precondition_failed"),
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

/** Returns every error of the endpoint, by status. */
export function errorsOf(endpoint: Endpoint): ErrorResponse[] {
  const prefix = UNRATED[endpoint.permission];
  const rate = prefix === undefined ? RATE_HEADERS : [];
  return statusesOf(endpoint).map((status) => {
    const error = { ...describe(status, endpoint), status };
    if (BEFORE_THE_RATE.has(status)) return error;
    return { ...error, name: (prefix ?? "") + error.name, headers: [...error.headers, ...rate] };
  });
}

/** Tells whether requests to the endpoint count against the team's request rate. */
export function hasRate({ permission }: Endpoint): boolean {
  return UNRATED[permission] === undefined;
}

/**
 * The permissions whose errors have no headers about a rate. The value is the prefix of these
 * errors' names.
 */
const UNRATED: Readonly<Record<string, string>> = { operator: "Operator", console: "Console" };

/**
 * Statuses of errors that api/app.ts returns before it counts the request against the team's rate.
 */
const BEFORE_THE_RATE = new Set([401, 402, 403, 413]);

function statusesOf(endpoint: Endpoint): number[] {
  const operator = endpoint.permission === "operator";
  const statuses = new Set<number>([401, 403, 500, 502, ...(endpoint.errors ?? [])]);
  if (hasRate(endpoint)) for (const status of [402, 429]) statuses.add(status);
  if (takesBody(endpoint)) for (const status of [400, 413, 415, 422]) statuses.add(status);
  if (endpoint.query ?? endpoint.paginated) statuses.add(422);
  if (endpoint.admitsItself) statuses.add(409);
  if (endpoint.etag === "write") statuses.add(412);
  // If no ADMIN_TOKEN is set, every path of /admin returns 404.
  if (operator || endpoint.path.includes(":")) statuses.add(404);
  return [...statuses].toSorted((left, right) => left - right);
}

type Described = Omit<ErrorResponse, "status">;

/** The description of each status. If it depends on the endpoint, it is a function. */
const DESCRIPTIONS: Readonly<Record<number, Described | ((endpoint: Endpoint) => Described)>> = {
  400: validation("BadRequest", "The body is unreadable, or a value can't be corrected."),
  401: one("Unauthorized", "AuthenticationError", "Credentials are missing or unknown.", [
    "WWW-Authenticate",
  ]),
  402: one("SubscriptionRequired", "SubscriptionRequired", "The team has no active subscription."),
  403: ({ permission }) =>
    permission === "console"
      ? one(
          "ForbiddenPage",
          "PermissionError",
          "The page has another origin, the address is not https, or the key may not be used " +
            "from this address. With `Retry-After`: the credentials are wrong, and this address " +
            "has sent too many wrong credentials before.",
          ["Retry-After"],
        )
      : one(
          "Forbidden",
          "PermissionError",
          "The key does not permit this request, or may not be used from this address. With " +
            "`Retry-After`: the credentials are wrong, and this address has sent too many wrong " +
            "credentials before.",
          ["Retry-After"],
        ),
  404: ({ permission }) =>
    one(
      "NotFound",
      "NotFoundError",
      permission === "operator"
        ? "The resource does not exist, or this deployment has no operator API."
        : "The team has no such resource. For another team's resource, the answer is the same.",
    ),
  409: ({ admitsItself, path }) => {
    if (admitsItself)
      return one(
        "RequestInFlight",
        "IdempotencyConcurrent",
        "The first request with this `Idempotency-Key` is still in progress.",
      );
    return path.startsWith("/v1/email/")
      ? one(
          "NotCancelable",
          "NotCancelable",
          "The message was released or canceled, or was never scheduled.",
        )
      : one(
          "RotationInProgress",
          "WebhookRotationInProgress",
          "The grace window of an earlier rotation is still open.",
        );
  },
  412: one(
    "PreconditionFailed",
    "PreconditionFailed",
    "The resource does not have the `ETag` that `If-Match` names. Nothing was changed.",
    ["ETag"],
  ),
  413: one(
    "PayloadTooLarge",
    "PayloadTooLarge",
    "The body is over 5 MB, or at `/console/session` over 16 KB. This is checked before " +
      "anything else, and the connection is closed.",
  ),
  415: validation(
    "UnsupportedMediaType",
    "`Content-Type` is not what this endpoint takes, or the body is compressed.",
  ),
  422: ({ admitsItself }) =>
    admitsItself
      ? several(
          "UnprocessableSend",
          ["ValidationError", "IdempotencyMismatch"],
          "A rule failed, or the `Idempotency-Key` was used with another body.",
          [
            "X-Ignored-Members",
            "X-Ignored-Parameters",
            "X-Missing-Variables",
            "X-Unmatched-Content-Ids",
          ],
        )
      : validation("Unprocessable", "A rule failed."),
  429: ({ admitsItself }) =>
    admitsItself
      ? several(
          "OverRateOrQuota",
          ["RateLimitExceeded", "QuotaExceeded"],
          "The request rate or (with `scope`) a quota is exceeded. Nothing was accepted.",
          ["Retry-After"],
        )
      : one("OverRate", "RateLimitExceeded", "The team's request rate is exceeded.", [
          "Retry-After",
        ]),
  500: one("Fault", "InternalError", "A fault on our side; it has been logged."),
  502: ({ admitsItself }) =>
    admitsItself
      ? one(
          "PipelineUnavailable",
          "InternalError",
          "A fault on our side: nothing was accepted, unless the message says that this is " +
            "unknown. Retry with backoff, and with the same `Idempotency-Key`.",
          ["Retry-After"],
        )
      : one(
          "LedgerUnavailable",
          "InternalError",
          "The request could not be answered because of a fault on our side. Retry with backoff.",
        ),
  503: one(
    "ProvisioningFailed",
    "ProvisioningError",
    "The domain's records could not be published. Nothing was created; retry with backoff.",
  ),
};

function describe(status: number, endpoint: Endpoint): Described {
  const description = DESCRIPTIONS[status];
  if (!description) throw new Error(`no description of the error status ${status}`);
  return typeof description === "function" ? description(endpoint) : description;
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

/** Returns the schema of an error's body. `others` has other forms that the body may have. */
export function errorSchema(schemas: readonly string[], others: readonly Json[] = []): Json {
  const all = [...schemas.map((name) => ({ $ref: COMPONENT + name })), ...others];
  return all.length === 1 && all[0] ? all[0] : { anyOf: all };
}
