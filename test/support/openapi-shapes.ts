// Checks the API's answers against its own OpenAPI document: status, headers, type and body of
// every response that a test gets through call(). A member that the document does not name is a
// mismatch here, although clients are told to ignore it.
import { dereference, initialBaseURI, type Schema, validate } from "@cfworker/json-schema";
import { exports } from "cloudflare:workers";

export interface MediaType {
  readonly schema: Schema;
  readonly example?: unknown;
}

export interface DescribedResponse {
  readonly description: string;
  readonly headers?: Readonly<Record<string, { readonly $ref: string }>>;
  readonly content?: Readonly<Record<string, MediaType>>;
}

interface Parameter {
  readonly name: string;
  readonly in: "path" | "query" | "header";
  readonly required?: boolean;
  readonly example?: string;
  readonly schema: Schema;
}

export interface OpenApiOperation {
  readonly operationId: string;
  readonly summary: string;
  readonly tags: readonly string[];
  readonly security: readonly Readonly<Record<string, readonly string[]>>[];
  readonly parameters?: readonly Parameter[];
  readonly requestBody?: {
    readonly required: boolean;
    readonly content: Readonly<Record<string, MediaType>>;
  };
  readonly responses: Readonly<Record<string, DescribedResponse | { readonly $ref: string }>>;
}

/** Schemas with resolved references: all components by address, and the requested schemas. */
interface Prepared {
  readonly byAddress: ReturnType<typeof dereference>;
  readonly bySchema: Map<Schema, Schema>;
}

interface HeaderObject {
  readonly required?: boolean;
  readonly schema: Schema;
}

export interface OpenApi {
  readonly openapi: string;
  readonly info: { readonly contact: { readonly name: string; readonly url: string } };
  readonly servers: readonly { readonly url: string }[];
  readonly tags: readonly { readonly name: string; readonly description: string }[];
  readonly paths: Readonly<Record<string, Readonly<Record<string, OpenApiOperation>>>>;
  readonly components: {
    readonly schemas: Readonly<Record<string, Schema>>;
    readonly responses: Readonly<Record<string, DescribedResponse>>;
    readonly headers: Readonly<Record<string, HeaderObject>>;
  };
}

/** Matches exactly the paths that the document describes. */
const DESCRIBED = /^\/(?:v1|admin|healthz|console\/session)(?:\/|$)/;

