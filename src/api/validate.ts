// Bodies and queries against their schemas (wire.md "Errors"): 415 for what is not of the endpoint's type, 400 for a body that can't be read, 422 with
// dotted field paths for wrong fields. @hono/zod-validator runs the schema; this file only says what its findings become.
import { zValidator } from "@hono/zod-validator";
import type { MiddlewareHandler } from "hono";
import { createMiddleware } from "hono/factory";
import type * as z from "zod";
import type { Endpoint } from "../endpoint.ts";
import { type FieldErrors, refuse } from "../refusal.ts";
import type { ApiContext } from "./context.ts";

const TYPES = {
  "application/json": /^application\/(?:[a-z.-]+\+)?json\s*(?:;|$)/i,
  "text/csv": /^text\/csv\s*(?:;|$)/i,
  "application/octet-stream": /^application\/octet-stream\s*(?:;|$)/i,
} as const;

/** The middleware that an endpoint's schemas ask for, in order. */
export function validators(endpoint: Endpoint): MiddlewareHandler[] {
  const steps: MiddlewareHandler[] = endpoint.optionalBody ? [supplyBody] : [];
  const type = endpoint.accepts ?? (endpoint.body || endpoint.admitsItself ? "application/json" : undefined);
  if (type) steps.push(requireType(type));
  if (endpoint.query) steps.push(zValidator("query", endpoint.query, refuseInvalid) as MiddlewareHandler);
  if (endpoint.body && !endpoint.admitsItself) steps.push(zValidator("json", endpoint.body, refuseInvalid) as MiddlewareHandler);
  return steps;
}

const supplyBody = createMiddleware<ApiContext>(async (c, next) => {
  const { raw } = c.req;
  const isEmpty = !raw.body || (await raw.clone().arrayBuffer()).byteLength === 0;
  if (isEmpty) c.req.raw = new Request(raw.url, { method: raw.method, headers: { "Content-Type": "application/json" }, body: "{}" });
  await next();
});

const requireType = (type: keyof typeof TYPES) =>
  createMiddleware<ApiContext>(async (c, next) => {
    if (!TYPES[type].test(c.req.header("Content-Type") ?? "")) {
      throw refuse("unsupported_media_type", { errors: { content_type: [`must be ${type}`] } });
    }
    const encoding = c.req.header("Content-Encoding");
    if (encoding !== undefined && encoding.toLowerCase() !== "identity") {
      throw refuse("unsupported_media_type", { errors: { content_encoding: ["a compressed body is not taken"] } });
    }
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
