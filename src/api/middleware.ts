// Receives every request, runs its steps in order, and builds the response once with all of its
// headers. A step that does not wait returns no promise. Promises, and changes to a finished
// response, would cost a send more than its checks do (tools/bench/README.md §accept).
import type { Context, Handler } from "hono";
import type { HttpReply } from "../endpoint.ts";
import { uuidv7 } from "../lib/ids.ts";
import { OPEN_BODY_BYTES } from "../limits.ts";
import type { ApiContext, RequestStep } from "./api-context.ts";
import { discardBody, bufferBody, limitBody } from "./body-limit.ts";
import { errorReply, JSON_TYPE } from "./errors.ts";
import { observeResponse } from "./observe/observe.ts";
import { recordRequest } from "./observe/record-request.ts";

/** Paths whose responses forbid caching and type sniffing. */
const API_PATH = /^\/(?:v1|admin|mcp|healthz|console\/session)(?:\/|$)/;

/** The checks that a request must pass before its endpoint or page runs. */
interface RequestChecks {
  /** The largest body in bytes. */
  readonly largest: number;
  /** Steps that authenticate the caller before the request's body is kept. */
  readonly judges: readonly RequestStep[];
}

interface EndpointChecks extends RequestChecks {
  readonly readsBody: boolean;
  /** Steps that run after the body was counted. */
  readonly steps: readonly RequestStep[];
}

/** Serves an endpoint that answers with the media type `type`: runs its steps, then `serve`. */
export function wrapEndpoint(
  { largest, judges, readsBody, steps }: EndpointChecks,
  serve: (c: Context<ApiContext>) => Promise<HttpReply>,
  type = JSON_TYPE,
): Handler<ApiContext> {
  const all = [limitBody(largest), ...judges, readsBody ? bufferBody : discardBody, ...steps];
  return async (c) => {
    begin(c);
    let reply: HttpReply;
    try {
      for (const step of all) {
        const waiting = step(c);
        if (waiting) await waiting;
      }
      reply = await serve(c);
    } catch (error) {
      const first = await firstError(c, error);
      const { status, body, headers } = errorReply(first, c.get("requestId"));
      reply = { status, body, headers: { "Content-Type": JSON_TYPE, ...headers } };
    }
    observeResponse(c, reply.status);
    if (c.get("recordsItself") !== true) recordRequest(c, reply.status, reply.body);
    const body = reply.stream ?? reply.body ?? null;
    const headers = headersOf(c);
    if (body !== null) headers["Content-Type"] = type;
    // The loop is faster than a spread of several objects, which calls the engine's runtime for
    // each header.
    for (const name in reply.headers) headers[name] = reply.headers[name] ?? "";
    return new Response(body, { status: reply.status, headers });
  };
}

/**
 * Serves a page that builds its own response. The body of a POST stays unread at first: the page
 * judges the request, then calls `bufferBody`.
 */
export function wrapHandler(
  serve: Handler<ApiContext>,
  { largest, judges }: RequestChecks = { largest: OPEN_BODY_BYTES, judges: [] },
): Handler<ApiContext> {
  const all = [limitBody(largest), ...judges];
  return async (c, next) => {
    begin(c);
    c.set("bufferBody", () => bufferBody(c));
    let response: Response;
    try {
      for (const step of all) await step(c);
      if (c.req.method !== "POST") await discardBody(c);
      response = (await serve(c, next)) as Response;
      await discardBody(c);
    } catch (error) {
      const first = await firstError(c, error);
      const { status, body, headers } = errorReply(first, c.get("requestId"));
      if (c.get("recordsItself") !== true) recordRequest(c, status, body);
      response = new Response(body, { status, headers: { "Content-Type": JSON_TYPE, ...headers } });
    }
    observeResponse(c, response.status);
    for (const [name, value] of Object.entries(headersOf(c))) response.headers.set(name, value);
    return response;
  };
}

/**
 * Returns the error that the client gets. The body's size is the first check (contract.md §Order of
 * checks), so it takes precedence over any other error.
 */
async function firstError(c: Context<ApiContext>, error: unknown): Promise<unknown> {
  try {
    await discardBody(c);
    return error;
  } catch (tooLarge) {
    return tooLarge;
  }
}

function begin(c: Context<ApiContext>): void {
  const now = Date.now();
  c.set("now", now);
  c.set("requestId", `req_${uuidv7(now)}`);
  c.set("arrived", c.req.raw);
  c.set("headers", c.req.raw.headers);
  c.set("answerHeaders", {});
}

/**
 * Returns the headers that do not depend on the answer (contract.md §Response headers): the headers
 * that steps and warnings set, and X-Request-Id, an id that is also in the log line of a fault.
 * Forbids caching and type sniffing, except for pages.
 */
function headersOf(c: Context<ApiContext>): Record<string, string> {
  const headers = c.get("answerHeaders");
  headers["X-Request-Id"] = c.get("requestId");
  if (API_PATH.test(c.req.path)) {
    headers["Cache-Control"] = "no-store";
    headers["X-Content-Type-Options"] = "nosniff";
  }
  return headers;
}
