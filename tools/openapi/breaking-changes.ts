// Finds changes between two OpenAPI documents that break programs written for the first document.
// These are a removed path, method, parameter, status, header or media type, and breaking changes
// of schemas (breaking-schemas.ts). Additions do not break. Pure.
import { type BreakingChange, breakingSchemas, type Schema } from "./breaking-schemas.ts";

interface Parameter {
  readonly name: string;
  readonly in: string;
  readonly required?: boolean;
  readonly schema?: Schema;
}

interface Media {
  readonly schema?: Schema;
}

interface Body {
  readonly required?: boolean;
  readonly content?: Readonly<Record<string, Media>>;
  readonly headers?: Readonly<Record<string, Parameter>>;
}

interface Operation {
  readonly operationId?: string;
  readonly security?: readonly object[];
  readonly parameters?: readonly Parameter[];
  readonly requestBody?: Body;
  readonly responses?: Readonly<Record<string, Body>>;
}

type PathItems = Readonly<Record<string, Readonly<Record<string, Operation>>>>;

export interface ApiDocument {
  readonly paths?: PathItems;
  readonly webhooks?: PathItems;
  readonly components?: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
}

/** The two documents, and the changes found so far. */
interface Comparison {
  readonly promised: ApiDocument;
  readonly current: ApiDocument;
  readonly broken: Set<BreakingChange>;
}

/** Returns the breaking changes from `promised` to `current`, each as `<place>: <what>`. */
export function breakingChanges(promised: ApiDocument, current: ApiDocument): BreakingChange[] {
  const comparison = { promised, current, broken: new Set<BreakingChange>() };
  compareItems(
    comparison,
    promised.paths,
    current.paths,
    (path, method) => `${method.toUpperCase()} ${path}`,
    "request",
  );
  // The service sends a webhook's request, so the rules for responses apply to it.
  compareItems(
    comparison,
    promised.webhooks,
    current.webhooks,
    (name) => `webhook ${name}`,
    "response",
  );
  return [...comparison.broken];
}

function compareItems(
  comparison: Comparison,
  promised: PathItems = {},
  current: PathItems = {},
  nameOf: (path: string, method: string) => string,
  sends: "request" | "response",
): void {
  for (const [path, methods] of Object.entries(promised))
    for (const [method, before] of Object.entries(methods)) {
      const place = nameOf(path, method);
      const after = current[path]?.[method];
      if (!after) {
        comparison.broken.add(`${place}: is gone`);
        continue;
      }
      compareCall(comparison, place, before, after);
      compareBody(comparison, `${place} request`, before.requestBody, after.requestBody, sends);
      compareResponses(comparison, place, before, after);
    }
}

/** Compares how an operation is called: its name, its credentials and its parameters. */
function compareCall(
  { promised, current, broken }: Comparison,
  place: string,
  before: Operation,
  after: Operation,
): void {
  if (before.operationId !== after.operationId)
    broken.add(`${place}: its operationId was ${before.operationId}, is ${after.operationId}`);
  const accepted = new Set((after.security ?? []).map((one) => JSON.stringify(one)));
  for (const one of before.security ?? [])
    if (accepted.size > 0 && !accepted.has(JSON.stringify(one)))
      broken.add(`${place}: ${Object.keys(one).join(" and ") || "no key"} no longer gives access`);
  const [old, fresh] = [parametersOf(promised, before), parametersOf(current, after)];
  for (const [name, parameter] of old) {
    const other = fresh.get(name);
    if (!other) broken.add(`${place} ${name}: is gone`);
    else
      compareSchemas(
        { promised, current, broken },
        `${place} ${name}`,
        parameter,
        other,
        "request",
      );
  }
  for (const [name, { required }] of fresh)
    if (required === true && old.get(name)?.required !== true)
      broken.add(`${place} ${name}: is required now`);
}

function compareResponses(
  comparison: Comparison,
  place: string,
  before: Operation,
  after: Operation,
): void {
  for (const [status, response] of Object.entries(before.responses ?? {})) {
    const other = after.responses?.[status];
    if (!other) comparison.broken.add(`${place} ${status}: is gone`);
    else compareBody(comparison, `${place} ${status}`, response, other, "response");
  }
}

function compareBody(
  comparison: Comparison,
  place: string,
  before: Body | undefined,
  after: Body | undefined,
  direction: "request" | "response",
): void {
  const { promised, current, broken } = comparison;
  const old = resolve(promised, before ?? {});
  const fresh = resolve(current, after ?? {});
  if (direction === "request" && fresh.required === true && old.required !== true)
    broken.add(`${place} body: is required now`);
  for (const [type, media] of Object.entries(old.content ?? {})) {
    const other = fresh.content?.[type];
    if (!other) broken.add(`${place} ${type}: is gone`);
    else compareSchemas(comparison, `${place} body`, media, other, direction);
  }
  for (const [name, header] of Object.entries(old.headers ?? {})) {
    const other = fresh.headers?.[name];
    if (!other) {
      broken.add(`${place} ${name}: is gone`);
      continue;
    }
    const [was, is] = [resolve(promised, header), resolve(current, other)];
    if (was.required === true && is.required !== true)
      broken.add(`${place} ${name}: may be absent now`);
    compareSchemas(comparison, `${place} ${name}`, was, is, direction);
  }
}

function compareSchemas(
  { promised, current, broken }: Comparison,
  place: string,
  before: Media,
  after: Media,
  direction: "request" | "response",
): void {
  const schemas = { promised: schemasOf(promised), current: schemasOf(current) };
  const found = breakingSchemas(schemas, place, before.schema ?? {}, after.schema ?? {}, direction);
  for (const one of found) broken.add(one);
}

function schemasOf({ components }: ApiDocument): Readonly<Record<string, Schema>> {
  return (components?.["schemas"] ?? {}) as Readonly<Record<string, Schema>>;
}

function parametersOf(document: ApiDocument, { parameters = [] }: Operation) {
  return new Map(
    parameters
      .map((one) => resolve(document, one))
      .map((one) => [`${one.in} parameter ${one.name}`, one] as const),
  );
}

/** Follows a reference into the document's components. */
function resolve<Part extends object>(document: ApiDocument, part: Part): Part {
  const { $ref: reference } = part as { readonly $ref?: string };
  if (reference === undefined) return part;
  const [kind = "", name = ""] = reference.replace("#/components/", "").split("/");
  return (document.components?.[kind]?.[name] ?? {}) as Part;
}