const REQUEST_ID = /^req_[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;

/** The headers that every response in the OpenAPI document has (contract.md §Response headers). */
const UNCACHED = { "Cache-Control": "no-store", "X-Content-Type-Options": "nosniff" };

const RATE_HEADERS = new Set(["RateLimit-Limit", "RateLimit-Remaining", "RateLimit-Reset"]);

const worker = (exports as unknown as { default: { fetch: typeof fetch } }).default;

let fetched: OpenApi | undefined;
/** The paths of the document, those with the fewest parameters first. */
let patterns:
  | {
      readonly path: string;
      readonly pattern: RegExp;
      readonly operations: OpenApi["paths"][string];
    }[]
  | undefined;
/** The document's schemas as they are, and closed: only with the members that they name. */
const prepared = new Map<boolean, Prepared>();

export async function openApi(): Promise<OpenApi> {
  fetched ??= await (await worker.fetch("https://api.postern.test/openapi.json")).json<OpenApi>();
  return fetched;
}

/**
 * Throws an error that lists the differences, unless the response to `method path` conforms to the
 * document. Leaves the response unread.
 */
export async function checkDescribed(
  method: string,
  path: string,
  response: Response,
): Promise<void> {
  const name = `${method} ${path} → ${response.status}`;
  if (!REQUEST_ID.test(response.headers.get("X-Request-Id") ?? ""))
    throw new Error(`${name}: no X-Request-Id`);
  const { pathname } = new URL(`https://api.postern.test${path}`);
  if (!DESCRIBED.test(pathname)) return;
  for (const [header, value] of Object.entries(UNCACHED))
    if (response.headers.get(header) !== value) throw new Error(`${name}: no ${header}: ${value}`);
  const document = await openApi();
  const operation = operationAt(document, method, pathname);
  if (!operation) return checkNowhere(name, response);
  const described = operation.responses[response.status];
  if (!described)
    throw new Error(
      `${name}: the status is not in the document; an endpoint names it in \`errors\` or ` +
        "`responses` (src/endpoint.ts)",
    );
  const expected = resolve(document, described);
  checkHeaders(document, name, response, expected);
  if (method !== "HEAD") await checkBody(document, name, response, expected);
}

/**
 * Returns where `value` does not fit the schema. `closed`: a member that the schema does not name
 * is also a problem.
 */
export function problemsOf(
  document: OpenApi,
  schema: Schema,
  value: unknown,
  closed: boolean,
): string[] {
  const { byAddress, bySchema } = preparedFrom(document, closed);
  const ready = bySchema.get(schema) ?? prepare(schema, closed);
  if (!bySchema.has(schema)) {
    dereference(ready, byAddress, initialBaseURI, `/checked/${bySchema.size}`);
    bySchema.set(schema, ready);
  }
  return validate(value, ready, "2020-12", byAddress, false).errors.map(
    ({ instanceLocation, error }) => `${instanceLocation}: ${error}`,
  );
}

/** Resolves the references among all components once, because there are thousands. */
function preparedFrom({ components }: OpenApi, closed: boolean): Prepared {
  const known = prepared.get(closed);
  if (known) return known;
  const schemas = prepare({ components: { schemas: components.schemas } }, closed);
  const made = { byAddress: dereference(schemas), bySchema: new Map<Schema, Schema>() };
  prepared.set(closed, made);
  return made;
}

/** Copies the schema, because resolving its references changes it. */
const prepare = (schema: Schema, closed: boolean): Schema =>
  closed ? (close(schema) as Schema) : structuredClone(schema);

export function resolve(
  document: OpenApi,
  described: DescribedResponse | { readonly $ref: string },
): DescribedResponse {
  if (!("$ref" in described)) return described;
  const found = document.components.responses[nameIn(described.$ref)];
  if (!found) throw new Error(`no ${described.$ref}`);
  return found;
}

function operationAt(
  document: OpenApi,
  method: string,
  pathname: string,
): OpenApiOperation | undefined {
  const verb = method === "HEAD" ? "get" : method.toLowerCase();
  // A path without parameters takes precedence over a path with parameters, whatever its methods.
  const exact = document.paths[pathname];
  if (exact) return exact[verb];
  patterns ??= Object.entries(document.paths)
    .map(([path, operations]) => ({ path, pattern: patternOf(path), operations }))
    .toSorted((left, right) => left.path.split("{").length - right.path.split("{").length);
  const matching = patterns.find(
    ({ pattern, operations }) => operations[verb] !== undefined && pattern.test(pathname),
  );
  return matching?.operations[verb];
}

function patternOf(path: string): RegExp {
  return new RegExp(`^${path.replaceAll(".", "\\.").replace(/\{\w+\}/g, "[^/]+")}$`);
}

/** Checks the response to a request whose path or method is not in the OpenAPI document. */
function checkNowhere(name: string, { status, headers }: Response): void {
  if (![404, 405, 413].includes(status))
    throw new Error(`${name}: the document has no such operation`);
  if (status === 405 && !headers.get("Allow")) throw new Error(`${name}: no Allow`);
}

function checkHeaders(
  document: OpenApi,
  name: string,
  response: Response,
  expected: DescribedResponse,
): void {
  for (const [header, { $ref }] of Object.entries(expected.headers ?? {})) {
    const { schema, required } = document.components.headers[nameIn($ref)] ?? { schema: {} };
    const text = response.headers.get(header);
    const isRate = RATE_HEADERS.has(header);
    const needed =
      required === true ||
      (isRate && response.ok) ||
      ((isRate || header === "Retry-After") && response.status === 429);
    if (text === null && needed) throw new Error(`${name}: no ${header}`);
    const value = schema.type === "integer" ? Number(text) : text;
    const problems = text === null ? [] : problemsOf(document, schema, value, false);
    if (problems.length > 0)
      throw new Error(`${name}: ${header} is ${text}: ${problems.join("; ")}`);
  }
}

async function checkBody(
  document: OpenApi,
  name: string,
  response: Response,
  expected: DescribedResponse,
): Promise<void> {
  const type = response.headers.get("Content-Type")?.split(";")[0];
  if (!expected.content) {
    if (response.body !== null || type !== undefined) throw new Error(`${name}: has a body`);
    return;
  }
  const media = expected.content[type ?? ""];
  if (!media)
    throw new Error(`${name}: is ${type}, not ${Object.keys(expected.content).join(" or ")}`);
  if (type !== "application/json") return;
  if (response.body === null) throw new Error(`${name}: has no body`);
  const body: unknown = await response.clone().json();
  const problems = problemsOf(document, media.schema, body, true);
  if (problems.length > 0)
    throw new Error(
      `${name} is not as the document has it:\n${problems.join("\n")}\n${JSON.stringify(body)}`,
    );
  const seconds = (body as { retry_after_seconds?: number }).retry_after_seconds;
  if (seconds !== undefined && response.headers.get("Retry-After") !== String(seconds))
    throw new Error(`${name}: Retry-After differs from the body`);
}

function nameIn(reference: string): string {
  return reference.slice(reference.lastIndexOf("/") + 1);
}

/** Returns a schema that allows only the members that it names, in every nested object too. */
function close(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(close);
  if (typeof schema !== "object" || schema === null) return schema;
  const copy = Object.fromEntries(
    Object.entries(schema).map(([key, value]) => [key, close(value)]),
  );
  return "properties" in copy && !("additionalProperties" in copy)
    ? { ...copy, additionalProperties: false }
    : copy;
}
