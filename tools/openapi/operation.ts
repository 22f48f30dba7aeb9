// Turns one endpoint of the table into an OpenAPI operation: its parameters, its body, and every
// response that it can give.
import type * as z from "zod";
import type { Endpoint } from "../../src/endpoint.ts";
import { IDEMPOTENCY_KEY_BYTES, LIST_LIMIT_DEFAULT, LIST_LIMIT_MAX } from "../../src/limits.ts";
import { type ErrorResponse, errorSchema, errorsOf, hasRate } from "./error-responses.ts";
import { operationIdOf, pathParameters, sectionName, sectionOf } from "./names.ts";
import { deriveExample } from "./derive-example.ts";
import type { Example } from "./examples.ts";
import { warningHeaders, RATE_HEADERS } from "./response-headers.ts";
import { type Json, membersOf, type SchemaRegistry } from "./schemas.ts";

const SUCCESSES: Readonly<Record<number, string>> = {
  200: "Done.",
  201: "Created.",
  202: "Accepted.",
  204: "The request succeeded. The response has no body.",
  207: "Some items were queued, some failed.",
};

const ACCEPTED_MESSAGE = "Accepted for delivery. Events report whether it is delivered.";

const BEARER: Readonly<Record<string, string>> = {
  operator: "operatorToken",
  full: "apiKey",
  send: "apiKey",
};

const PERMISSIONS: Readonly<Record<string, string>> = {
  full: "Needs a key with `full` permissions.",
  send: "Needs any key.",
  owner: "Needs the console's session of an owner of the team.",
  operator: "Needs the operator's token.",
  console: "Only a page of the same origin may sign in and out.",
};

export function operationOf(endpoint: Endpoint, registry: SchemaRegistry, example: Example = {}) {
  const errors = errorsOf(endpoint);
  const bearer = BEARER[endpoint.permission];
  const operation: Json = {
    operationId: operationIdOf(endpoint),
    summary: endpoint.summary,
    description: [endpoint.description, PERMISSIONS[endpoint.permission]]
      .filter((text) => text !== undefined)
      .join("\n\n"),
    tags: [sectionName(sectionOf(endpoint.path)).name],
    security: bearer === undefined ? [] : [{ [bearer]: [] }],
    parameters: parametersOf(endpoint),
    ...requestBody(endpoint, registry, example),
    responses: {
      ...successes(endpoint, registry, example),
      ...failures(endpoint, errors, registry),
    },
  };
  return {
    operation,
    /** The errors in `components.responses` that the operation refers to. */
    errors: errors.filter(({ status }) => endpoint.responses[status] === undefined),
  };
}

function parametersOf(endpoint: Endpoint): Json[] {
  const path = pathParameters(endpoint.path).map((parameter) => ({
    ...parameter,
    in: "path",
    required: true,
    schema: { type: "string" },
  }));
  const query = endpoint.query
    ? membersOf(endpoint.query).map((member) => ({ in: "query", ...toParameter(member) }))
    : [];
  const aliases = Object.entries(endpoint.queryAliases ?? {}).map(([alias, name]) =>
    aliasOf(alias, name, query),
  );
  return [
    ...path,
    ...query,
    ...aliases,
    ...(endpoint.paginated ? PAGE_PARAMETERS : []),
    ...(endpoint.admitsItself ? [IDEMPOTENCY_KEY] : []),
    ...(endpoint.etag === "write" ? [IF_MATCH] : []),
  ];
}

function aliasOf(alias: string, name: string, parameters: readonly Json[]): Json {
  const original = parameters.find((parameter) => parameter["name"] === name);
  return {
    ...original,
    name: alias,
    deprecated: true,
    description: `An alias of \`${name}\`, used when that parameter is absent.`,
  };
}

const PAGE_PARAMETERS: readonly Json[] = [
  {
    name: "limit",
    in: "query",
    description: "How many items a page has at most.",
    schema: { type: "integer", minimum: 1, maximum: LIST_LIMIT_MAX, default: LIST_LIMIT_DEFAULT },
  },
  {
    name: "after",
    in: "query",
    description:
      "The `next_cursor` of the previous page. An opaque text: do not parse or build it.",
    schema: { type: "string" },
  },
];

