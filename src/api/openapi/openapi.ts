// GET /openapi.json serves the OpenAPI 3.1 document. It is generated from the endpoints table and
// its zod schemas, so that it can't disagree with the routes. It needs no credentials. An isolate
// makes it on the first request, not at its start.
import type { Context } from "hono";
import type { Endpoint } from "../../endpoint.ts";
import { BoundedCache } from "../../lib/bounded-cache.ts";
import { sha256Hex } from "../../lib/crypto/crypto.ts";
import { HOUR_MS } from "../../limits.ts";
import type { ApiContext } from "../api-context.ts";
import { ERROR_SCHEMAS, type ErrorResponse } from "./openapi-errors.ts";
import { EXAMPLES } from "./openapi-examples.ts";
import {
  OPERATOR_ROOM,
  operationIdOf,
  roomName,
  roomOf,
  ROOMS,
  templatedPath,
} from "./openapi-names.ts";
import { errorResponse, operationOf } from "./openapi-operation.ts";
import { COMPONENT, type Json, schemaRegistry } from "./openapi-schemas.ts";
import { WEBHOOK_SCHEMAS, webhooksSection } from "./openapi-webhooks.ts";
import { settingsOf } from "../../settings.ts";
import { HEADERS } from "./openapi-headers.ts";
import { DESCRIPTION, HEALTH, LICENSE, SECURITY_SCHEMES, TITLE, VERSION } from "./openapi-text.ts";

const CACHE_SECONDS = 300;
/** A deployment has one or two origins; a client can ask by any Host. */
const ORIGINS_CACHED = 4;

interface Served {
  readonly text: string;
  readonly etag: string;
}

/**
 * Makes the document without the parts that depend on the requested origin. `headerPrefix`: the
 * operator's HEADER_PREFIX.
 */
export function openApiDocument(endpoints: readonly Endpoint[], headerPrefix: string): Json {
  const published = endpoints.filter(isPublished);
  const registry = schemaRegistry(published, WEBHOOK_SCHEMAS);
  const paths: Record<string, Json> = {};
  const errors = new Map<string, ErrorResponse>();
  for (const endpoint of published) {
    const { operation, errors: found } = operationOf(
      endpoint,
      registry,
      EXAMPLES[operationIdOf(endpoint)],
    );
    (paths[templatedPath(endpoint.path)] ??= {})[endpoint.method.toLowerCase()] = operation;
    for (const error of found) errors.set(error.name, error);
  }
  paths["/healthz"] = { get: HEALTH };
  const responses = Object.fromEntries(
    [...errors].map(([name, error]) => [name, errorResponse(error)]),
  );
  const used = JSON.stringify([paths, responses]);
  return {
    openapi: "3.1.0",
    info: { title: TITLE, version: VERSION, license: LICENSE, description: DESCRIPTION },
    ...tagsOf(published),
    paths,
    webhooks: webhooksSection(headerPrefix),
    components: {
      securitySchemes: SECURITY_SCHEMES,
      headers: HEADERS,
      schemas: {
        ...registry.components,
        ...Object.fromEntries(
          Object.entries(ERROR_SCHEMAS).filter(([name]) => used.includes(`${COMPONENT}${name}"`)),
        ),
      },
      responses,
    },
  };
}

/** Adds the parts of the document that name the origin. */
function atOrigin(document: Json, origin: string): Json {
  const contact = { name: "The operator of this service", url: origin };
  return {
    ...document,
    info: { ...(document["info"] as Json), contact },
    servers: [{ url: origin }],
  };
}

/** Returns the handler of GET /openapi.json. */
export function serveOpenApi(
  endpoints: readonly Endpoint[],
): (c: Context<ApiContext>) => Promise<Response> {
  const cache = new BoundedCache<Served>(ORIGINS_CACHED, HOUR_MS);
  let document: Json | undefined;
  return async (c) => {
    const { origin } = new URL(c.req.url);
    let served = cache.get(origin, c.get("now"));
    if (!served) {
      const text = JSON.stringify(
        atOrigin((document ??= openApiDocument(endpoints, settingsOf(c.env).headerPrefix)), origin),
      );
      served = { text, etag: `"${(await sha256Hex(text)).slice(0, 32)}"` };
      cache.set(origin, served, c.get("now"));
    }
    const headers = { ETag: served.etag, "Cache-Control": `public, max-age=${CACHE_SECONDS}` };
    if (hasTag(c.req.header("If-None-Match"), served.etag))
      return new Response(null, { status: 304, headers });
    return new Response(served.text, {
      headers: { ...headers, "Content-Type": "application/json" },
    });
  };
}

function isPublished({ internal, permission }: Endpoint): boolean {
  return !internal && permission !== "gateway";
}

/**
 * Lists the tag of every room that has an endpoint, those of ROOMS first and in their order. The
 * operator's tag is in a group of its own, which Scalar collapses.
 */
function tagsOf(endpoints: readonly Endpoint[]): Json {
  const present = new Set([
    ...endpoints.map(({ path }) => roomOf(path)),
    "webhooks",
    OPERATOR_ROOM,
  ]);
  const rooms = new Set([...Object.keys(ROOMS).filter((room) => present.has(room)), ...present]);
  const namesOf = (group: readonly string[]): string[] => group.map((room) => roomName(room).name);
  return {
    tags: [...rooms].map((room) => ({ ...roomName(room) })),
    "x-tagGroups": [
      { name: "API", tags: namesOf([...rooms].filter((room) => room !== OPERATOR_ROOM)) },
      { name: "For the operator", tags: namesOf([OPERATOR_ROOM]) },
    ],
  };
}

function hasTag(header: string | undefined, etag: string): boolean {
  return (
    header !== undefined &&
    header.split(",").some((tag) => [etag, `W/${etag}`, "*"].includes(tag.trim()))
  );
}
