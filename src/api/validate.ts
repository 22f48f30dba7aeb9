// Bodies and queries against their schemas (wire.md "Errors"): 415 for what is not of the endpoint's type, 400 for a body that can't be read, 422 with
// dotted field paths for wrong fields. @hono/zod-validator runs the schema; this file only says what its findings become.
import { isUtf8 } from "node:buffer";
import { zValidator } from "@hono/zod-validator";
import type { MiddlewareHandler } from "hono";
import { createMiddleware } from "hono/factory";
import type * as z from "zod";
import type { Endpoint } from "../endpoint.ts";
import { type FieldErrors, RefusalError, refuse } from "../refusal.ts";
import type { ApiContext } from "./context.ts";
import { rateTaken } from "./permit.ts";

const TYPES = {
  "application/json": /^application\/(?:[a-z.-]+\+)?json\s*(?:;|$)/i,
  "text/csv": /^text\/csv\s*(?:;|$)/i,
  "application/octet-stream": /^application\/octet-stream\s*(?:;|$)/i,
} as const;

/** The middleware that an endpoint's schemas ask for, in order. */
export function validators(endpoint: Endpoint): MiddlewareHandler[] {
  const steps: MiddlewareHandler[] = endpoint.optionalBody ? [supplyBody] : [];
  const type = endpoint.accepts ?? (endpoint.body || endpoint.admitsItself ? "application/json" : undefined);
  if (type) steps.push(requireType(type, endpoint));
  if (endpoint.query) steps.push(zValidator("query", endpoint.query, refuseInvalid) as MiddlewareHandler);
  if (endpoint.body && !endpoint.admitsItself)
    steps.push(requireUtf8, zValidator("json", endpoint.body, refuseInvalid) as MiddlewareHandler);
  return steps;
}

const supplyBody = createMiddleware<ApiContext>(async (c, next) => {
  const { raw } = c.req;
  const isEmpty = !raw.body || (await raw.clone().arrayBuffer()).byteLength === 0;
  if (isEmpty) c.req.raw = new Request(raw.url, { method: raw.method, headers: { "Content-Type": "application/json" }, body: "{}" });
  await next();
});

/** A send that never gets as far as the ledger takes its rate here: the rate comes before whatever is wrong with a request. */
const requireType = (type: keyof typeof TYPES, { admitsItself, internal }: Endpoint) =>
  createMiddleware<ApiContext>(async (c, next) => {
    const errors = typeErrors(type, c.req.header("Content-Type") ?? "", c.req.header("Content-Encoding") ?? "identity");
    if (errors) {
      const headers = admitsItself && !internal ? await rateTaken(c) : {};
      throw new RefusalError({ code: "unsupported_media_type", errors }, headers);
    }
    await next();
  });

function typeErrors(type: keyof typeof TYPES, given: string, encoding: string): FieldErrors | undefined {
  if (!TYPES[type].test(given)) return { content_type: [`must be ${type}`] };
  return encoding.toLowerCase() === "identity" ? undefined : { content_encoding: ["a compressed body is not taken"] };
}

/** JSON is UTF-8 (RFC 8259 section 8.1); the parser would put U+FFFD where it is not. */
const requireUtf8 = createMiddleware<ApiContext>(async (c, next) => {
  if (!isUtf8(new Uint8Array(await c.req.arrayBuffer()))) throw refuse("malformed", { errors: { body: ["is not valid UTF-8"] } });
  await next();
});

function refuseInvalid(result: { success: boolean; error?: unknown }): void {
  if (result.success) return;
  const { issues } = result.error as z.ZodError;
  const errors = fieldErrors(issues);
  throw issues.some((issue) => issue.path.length === 0) ? refuse("malformed", { errors }) : refuse("invalid", { errors });
}

function fieldErrors(issues: readonly z.core.$ZodIssue[]): FieldErrors {
  const errors: FieldErrors = {};
  for (const issue of issues) {
    const path = issue.path.length === 0 ? "body" : issue.path.map(String).join(".");
    (errors[path] ??= []).push(issue.message);
  }
  return errors;
}
