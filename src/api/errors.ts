// The error table gives each refusal its status, type and message, and one renderer writes all
// refusals (contract.md §Errors). Any other error is a fault. The worker logs a fault with the
// request id, and answers 500 without details. If a database did not answer, the worker answers
// 502, because the same request may succeed later.
import type { ContentfulStatusCode } from "hono/utils/http-status";
import { isDatabaseAway } from "../db/database-away.ts";
import { errorBody, validationBody } from "../lib/error-envelope.ts";
import { toQuotaError } from "../ledger/admission/quota-error.ts";
import { SCHEMA_MISSING } from "../lib/error-fixes.ts";
import { hintFor, logError } from "../lib/log.ts";
import { ACCEPTANCE_UNKNOWN, type Refusal, RefusalError } from "../refusal.ts";

interface Rendered {
  readonly status: ContentfulStatusCode;
  readonly body: string;
  readonly headers?: Readonly<Record<string, string>>;
}

const LINK_OVER =
  "The link was used, is older than 10 minutes, or is not valid: sign in with an API key.";
const NO_SESSION = "The console has no session here: sign in with `POST /console/session`.";

const UNAUTHENTICATED = {
  api_key: {
    missing: "An API key is required: send `Authorization: Bearer <API_KEY>`.",
    unknown: "The API key is not valid.",
  },
  admin_token: {
    missing: "The admin token is required: send `Authorization: Bearer <ADMIN_TOKEN>`.",
    unknown:
      "The admin token is not valid: /admin takes the ADMIN_TOKEN of this deployment, not an " +
      "API key.",
  },
  console_link: { missing: LINK_OVER, unknown: LINK_OVER },
  console_session: { missing: NO_SESSION, unknown: NO_SESSION },
  access_assertion: {
    missing: "Sign in through Cloudflare Access first: open the console at its own address.",
    unknown: "This sign-in is over or was used already: sign out of Access, and sign in again.",
  },
} as const;

const NOT_A_MEMBER = {
  removed: "You are not a member of this team any more: ask an owner of the team.",
  uninvited: "You are a member of no team here: ask an owner of a team for an invitation.",
  invitation_over: "The invitation was used or withdrawn, or is over: ask an owner for another.",
  other_address: "The invitation is for another address than the one that you signed in with.",
} as const;

/** Messages that explain why a message can be neither canceled nor rescheduled. */
const NOT_WAITING = {
  released: "The message does not wait any more: it was released at its `scheduled_at`.",
  canceled:
    "The message does not wait any more: it was canceled, and a cancelation can't be undone.",
  unscheduled: "The message was never scheduled: it was sent without `scheduled_at`.",
} as const;

/** Phrases that explain why the content of a message can't be read. `until`: Unix milliseconds. */
const NOT_KEPT = {
  unwanted: () => "the team's `content_days` is 0",
  sensitive: () => "the message is sensitive",
  canceled: () => "the message was canceled",
  absent: () => "it was sensitive, or the team kept no content when it was sent",
  expired: (until = 0) => `it was kept until ${new Date(until).toISOString()}`,
} as const;

/** Maximum number of characters of an unknown path that the error quotes. */
const PATH_CHARACTERS = 200;

const FAULT = envelope(
  500,
  "internal_error",
  "Something went wrong on our side. The error has been logged under this response's X-Request-Id.",
);

/**
 * An entry of the table is a fixed answer, or a function that makes the answer from the refusal's
 * details.
 */
type Answers = {
  readonly [Code in Refusal["code"]]:
    | Rendered
    | ((refusal: Extract<Refusal, { code: Code }>) => Rendered);
};

