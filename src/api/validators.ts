// Validates queries and bodies against their schemas (contract.md §Request bodies, §Query
// parameters): 415 for a wrong type, 400 for an unreadable body, 422 with dotted field paths for
// wrong fields. @hono/zod-validator runs the schemas, and this file turns its issues into refusals.
// A name that the schema does not know is ignored, and noted on the response.
import { isUtf8 } from "node:buffer";
import { zValidator } from "@hono/zod-validator";
import type { MiddlewareHandler } from "hono";
import { createMiddleware } from "hono/factory";
import * as z from "zod";
import type { Endpoint, NotedName } from "../endpoint.ts";
import { describeIssue } from "../lib/issue-messages.ts";
import { isJsonObject } from "../lib/json.ts";
import { unknownMembers } from "../lib/unknown-members.ts";
import { type FieldErrors, RefusalError, refuse } from "../refusal.ts";
import type { ApiContext } from "./api-context.ts";
import { noteNames } from "./notes.ts";
import { rateTaken } from "./permit.ts";

const TYPES = {
  "application/json": /^application\/(?:[a-z.-]+\+)?json\s*(?:;|$)/i,
  "text/csv": /^text\/csv\s*(?:;|$)/i,
  "application/octet-stream": /^application\/octet-stream\s*(?:;|$)/i,
} as const;

const PAGE_PARAMETERS = ["limit", "after"] as const;
const TYPE_CHARACTERS = 100;

/** Returns the middleware that reads the endpoint's body and query, in order. */
export function validators(endpoint: Endpoint): MiddlewareHandler[] {
  const type =
    endpoint.accepts ?? (endpoint.body || endpoint.admitsItself ? "application/json" : undefined);
  const steps: MiddlewareHandler[] = type ? [requireType(type, endpoint)] : [];
  steps.push(...readQuery(endpoint));
  if (endpoint.body && !endpoint.admitsItself) steps.push(readBody(endpoint, endpoint.body));
  return steps;
}

/**
 * Refuses another Content-Type. A send that is refused here never reaches the ledger, so its
 * request is counted here: the rate is checked before anything that is wrong with a request.
 */
const requireType = (
  type: keyof typeof TYPES,
  { admitsItself, internal, optionalBody }: Endpoint,
) =>
  createMiddleware<ApiContext>(async (c, next) => {
    const isAbsent = optionalBody === true && (await c.req.arrayBuffer()).byteLength === 0;
    const errors = isAbsent
      ? undefined
      : typeErrors(type, c.req.header("Content-Type"), c.req.header("Content-Encoding"));
    if (errors) {
      const headers = admitsItself && !internal ? await rateTaken(c) : {};
      throw new RefusalError({ code: "unsupported_media_type", errors }, headers);
    }
    await next();
  });

function typeErrors(
  type: keyof typeof TYPES,
  given = "",
  encoding = "identity",
): FieldErrors | undefined {
  if (given === "") return { content_type: [`is missing; send \`Content-Type: ${type}\``] };
  if (!TYPES[type].test(given))
    return { content_type: [`must be ${type}; received ${given.slice(0, TYPE_CHARACTERS)}`] };
  return encoding.toLowerCase() === "identity"
    ? undefined
    : { content_encoding: ["must be identity; a compressed body is not accepted"] };
}

/** Unknown parameters are noted even when the endpoint takes none. */
function readQuery({ query, queryAliases = {}, paginated }: Endpoint): MiddlewareHandler[] {
  const known = [
    ...(query instanceof z.ZodObject ? Object.keys(query.shape) : []),
    ...(paginated ? PAGE_PARAMETERS : []),
  ];
  const note = createMiddleware<ApiContext>(async (c, next) => {
    noteNames(
      c,
      "X-Ignored-Parameters",
      unknownParameters(withoutAliases(c.req.queries(), queryAliases), known),
    );
    await next();
  });
  if (!query) return [note];
  const read = (schema: z.ZodType, given: Parameters) =>
    schema.safeParse(withoutAliases(given, queryAliases), { error: describeParameter });
  return [
    note,
    zValidator("query", query, refuseInvalid, { validationFunction: read }) as MiddlewareHandler,
  ];
}

type Parameters = Readonly<Record<string, string | readonly string[]>>;

function withoutAliases(given: Parameters, aliases: Readonly<Record<string, string>>): Parameters {
  const named = Object.entries(given).map(([name, values]) => {
    const meant = Object.hasOwn(aliases, name) ? aliases[name] : undefined;
    return [meant === undefined || Object.hasOwn(given, meant) ? name : meant, values] as const;
  });
  return Object.fromEntries(named);
}

function* unknownParameters(given: Parameters, known: readonly string[]): Generator<NotedName> {
  for (const name of Object.keys(given)) if (!known.includes(name)) yield { path: [name], known };
}

/** A repeated parameter arrives as a list, which most schemas refuse. */
function describeParameter(issue: z.core.$ZodRawIssue): string {
  return Array.isArray(issue.input) && ["invalid_type", "invalid_value"].includes(issue.code ?? "")
    ? "must be given once"
    : describeIssue(issue);
}

const readBody = ({ optionalBody }: Endpoint, body: z.ZodType) =>
  createMiddleware<ApiContext>(async (c, next) => {
    const bytes = new Uint8Array(await c.req.arrayBuffer());
    if (optionalBody === true && bytes.byteLength === 0) {
      c.req.addValidatedData("json", body.parse({}) as object);
      return next();
    }
    // JSON is UTF-8 (RFC 8259 §8.1). The decoder would replace invalid bytes by U+FFFD.
    if (!isUtf8(bytes)) throw unreadable("is not valid UTF-8");
    const read = (schema: z.ZodType, given: unknown) => {
      if (!isJsonObject(given)) throw unreadable("must be a JSON object");
      noteNames(c, "X-Ignored-Members", unknownMembers(body, given));
      return schema.safeParse(given, { error: describeIssue });
    };
    const validate = zValidator("json", body, refuseInvalid, {
      validationFunction: read,
    }) as MiddlewareHandler<ApiContext>;
    return validate(c, next);
  });

function unreadable(problem: string): RefusalError {
  return refuse("malformed", { errors: { body: [problem] } });
}

function refuseInvalid(result: { readonly success: boolean; readonly error?: unknown }): void {
  if (!result.success)
    throw refuse("invalid", { errors: fieldErrors((result.error as z.ZodError).issues) });
}

function fieldErrors(issues: readonly z.core.$ZodIssue[]): FieldErrors {
  const errors: FieldErrors = {};
  for (const issue of issues) (errors[issue.path.map(String).join(".")] ??= []).push(issue.message);
  return errors;
}
