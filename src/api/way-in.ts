// Takes every request in: runs its steps in order, and builds its response at once, with all of its
// headers. A step that need not wait makes no promise: promises, and changes of a response that is
// made already, would cost a send more than its checks do (bench/README.md §accept).
import type { Context, Handler } from "hono";
import type { HttpReply } from "../endpoint.ts";
import { uuidv7 } from "../lib/ids.ts";
import type { ApiContext, RequestStep } from "./api-context.ts";
import { limitBody } from "./body-limit.ts";
import { errorReply, JSON_TYPE, renderError } from "./errors.ts";
import { observeResponse } from "./observe.ts";

/** Paths whose answers are neither cached nor sniffed. */
const API_PATH = /^\/(?:v1|admin|mcp|healthz|console\/session)(?:\/|$)/;

/** Serves an endpoint, whose bodies are of the `type`: first its steps, then `serve`. */
export function takeIn(
  steps: readonly RequestStep[],
  serve: (c: Context<ApiContext>) => Promise<HttpReply>,
  type = JSON_TYPE,
): Handler<ApiContext> {
  const all = [limitBody, ...steps];
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
      const { status, body, headers } = errorReply(error, c.get("requestId"));
      reply = { status, body, headers: { "Content-Type": JSON_TYPE, ...headers } };
    }
    observeResponse(c, reply.status);
    const body = reply.stream ?? reply.body ?? null;
    const headers = headersOf(c);
    if (body !== null) headers["Content-Type"] = type;
    // A spread of several objects calls the engine's runtime for each header.
    for (const name in reply.headers) headers[name] = reply.headers[name] ?? "";
    return new Response(body, { status: reply.status, headers });
  };
}

/** Serves a page, which builds its response itself. */
export function takePage(serve: Handler<ApiContext>): Handler<ApiContext> {
  return async (c, next) => {
    begin(c);
    let response: Response;
    try {
      await limitBody(c);
      response = (await serve(c, next)) as Response;
    } catch (error) {
      response = renderError(error, c.get("requestId"));
    }
    observeResponse(c, response.status);
    for (const [name, value] of Object.entries(headersOf(c))) response.headers.set(name, value);
    return response;
  };
}

function begin(c: Context<ApiContext>): void {
  const now = Date.now();
  c.set("now", now);
  c.set("requestId", `req_${uuidv7(now)}`);
  c.set("headers", c.req.raw.headers);
  c.set("answerHeaders", {});
}

/**
 * The headers that do not depend on the answer (contract.md §Response headers): those that steps
 * and notes asked for, X-Request-Id, which a fault's log line names too, and on everything but
 * pages those that forbid caching and type sniffing.
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
