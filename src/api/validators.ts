// Validates queries and bodies against their schemas (contract.md §Request bodies, §Query
// parameters). A wrong type gets 415, an unreadable body 400, and wrong fields get 422 with dotted
// field paths. @hono/zod-validator runs the schemas, and this file turns its issues into refusals.
// A name that the schema does not have is ignored, and a header of the response lists it.
import { zValidator } from "@hono/zod-validator";
import type { Context, MiddlewareHandler } from "hono";
import * as z from "zod";
import type { Endpoint, NameInWarning } from "../endpoint.ts";
import { givenMembers } from "../lib/members/given-members.ts";
import { describeIssue } from "../lib/issue-messages.ts";
import { BODY_DEPTH, isJsonObject, type JsonReading, parseJson } from "../lib/json.ts";
import { runInTurn } from "../lib/large-turns.ts";
import { type FieldErrors, type RefusalError, refuse } from "../refusal.ts";
import { EXACT_MEMBERS } from "../resources/templates/variable-limits.ts";
import type { ApiContext, RequestStep } from "./api-context.ts";
import { type Parameters, withPlusSigns } from "./query-plus.ts";
import { warnOfMembers, warnOfNames } from "./warnings.ts";
import { takeRate } from "./permit.ts";
import { sentOf } from "./translated-request.ts";

const TYPES = {
  "application/json": /^application\/(?:[a-z.-]+\+)?json\s*(?:;|$)/i,
  "text/csv": /^text\/csv\s*(?:;|$)/i,
  "application/octet-stream": /^application\/octet-stream\s*(?:;|$)/i,
} as const;

const PAGE_PARAMETERS = ["limit", "after"] as const;
const TYPE_CHARACTERS = 100;

/** Returns the steps that validate the endpoint's body and query, in order. */
export function validators(endpoint: Endpoint): RequestStep[] {
  const type =
    endpoint.accepts ?? (endpoint.body || endpoint.admitsItself ? "application/json" : undefined);
  const steps: RequestStep[] = type ? [requireType(type, endpoint)] : [];
  steps.push(...readQuery(endpoint));
  if (endpoint.body && !endpoint.admitsItself) steps.push(readBody(endpoint, endpoint.body));
  return steps;
}

/**
 * Returns the step that refuses a wrong Content-Type after the check of the rate. The ledger checks
 * the rate of sends, but a send with a wrong type never reaches the ledger. So this step counts
 * such a send against the rate.
 */
function requireType(
  type: keyof typeof TYPES,
  { admitsItself, internal, optionalBody }: Endpoint,
): RequestStep {
  const refuseType = async (c: Context<ApiContext>, errors: FieldErrors): Promise<void> => {
    if (optionalBody === true && (await c.req.arrayBuffer()).byteLength === 0) return;
    if (admitsItself && !internal) await takeRate(c);
    throw refuse("unsupported_media_type", { errors });
  };
  return (c) => {
    const errors = typeErrors(type, c.get("headers"));
    return errors && refuseType(c, errors);
  };
}

function typeErrors(type: keyof typeof TYPES, headers: Headers): FieldErrors | undefined {
  const given = headers.get("Content-Type") ?? "";
  const encoding = headers.get("Content-Encoding") ?? "identity";
  if (given === "") return { content_type: [`is missing; send \`Content-Type: ${type}\``] };
  if (!TYPES[type].test(given))
    return { content_type: [`must be ${type}; received ${given.slice(0, TYPE_CHARACTERS)}`] };
  return encoding.toLowerCase() === "identity"
    ? undefined
    : { content_encoding: ["must be identity; a compressed body is not accepted"] };
}

/**
 * Returns the step that reads the query. It reports unknown parameters even if the endpoint has no
 * parameters.
 */
