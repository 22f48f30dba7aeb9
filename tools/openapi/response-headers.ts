// The response headers in the OpenAPI document, and which endpoints can answer with them
// (contract.md §Response headers).
import type { Endpoint } from "../../src/endpoint.ts";
import type { Json } from "./schemas.ts";

const text = { type: "string" };
const count = { type: "integer", minimum: 0 };

interface Header {
  readonly description: string;
  readonly schema: Json;
  /** True: the responses that list this header always have it. */
  readonly required?: true;
}

export const HEADERS: Readonly<Record<string, Header>> = {
  "X-Request-Id": {
    description: "The request's id, `req_<uuidv7>`. Quote it to the operator of the service.",
    required: true,
    schema: { type: "string", pattern: "^req_[0-9a-f-]{36}$" },
  },
  "RateLimit-Limit": {
    description: "Number of requests a second that the team may make.",
    schema: count,
  },
  "RateLimit-Remaining": {
    description: "Number of requests that may still be made at once.",
    schema: count,
  },
  "RateLimit-Reset": {
    description: "Seconds until the full number of requests may be made at once again.",
    schema: count,
  },
  "Retry-After": { description: "Seconds to wait.", schema: count },
  "WWW-Authenticate": {
    description: "The scheme to use.",
    required: true,
    schema: { const: "Bearer" },
  },
  "X-Ignored-Members": {
    description:
      "Present when the body has members that the endpoint does not know. Lists their dotted " +
      "paths, sorted, in at most 512 bytes. `+2` at the end counts members that are left out " +
      "because their path is longer than 64 characters, has characters other than `A-Z a-z " +
      "0-9 _ . -`, or does not fit.",
    schema: text,
  },
  "X-Ignored-Parameters": {
    description:
      "Present when the query has parameters that the endpoint does not know. Lists their " +
      "names in the form of `X-Ignored-Members`.",
    schema: text,
  },
  "X-Missing-Variables": {
    description:
      "Present when a template uses variables that are in neither the send's `variables` nor " +
      "the template's `fallbacks`. Lists their names in the form of `X-Ignored-Members`; in a " +
      "batch, each name begins with its entry (`emails.3.name`). The message is sent " +
      "nevertheless.",
    schema: text,
  },
  "X-Unmatched-Content-Ids": {
    description:
      "Present when the HTML has a `cid:` URL without an attachment (`html.<id>`), or an " +
      "attachment has a `content_id` that no `cid:` URL names (`attachments.0.content_id`), in " +
      "the form of `X-Ignored-Members`. The message is sent nevertheless.",
    schema: text,
  },
  ETag: {
    description:
      "Names the state of what a change of the resource replaces. Send it as `If-Match` with the " +
      "change, which then is made only if the resource is still in that state.",
    required: true,
    schema: text,
  },
  "Idempotent-Replayed": {
    description: "Present when the response repeats an earlier one.",
    schema: { const: "true" },
  },
};

export const RATE_HEADERS = ["RateLimit-Limit", "RateLimit-Remaining", "RateLimit-Reset"] as const;

/**
 * The headers that name ignored members of the request, or template variables without a value
 * (api/warnings.ts).
 */
export function warningHeaders({
  body,
  admitsItself,
}: Pick<Endpoint, "body" | "admitsItself">): string[] {
  return [
    "X-Ignored-Parameters",
    ...(body ? ["X-Ignored-Members"] : []),
    ...(admitsItself ? ["X-Missing-Variables", "X-Unmatched-Content-Ids"] : []),
  ];
}