const IDEMPOTENCY_KEY: Json = {
  name: "Idempotency-Key",
  in: "header",
  description:
    "A repeated request with the same key and body within 24 hours gets the first response " +
    "again, and nothing is sent twice.",
  schema: { type: "string", minLength: 1, maxLength: IDEMPOTENCY_KEY_BYTES, pattern: "^[ -~]+$" },
  example: "receipt-4711",
};

const IF_MATCH: Json = {
  name: "If-Match",
  in: "header",
  description:
    "The resource's `ETag` as it was read. The change is made only if the resource still has it; " +
    "otherwise the answer is 412. Absent: the change is made in any case.",
  schema: { type: "string" },
};

function toParameter({ name, schema, required }: ReturnType<typeof membersOf>[number]): Json {
  const { description, ...rest } = schema;
  return {
    name,
    ...(typeof description === "string" ? { description } : {}),
    ...(required ? { required } : {}),
    schema: rest,
  };
}

function requestBody(endpoint: Endpoint, registry: SchemaRegistry, { request }: Example): Json {
  const type = endpoint.accepts ?? "application/json";
  const schema = endpoint.body ? registry.request(endpoint.body) : { type: "string" };
  if (!endpoint.body && !endpoint.accepts) return {};
  const example = endpoint.body ? deriveExample(registry.components, schema, request) : request;
  return {
    requestBody: {
      required: !endpoint.optionalBody,
      content: { [type]: { schema, ...(example === undefined ? {} : { example }) } },
    },
  };
}

function successes(endpoint: Endpoint, registry: SchemaRegistry, example: Example): Json {
  const rated = hasRate(endpoint) ? RATE_HEADERS : [];
  const headers = headerRefs([
    "X-Request-Id",
    ...rated,
    ...warningHeaders(endpoint),
    ...(endpoint.admitsItself ? ["Idempotent-Replayed"] : []),
  ]);
  return Object.fromEntries(
    Object.entries(endpoint.responses)
      .filter(([status]) => Number(status) < 400)
      .map(([status, schema]) => {
        const content =
          schema === null ? {} : { content: contentOf(endpoint, schema, registry, example) };
        const tag = endpoint.etag && schema !== null ? headerRefs(["ETag"]) : {};
        const description =
          endpoint.admitsItself && status === "202" ? ACCEPTED_MESSAGE : SUCCESSES[Number(status)];
        return [
          status,
          { description: description ?? "Done.", headers: { ...headers, ...tag }, ...content },
        ];
      }),
  );
}

function contentOf(
  endpoint: Endpoint,
  schema: z.ZodType,
  registry: SchemaRegistry,
  { response }: Example,
): Json {
  if (endpoint.produces)
    return {
      [endpoint.produces]: {
        schema: { type: "string", ...(isBinary(endpoint) && { format: "binary" }) },
        ...(response === undefined ? {} : { example: response }),
      },
    };
  const one = registry.response(schema);
  const body = deriveExample(registry.components, one, response);
  const example = endpoint.paginated ? { data: [body], has_more: false, next_cursor: null } : body;
  return {
    "application/json": { schema: endpoint.paginated ? listOf(one) : one, example },
  };
}

function isBinary({ produces }: Endpoint): boolean {
  return produces === "application/octet-stream" || produces === "message/rfc822";
}

/** Returns the schema of a list, as api/pagination.ts renders it. */
function listOf(item: Json): Json {
  return {
    type: "object",
    required: ["data", "has_more", "next_cursor"],
    properties: {
      data: { type: "array", items: item, description: "Newest first." },
      has_more: { type: "boolean" },
      next_cursor: {
        type: ["string", "null"],
        description: "The value of `after` for the next page; null on the last page.",
      },
    },
  };
}

/**
 * Describes an error inside the operation if the body may also have the endpoint's own form. Other
 * errors are components.
 */
function failures(
  endpoint: Endpoint,
  errors: readonly ErrorResponse[],
  registry: SchemaRegistry,
): Json {
  const shared = errors.map((error) => {
    const own = endpoint.responses[error.status];
    return [
      error.status,
      own
        ? errorResponse(error, [registry.response(own)])
        : { $ref: `#/components/responses/${error.name}` },
    ];
  });
  return Object.fromEntries(shared);
}

export function errorResponse(
  { description, schemas, headers }: ErrorResponse,
  others: readonly Json[] = [],
): Json {
  return {
    description,
    headers: headerRefs(headers),
    content: { "application/json": { schema: errorSchema(schemas, others) } },
  };
}

function headerRefs(names: readonly string[]): Json {
  return Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }]));
}