function readQuery({ query, queryAliases = {}, paginated }: Endpoint): RequestStep[] {
  const known = [
    ...(query instanceof z.ZodObject ? Object.keys(query.shape) : []),
    ...(paginated ? PAGE_PARAMETERS : []),
  ];
  const warn: RequestStep = (c) => {
    const given = c.req.queries();
    if (Object.keys(given).length > 0)
      warnOfNames(
        c,
        "X-Ignored-Parameters",
        unknownParameters(withoutAliases(given, queryAliases), known),
      );
  };
  if (!query) return [warn];
  const validate: RequestStep = (c) => {
    const read = (schema: z.ZodType, given: Parameters) =>
      withGivenNames(
        schema.safeParse(withPlusSigns(withoutAliases(given, queryAliases), c.req.url), {
          error: describeParameter,
        }),
        given,
        queryAliases,
      );
    return stepOf(zValidator("query", query, refuseInvalid, { validationFunction: read }))(c);
  };
  return [warn, validate];
}

function withoutAliases(given: Parameters, aliases: Readonly<Record<string, string>>): Parameters {
  const named = Object.entries(given).map(([name, values]) => {
    const meant = Object.hasOwn(aliases, name) ? aliases[name] : undefined;
    return [meant === undefined || Object.hasOwn(given, meant) ? name : meant, values] as const;
  });
  return Object.fromEntries(named);
}

/** Replaces a parameter's name in the errors by the alias that the caller used. */
function withGivenNames(
  result: z.ZodSafeParseResult<unknown>,
  given: Parameters,
  aliases: Readonly<Record<string, string>>,
): z.ZodSafeParseResult<unknown> {
  if (result.success) return result;
  const givenNameOf = (name: PropertyKey): PropertyKey =>
    Object.hasOwn(given, name)
      ? name
      : (Object.keys(aliases).find((alias) => aliases[alias] === name && alias in given) ?? name);
  const issues = result.error.issues.map((issue) => ({
    ...issue,
    path: issue.path.map((name, depth) => (depth === 0 ? givenNameOf(name) : name)),
  }));
  return { success: false, error: new z.ZodError(issues) };
}

function* unknownParameters(given: Parameters, known: readonly string[]): Generator<NameInWarning> {
  for (const name of Object.keys(given)) if (!known.includes(name)) yield { path: [name], known };
}

/**
 * Describes the problem of a parameter. A repeated parameter arrives as a list, which most schemas
 * refuse.
 */
function describeParameter(issue: z.core.$ZodRawIssue): string {
  return Array.isArray(issue.input) && ["invalid_type", "invalid_value"].includes(issue.code ?? "")
    ? "must be given once"
    : describeIssue(issue);
}

function readBody({ optionalBody }: Endpoint, body: z.ZodType): RequestStep {
  return async (c) => {
    const sent = sentOf(c.req.raw);
    const bytes = sent ? NO_BYTES : new Uint8Array(await c.req.arrayBuffer());
    if (optionalBody === true && (sent ? sent.body === undefined : bytes.byteLength === 0)) {
      c.req.addValidatedData("json", body.parse({}) as object);
      return;
    }
    const given = sent
      ? sent.body
      : await runInTurn(bytes.length, () =>
          parseBody(bytes, { exactIn: EXACT_MEMBERS, keepsSurrogates: true }),
        );
    if (!isJsonObject(given)) throw unreadable("must be a JSON object");
    warnOfMembers(c, body, given);
    const result = body.safeParse(givenMembers(body, given), { error: describeIssue });
    refuseInvalid(result);
    c.req.addValidatedData("json", result.data as object);
  };
}

const NO_BYTES = new Uint8Array();

/** Parses a body. Throws the refusal `malformed`. */
export function parseBody(bytes: Uint8Array, reading: JsonReading): unknown {
  const parsed = parseJson(bytes, BODY_DEPTH, reading);
  if (parsed.kind === "malformed") throw unreadable(parsed.problem);
  return parsed.value;
}

/** Makes a step from a validator. The step refuses by throwing and never answers by itself. */
function stepOf(validator: unknown): RequestStep {
  const validate = validator as MiddlewareHandler<ApiContext>;
  return async (c) => void (await validate(c, () => Promise.resolve()));
}

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