const ANSWERS: Answers = {
  malformed: ({ errors }) => ({ status: 400, body: validationBody(errors) }),
  invalid: ({ errors }) => ({ status: 422, body: validationBody(errors) }),
  unsupported_media_type: ({ errors }) => ({ status: 415, body: validationBody(errors) }),
  unauthenticated: ({ wanted, reason }) =>
    envelope(401, "authentication_error", UNAUTHENTICATED[wanted][reason], {
      "WWW-Authenticate": "Bearer",
    }),
  subscription_required: envelope(
    402,
    "subscription_required",
    "The team has no active subscription.",
  ),
  foreign_page: forbidden(
    "Only a page of this origin may sign in and out: `Origin` or `Sec-Fetch-Site` must show " +
      "that the request comes from this origin.",
  ),
  foreign_origin: forbidden(
    "A page of another origin may not send this request: omit `Origin`, or send this " +
      "deployment's own.",
  ),
  https_required: forbidden(
    "The console's session needs https: open the console at its https address.",
  ),
  ip_not_allowed: forbidden("The API key may not be used from this IP address."),
  ip_blocked: ({ retryAfterSeconds }) =>
    forbidden(
      "Too many failed authentications from this IP address. A valid key still works; " +
        "others are refused until Retry-After has passed.",
      { "Retry-After": String(retryAfterSeconds) },
    ),
  not_permitted: forbidden(
    "The API key is limited to sending; this endpoint needs a key with `full` permissions.",
  ),
  role_not_permitted: ({ role }) =>
    forbidden(
      `Your role in this team is ${role}, which does not include this: ask an owner of the team.`,
    ),
  not_a_member: ({ reason }) => forbidden(NOT_A_MEMBER[reason]),
  keys_do_not_sign_in: forbidden(
    "An API key can't sign in to this console: sign in as a person, through Cloudflare Access.",
  ),
  access_unavailable: envelope(
    503,
    "provisioning_error",
    "Cloudflare Access does not answer, so a new sign-in has to wait. Open sessions work on.",
  ),
  not_found: envelope(
    404,
    "not_found",
    "No resource with this id or name was found. A key sees only the resources of its team.",
  ),
  content_not_kept: ({ reason, until }) =>
    envelope(
      404,
      "not_found",
      `The content of this message is not kept: ${NOT_KEPT[reason](until)}.`,
    ),
  no_such_endpoint: (refusal) => envelope(404, "not_found", noSuchEndpoint(refusal)),
  method_not_allowed: ({ allow }) => {
    const methods = allow.join(", ");
    return envelope(405, "method_not_allowed", `This path accepts only ${methods}.`, {
      Allow: methods,
    });
  },
  payload_too_large: {
    status: 413,
    body: JSON.stringify({ error: "payload_too_large" }),
    headers: { Connection: "close" },
  },
  rate_limited: {
    status: 429,
    body: JSON.stringify({
      error: "rate_limit_exceeded",
      message: "Too many requests in this second; retry after 1 second with lower concurrency.",
    }),
    headers: { "Retry-After": "1" },
  },
  overloaded: {
    status: 429,
    body: JSON.stringify({
      error: "rate_limit_exceeded",
      message:
        "The team's requests arrive faster than they can be stored, and this request was refused; " +
        "retry after 1 second with lower concurrency.",
    }),
    headers: { "Retry-After": "1" },
  },
  quota_exceeded: ({ quota }) => ({
    status: 429,
    body: JSON.stringify({ error: "quota_exceeded", ...toQuotaError(quota) }),
    headers: { "Retry-After": String(quota.retryAfterSeconds) },
  }),
  idempotency_concurrent: envelope(
    409,
    "idempotency_concurrent",
    "A request with this Idempotency-Key is still in progress.",
  ),
  idempotency_mismatch: envelope(
    422,
    "idempotency_mismatch",
    "This Idempotency-Key was used with a different request.",
  ),
  precondition_failed: ({ etag }) =>
    envelope(
      412,
      "precondition_failed",
      "The resource was changed after it was read, and nothing was written: read it again, and " +
        "send the change with its current `ETag`.",
      { ETag: etag },
    ),
  not_cancelable: ({ reason }) => envelope(409, "not_cancelable", NOT_WAITING[reason]),
  webhook_rotation_in_progress: envelope(
    409,
    "webhook_rotation_in_progress",
    "The previous secret is still honored; rotate again when its 24 hours are over.",
  ),
  pipeline_unavailable: envelope(
    502,
    "internal_error",
    "The message was not accepted because of a fault on our side, and nothing was sent. " +
      "Retry with backoff.",
  ),
  acceptance_unknown: envelope(502, "internal_error", ACCEPTANCE_UNKNOWN),
  storage_unavailable: envelope(
    502,
    "internal_error",
    "The request could not be answered because of a fault on our side. Retry with backoff.",
  ),
  provisioning_failed: ({ reason }) =>
    envelope(
      503,
      "provisioning_error",
      "The domain's DNS records could not be published, and nothing was created. " +
        (reason === null ? "" : `The operator's DNS refused them: ${reason}. `) +
        "Retry with backoff.",
    ),
};

export const JSON_TYPE = "application/json";

/** Turns an error that a handler threw into a response. `requestId` appears in the log only. */
export function renderError(error: unknown, requestId: string): Response {
  const { status, body, headers } = errorReply(error, requestId);
  return new Response(body, {
    status,
    headers: { "Content-Type": JSON_TYPE, ...headers },
  });
}

/**
 * Turns an error that a handler threw into an answer's parts, for callers that build the response
 * themselves.
 */
export function errorReply(error: unknown, requestId: string): Rendered {
  const { headers, ...rendered } = withSchemaHint(render(refusalOf(error, requestId)), error);
  return {
    ...rendered,
    headers: { ...headers, ...(error instanceof RefusalError ? error.headers : {}) },
  };
}

function refusalOf(error: unknown, requestId: string): Refusal | "fault" {
  if (error instanceof RefusalError) {
    if (error.cause !== undefined)
      logError("pipeline_unavailable", error.cause, { request_id: requestId });
    return error.refusal;
  }
  logError("fault", error, { request_id: requestId });
  return isDatabaseAway(error) ? { code: "storage_unavailable" } : "fault";
}

function render(refusal: Refusal | "fault"): Rendered {
  if (refusal === "fault") return FAULT;
  const answer = ANSWERS[refusal.code] as Rendered | ((refusal: Refusal) => Rendered);
  return typeof answer === "function" ? answer(refusal) : answer;
}

/** Adds how the operator applies missing migrations, if the error came from missing tables. */
function withSchemaHint(rendered: Rendered, error: unknown): Rendered {
  const hint = hintFor(error);
  if (hint?.startsWith(SCHEMA_MISSING) !== true) return rendered;
  const { error: fault } = JSON.parse(rendered.body) as {
    error: { type: string; message: string };
  };
  const message = `${fault.message} For the operator: ${hint}.`;
  return { ...rendered, body: errorBody(fault.type, message) };
}

function noSuchEndpoint({
  method,
  path,
  nearest,
}: Extract<Refusal, { code: "no_such_endpoint" }>): string {
  const shown = path.length > PATH_CHARACTERS ? `${path.slice(0, PATH_CHARACTERS)}...` : path;
  return (
    `No such endpoint: ${method} ` +
    `${shown}.${nearest === undefined ? "" : ` Did you mean ${nearest}?`}`
  );
}

function forbidden(message: string, headers?: Readonly<Record<string, string>>): Rendered {
  return envelope(403, "permission_error", message, headers);
}

function envelope(
  status: ContentfulStatusCode,
  type: string,
  message: string,
  headers: Readonly<Record<string, string>> = {},
): Rendered {
  return { status, body: errorBody(type, message), headers };
}
