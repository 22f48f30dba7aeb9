// The response headers in the OpenAPI document, and which of them an endpoint can answer with
// (contract.md §Response headers).
import type { Endpoint } from "../../src/endpoint.ts";
import type { Json } from "./schemas.ts";

const text = { type: "string" };
const count = { type: "integer", minimum: 0 };

interface Header {
  readonly description: string;
  readonly schema: Json;
  /** True: every response that lists the header has it. */
  readonly required?: true;
}

export const HEADERS: Readonly<Record<string, Header>> = {
  "X-Request-Id": {
    description: "The request's id, `req_<uuidv7>`. Quote it to the operator of the service.",
    required: true,
    schema: { type: "string", pattern: "^req_[0-9a-f-]{36}$" },
  },
  "RateLimit-Limit": { description: "Requests a second that the team may make.", schema: count },
  "RateLimit-Remaining": { description: "Requests that may still be made at once.", schema: count },
  "RateLimit-Reset": { description: "Seconds until all of them may be made again.", schema: count },
  "Retry-After": { description: "Seconds to wait.", schema: count },
  "WWW-Authenticate": {
    description: "The scheme to use.",
    required: true,
    schema: { const: "Bearer" },
  },
  "X-Ignored-Members": {
    description:
      "Present when the body has members that the endpoint does not know: their dotted " +
      "paths, sorted, at most 512 bytes. " +
      "`+2` at the end counts members that are left out because their path is longer than 64 " +
      "characters, has characters other than `A-Z a-z 0-9 _ . -`, or does not fit.",
    schema: text,
  },
  "X-Ignored-Parameters": {
    description:
      "Present when the query has parameters that the endpoint does not know: their names, " +
      "as in `X-Ignored-Members`.",
    schema: text,
  },
  "X-Missing-Variables": {
    description:
      "Present when a template uses variables that neither the send's `variables` nor the " +
      "template's `fallbacks` have: their names, as in `X-Ignored-Members`, in a batch with their entry (`emails.3.name`). " +
      "The message is sent all the same.",
    schema: text,
  },
  "Idempotent-Replayed": {
    description: "Present when the response repeats an earlier one.",
    schema: { const: "true" },
  },
};

export const RATE_HEADERS = ["RateLimit-Limit", "RateLimit-Remaining", "RateLimit-Reset"] as const;

/**
 * The headers that list names which the request had and the service ignored, or which it needed and
 * did not find (api/warnings.ts).
 */
export function warningHeaders({
  body,
  admitsItself,
}: Pick<Endpoint, "body" | "admitsItself">): string[] {
  return [
    "X-Ignored-Parameters",
    ...(body ? ["X-Ignored-Members"] : []),
    ...(admitsItself ? ["X-Missing-Variables"] : []),
  ];
}
