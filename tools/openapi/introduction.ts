// The introduction of the OpenAPI document: the conventions of all endpoints (contract.md
// §Conventions, contract.md §Errors), and the health check.
import { IDEMPOTENCY_KEY_BYTES, LIST_LIMIT_DEFAULT, LIST_LIMIT_MAX } from "../../src/limits.ts";

export const TITLE = "Postern";

export const LICENSE = { name: "MIT", identifier: "MIT" } as const;

export const DESCRIPTION = `Transactional email over an HTTP JSON API. The same key works for SMTP submission (user \`service\`, password the key).

## Requests

Bodies are JSON with \`Content-Type: application/json\`, at most 5 MB, not compressed. A member or a query parameter that an endpoint does not know is ignored, and the response names it in \`X-Ignored-Members\` or \`X-Ignored-Parameters\`. Times are ISO 8601 in UTC.
Every request carries \`Authorization: Bearer <API_KEY>\`; only the console's own pages send a session instead. Every request sees only its key's team: another team's id is answered like an id that does not exist.

## Lists

Lists are sorted newest first and look like \`{data, has_more, next_cursor}\`. \`limit\` is ${LIST_LIMIT_DEFAULT} by default and at most ${LIST_LIMIT_MAX}; \`after\` takes the \`next_cursor\` of the page before.
A query parameter that is present but empty is a value like any other: \`limit=\` and \`after=\` are refused with 422.

## Errors

\`{"error": {"type", "message", "errors"?}}\`. With the type \`validation_error\`, \`errors\` maps dotted field paths (\`to.0\`, \`emails.3.subject\`) to messages. Two errors have a flat
body instead: 413, and 429. Every response carries \`X-Request-Id\`. An unknown path is answered with 404, a method that a path does not take with 405 and \`Allow\`.

## Rates and quotas

Requests a second are limited for each team, with a burst of twice as many; responses report the state in \`RateLimit-Limit\`, \`RateLimit-Remaining\` and \`RateLimit-Reset\`. A 429 without
\`scope\` is that limit: retry after \`Retry-After\`. A 429 with \`scope\` is a cap on messages (\`daily\`, \`monthly\`) or on distinct labels (\`tag_cardinality\`, \`topic_cardinality\`,
\`campaign_cardinality\`): nothing was accepted.

## Idempotency

A send with an \`Idempotency-Key\` (1 to ${IDEMPOTENCY_KEY_BYTES} printable ASCII characters) is done once in 24 hours: the same key with the same body gets the first response again, with
\`Idempotent-Replayed: true\`; with another body, 422 \`idempotency_mismatch\`; while the first is in progress, 409 \`idempotency_concurrent\`. A 429 or a 5xx is not stored: retry with the same key.

## Versions

The path prefix is the version. New members may appear in responses: ignore members that you do not know.`;

export const SECURITY_SCHEMES = {
  apiKey: { type: "http", scheme: "bearer", description: "An API key of the team, `ps_…`." },
  operatorToken: {
    type: "http",
    scheme: "bearer",
    description: "The operator's `ADMIN_TOKEN`, only for `/admin`.",
  },
} as const;

const HEALTH_BODY = {
  type: "object",
  required: ["status", "checks"],
  properties: {
    status: { type: "string", enum: ["ok", "failing"] },
    checks: {
      type: "object",
      description: "Name of a check → whether it passed.",
      additionalProperties: { type: "boolean" },
    },
    hints: {
      type: "object",
      description:
        "Name of a failed check → the command that repairs it, if one is known. Absent when all checks pass.",
      additionalProperties: { type: "string" },
    },
  },
} as const;

const HEALTH_HINT = "a table or column is missing: `npm run deploy` migrates the databases";

const healthResponse = (description: string, status: "ok" | "failing") => ({
  description,
  headers: { "X-Request-Id": { $ref: "#/components/headers/X-Request-Id" } },
  content: {
    "application/json": {
      schema: HEALTH_BODY,
      example: {
        status,
        checks: {
          settings: true,
          database: status === "ok",
          shard_0: true,
          queues: true,
          ledger: true,
        },
        ...(status === "ok" ? {} : { hints: { database: HEALTH_HINT } }),
      },
    },
  },
});

/** GET /healthz. It needs no credentials, so the table of endpoints does not have it. */
export const HEALTH = {
  operationId: "getHealth",
  summary: "Whether the database, the queues and the team objects answer",
  description: "Needs no credentials.",
  tags: ["Operator"],
  security: [],
  responses: {
    200: healthResponse("All of them answer.", "ok"),
    413: { $ref: "#/components/responses/PayloadTooLarge" },
    503: healthResponse("One does not.", "failing"),
  },
} as const;
