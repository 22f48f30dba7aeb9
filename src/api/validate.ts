// Holds queries and bodies against their schemas (contract.md §Request bodies, §Query parameters): 415 for another type, 400 for a body that can't be read, 422 with dotted field paths
// for wrong fields. A name that a schema does not know is ignored, and noted on the response.
import { isUtf8 } from "node:buffer";
import type { MiddlewareHandler } from "hono";
import { createMiddleware } from "hono/factory";
import * as z from "zod";
import type { Endpoint, NotedName } from "../endpoint.ts";
import { describeIssue } from "../lib/issue-words.ts";
import { isJsonObject } from "../lib/json.ts";
import { unknownMembers } from "../lib/unknown-members.ts";
import { type FieldErrors, RefusalError, refuse } from "../refusal.ts";
import type { ApiContext } from "./context.ts";
import { noteNames } from "./notes.ts";
import { rateTaken } from "./permit.ts";

const TYPES = {
  "application/json": /^application\/(?:[a-z.-]+\+)?json\s*(?:;|$)/i,
  "text/csv": /^text\/csv\s*(?:;|$)/i,
  "application/octet-stream": /^application\/octet-stream\s*(?:;|$)/i,
} as const;

const PAGE_PARAMETERS = ["limit", "after"] as const;
const TYPE_CHARACTERS = 100;

/** The steps that read what the endpoint takes, in order. */
export function validators(endpoint: Endpoint): MiddlewareHandler<ApiContext>[] {
  const type = endpoint.accepts ?? (endpoint.body || endpoint.admitsItself ? "application/json" : undefined);
  const steps = type ? [requireType(type, endpoint)] : [];
  steps.push(readQuery(endpoint));
  if (endpoint.body && !endpoint.admitsItself) steps.push(readBody(endpoint, endpoint.body));
  return steps;
}

/** A send that never gets as far as the ledger takes its rate here: the rate comes before everything that is wrong with a request. */
const requireType = (type: keyof typeof TYPES, { admitsItself, internal, optionalBody }: Endpoint) =>
  createMiddleware<ApiContext>(async (c, next) => {
    const isAbsent = optionalBody === true && (await c.req.arrayBuffer()).byteLength === 0;
    const errors = isAbsent ? undefined : typeErrors(type, c.req.header("Content-Type"), c.req.header("Content-Encoding"));
    if (errors) {
      const headers = admitsItself && !internal ? await rateTaken(c) : {};
      throw new RefusalError({ code: "unsupported_media_type", errors }, headers);
    }
    await next();
  });

function typeErrors(type: keyof typeof TYPES, given = "", encoding = "identity"): FieldErrors | undefined {
  if (given === "") return { content_type: [`is missing; send \`Content-Type: ${type}\``] };
  if (!TYPES[type].test(given)) return { content_type: [`must be ${type}; received ${given.slice(0, TYPE_CHARACTERS)}`] };
  return encoding.toLowerCase() === "identity" ? undefined : { content_encoding: ["a compressed body is not taken"] };
}

const readQuery = ({ query, queryAliases = {}, paginated }: Endpoint) => {
  const known = [...(query instanceof z.ZodObject ? Object.keys(query.shape) : []), ...(paginated ? PAGE_PARAMETERS : [])];
  return createMiddleware<ApiContext>(async (c, next) => {
    const given = withoutAliases(c.req.queries(), queryAliases);
    noteNames(c, "X-Ignored-Parameters", unknownParameters(given, known));
    if (query) c.set("query", parse(query, onceOrMore(given), describeParameter));
    await next();
  });
};

type Parameters = Readonly<Record<string, readonly string[]>>;

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

function onceOrMore(given: Parameters): Record<string, string | readonly string[] | undefined> {
  return Object.fromEntries(Object.entries(given).map(([name, values]) => [name, values.length === 1 ? values[0] : values]));
}

/** A schema that takes no list meets one where a parameter is repeated. */
function describeParameter(issue: z.core.$ZodRawIssue): string {
  return Array.isArray(issue.input) && ["invalid_type", "invalid_value"].includes(issue.code ?? "")
    ? "must be given once"
    : describeIssue(issue);
}

const readBody = ({ optionalBody }: Endpoint, body: z.ZodType) =>
  createMiddleware<ApiContext>(async (c, next) => {
    const bytes = new Uint8Array(await c.req.arrayBuffer());
    const given = optionalBody === true && bytes.byteLength === 0 ? {} : readObject(bytes);
    noteNames(c, "X-Ignored-Members", unknownMembers(body, given));
    c.set("body", parse(body, given, describeIssue));
    await next();
  });

/** JSON is UTF-8 (RFC 8259 §8.1); the decoder would put U+FFFD where it is not. */
function readObject(bytes: Uint8Array): object {
  if (!isUtf8(bytes)) throw unreadable("is not valid UTF-8");
  let value: unknown;
  try {
    value = JSON.parse(new TextDecoder().decode(bytes));
  } catch {
    throw unreadable("is not valid JSON");
  }
  if (!isJsonObject(value)) throw unreadable("must be a JSON object");
  return value;
}

function unreadable(problem: string): RefusalError {
  return refuse("malformed", { errors: { body: [problem] } });
}

function parse<Schema extends z.ZodType>(schema: Schema, value: unknown, error: typeof describeIssue): z.output<Schema> {
  const result = schema.safeParse(value, { error });
  if (result.success) return result.data;
  throw refuse("invalid", { errors: fieldErrors(result.error.issues) });
}

function fieldErrors(issues: readonly z.core.$ZodIssue[]): FieldErrors {
  const errors: FieldErrors = {};
  for (const issue of issues) (errors[issue.path.map(String).join(".")] ??= []).push(issue.message);
  return errors;
}
