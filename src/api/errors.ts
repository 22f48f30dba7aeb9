// The error table gives each refusal its status, type and message, and the one renderer writes them
// (contract.md §Errors). An error that is not a refusal is a fault: it is logged with its request
// id and answered 500 without a word about its inside.
import { HTTPException } from "hono/http-exception";
import type { ContentfulStatusCode } from "hono/utils/http-status";
import { errorBody, validationBody } from "../lib/error-envelope.ts";
import { quotaFacts } from "../ledger/quota-facts.ts";
import { logError } from "../lib/log.ts";
import { type Refusal, RefusalError, refuse } from "../refusal.ts";

interface Rendered {
  readonly status: ContentfulStatusCode;
  readonly body: string;
  readonly headers?: Readonly<Record<string, string>>;
}

const UNAUTHENTICATED = {
  api_key: {
    missing: "An API key is required: send `Authorization: Bearer <API_KEY>`.",
    unknown: "The API key is not valid.",
  },
  admin_token: {
    missing: "The admin token is required: send `Authorization: Bearer <ADMIN_TOKEN>`.",
    unknown:
      "The admin token is not valid: /admin takes the ADMIN_TOKEN of this deployment, and no API key.",
  },
} as const;

const PATH_CHARACTERS = 200;

/** Turns whatever a handler threw into a response; `requestId` only goes to the log. */
export function renderError(error: unknown, requestId: string): Response {
  const { status, body, headers } = errorReply(error, requestId);
  return new Response(body, {
    status,
    headers: { "Content-Type": "application/json", ...headers },
  });
}

/** The same, before it is a response. */
export function errorReply(error: unknown, requestId: string): Rendered {
  const { headers, ...rendered } = render(refusalOf(error, requestId));
  return {
    ...rendered,
    headers: { ...headers, ...(error instanceof RefusalError ? error.headers : {}) },
  };
}

function refusalOf(error: unknown, requestId: string): Refusal | "fault" {
  if (error instanceof RefusalError) return error.refusal;
  // @hono/zod-validator reads a body itself and throws this for text that is not JSON.
  if (error instanceof HTTPException && error.status === 400)
    return refuse("malformed", { errors: { body: ["is not valid JSON"] } }).refusal;
  logError("fault", error, { request_id: requestId });
  return "fault";
}

function render(refusal: Refusal | "fault"): Rendered {
  if (refusal === "fault")
    return envelope(500, "internal_error", "Something went wrong on our side. It has been logged.");
  switch (refusal.code) {
    case "malformed":
      return { status: 400, body: validationBody(refusal.errors) };
    case "invalid":
      return { status: 422, body: validationBody(refusal.errors) };
    case "unsupported_media_type":
      return { status: 415, body: validationBody(refusal.errors) };
    case "unauthenticated":
      return envelope(
        401,
        "authentication_error",
        UNAUTHENTICATED[refusal.wanted][refusal.reason],
        { "WWW-Authenticate": "Bearer" },
      );
    case "subscription_required":
      return envelope(402, "subscription_required", "The team has no active subscription.");
    case "ip_not_allowed":
      return envelope(403, "permission_error", "The API key may not be used from this IP address.");
    case "ip_blocked":
      return envelope(
        403,
        "permission_error",
        "Too many failed authentications from this IP address. A valid key still works; others are refused until Retry-After has passed.",
        {
          "Retry-After": String(refusal.retryAfterSeconds),
        },
      );
    case "not_permitted":
      return envelope(
        403,
        "permission_error",
        "The API key is limited to sending; this endpoint needs a key with `full` permissions.",
      );
    case "not_found":
      return envelope(404, "not_found", "There is nothing here by that name.");
    case "no_such_endpoint":
      return envelope(404, "not_found", noSuchEndpoint(refusal));
    case "method_not_allowed":
      return envelope(405, "method_not_allowed", `This path answers ${refusal.allow.join(", ")}.`, {
        Allow: refusal.allow.join(", "),
      });
    case "payload_too_large":
      return {
        status: 413,
        body: JSON.stringify({ error: "payload_too_large" }),
        headers: { Connection: "close" },
      };
    case "rate_limited":
      return {
        status: 429,
        body: JSON.stringify({
          error: "rate_limit_exceeded",
          message: "Too many requests in this second; retry after 1 second with lower concurrency.",
        }),
        headers: { "Retry-After": "1" },
      };
    case "quota_exceeded":
      return {
        status: 429,
        body: JSON.stringify({ error: "quota_exceeded", ...quotaFacts(refusal.quota) }),
        headers: { "Retry-After": String(refusal.quota.retryAfterSeconds) },
      };
    case "idempotency_concurrent":
      return envelope(
        409,
        "idempotency_concurrent",
        "A request with this Idempotency-Key is still in progress.",
      );
    case "idempotency_mismatch":
      return envelope(
        422,
        "idempotency_mismatch",
        "This Idempotency-Key was used with a different request.",
      );
    case "webhook_rotation_in_progress":
      return envelope(
        409,
        "webhook_rotation_in_progress",
        "The previous secret is still honored; rotate again when its 24 hours are over.",
      );
    case "pipeline_unavailable":
      return envelope(
        502,
        "internal_error",
        "The message could not be taken; nothing was sent. Retry with backoff.",
      );
    case "provisioning_failed":
      return envelope(
        503,
        "provisioning_error",
        "The domain's records could not be published; nothing was created. Retry with backoff.",
      );
  }
}

function noSuchEndpoint({
  method,
  path,
  nearest,
}: Extract<Refusal, { code: "no_such_endpoint" }>): string {
  const shown = path.length > PATH_CHARACTERS ? `${path.slice(0, PATH_CHARACTERS)}...` : path;
  return `No such endpoint: ${method} ${shown}.${nearest === undefined ? "" : ` Did you mean ${nearest}?`}`;
}

function envelope(
  status: ContentfulStatusCode,
  type: string,
  message: string,
  headers: Readonly<Record<string, string>> = {},
): Rendered {
  return { status, body: errorBody(type, message), headers };
}
