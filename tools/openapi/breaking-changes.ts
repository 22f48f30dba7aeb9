// Finds changes between two OpenAPI documents that break programs written for the first document.
// These are a removed path, method, parameter, status, header or media type, and breaking changes
// of schemas (breaking-schemas.ts). Additions do not break. Pure.
import {
  type BreakingChange,
  breakingSchemas,
  type Direction,
  type Schema,
} from "./breaking-schemas.ts";

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

/** Returns the breaking changes from `promised` to `current`, each as `<place>: <what>`. */
export function breakingChanges(promised: ApiDocument, current: ApiDocument): BreakingChange[] {
  const comparison = new Comparison(promised, current);
  const operation = (path: string, method: string) => `${method.toUpperCase()} ${path}`;
  comparison.compareItems(promised.paths, current.paths, operation, "request");
  // The service sends a webhook's request, so the rules for responses apply to it.
  const webhook = (name: string) => `webhook ${name}`;
  comparison.compareItems(promised.webhooks, current.webhooks, webhook, "response");
  return [...comparison.broken];
}

class Comparison {
  /** The changes found so far. */
  readonly broken = new Set<BreakingChange>();
  readonly #promised: ApiDocument;
  readonly #current: ApiDocument;

  constructor(promised: ApiDocument, current: ApiDocument) {
    this.#promised = promised;
    this.#current = current;
  }

  compareItems(
    promised: PathItems = {},
    current: PathItems = {},
    nameOf: (path: string, method: string) => string,
    sends: Direction,
  ): void {
    for (const [path, methods] of Object.entries(promised))
      this.#compareEach(
        (method) => nameOf(path, method),
        methods,
        current[path],
        (place, before, after) => {
          this.#compareCall(place, before, after);
          const { requestBody: old = {} } = before;
          this.#compareBody(`${place} request`, old, after.requestBody ?? {}, sends);
          this.#compareEach(
            (status) => `${place} ${status}`,
            before.responses,
            after.responses,
            (at, was, is) => this.#compareBody(at, was, is, "response"),
          );
        },
      );
  }

  /** Compares how an operation is called: its name, its credentials and its parameters. */
  #compareCall(place: string, before: Operation, after: Operation): void {
    if (before.operationId !== after.operationId)
      this.broken.add(
        `${place}: its operationId was ${before.operationId}, is ${after.operationId}`,
      );
    const accepted = new Set((after.security ?? []).map((one) => JSON.stringify(one)));
    for (const one of before.security ?? [])
      if (accepted.size > 0 && !accepted.has(JSON.stringify(one)))
        this.broken.add(
          `${place}: ${Object.keys(one).join(" and ") || "no key"} no longer gives access`,
        );
    const old = parametersOf(this.#promised, before);
    const fresh = parametersOf(this.#current, after);
    this.#compareEach(
      (name) => `${place} ${name}`,
      old,
      fresh,
      (at, was, is) => this.#compareSchemas(at, was, is, "request"),
    );
    for (const [name, { required }] of Object.entries(fresh))
      if (required === true && old[name]?.required !== true)
        this.broken.add(`${place} ${name}: is required now`);
  }

  #compareBody(place: string, before: Body, after: Body, direction: Direction): void {
    const old = resolve(this.#promised, before);
    const fresh = resolve(this.#current, after);
    if (direction === "request" && fresh.required === true && old.required !== true)
      this.broken.add(`${place} body: is required now`);
    const nameOf = (name: string) => `${place} ${name}`;
    this.#compareEach(nameOf, old.content, fresh.content, (_, was, is) =>
      this.#compareSchemas(`${place} body`, was, is, direction),
    );
    this.#compareEach(nameOf, old.headers, fresh.headers, (at, header, other) => {
      const was = resolve(this.#promised, header);
      const is = resolve(this.#current, other);
      if (was.required === true && is.required !== true)
        this.broken.add(`${at}: may be absent now`);
      this.#compareSchemas(at, was, is, direction);
    });
  }

  #compareSchemas(place: string, before: Media, after: Media, direction: Direction): void {
    const schemas = { promised: schemasOf(this.#promised), current: schemasOf(this.#current) };
    const [was, is] = [before.schema ?? {}, after.schema ?? {}];
    for (const one of breakingSchemas(schemas, place, was, is, direction)) this.broken.add(one);
  }

  /** Compares each member with the member of the same name, which must still exist. */
  #compareEach<Member>(
    placeOf: (name: string) => string,
    before: Readonly<Record<string, Member>> = {},
    after: Readonly<Record<string, Member>> = {},
    compare: (place: string, was: Member, is: Member) => void,
  ): void {
    for (const [name, was] of Object.entries(before)) {
      const is = after[name];
      if (is) compare(placeOf(name), was, is);
      else this.broken.add(`${placeOf(name)}: is gone`);
    }
  }
}

function schemasOf({ components }: ApiDocument): Readonly<Record<string, Schema>> {
  return (components?.["schemas"] ?? {}) as Readonly<Record<string, Schema>>;
}

function parametersOf(
  document: ApiDocument,
  { parameters = [] }: Operation,
): Readonly<Record<string, Parameter>> {
  const resolved = parameters.map((one) => resolve(document, one));
  return Object.fromEntries(resolved.map((one) => [`${one.in} parameter ${one.name}`, one]));
}

/** Follows a reference into the document's components. */
function resolve<Part extends object>(document: ApiDocument, part: Part): Part {
  const { $ref: reference } = part as { readonly $ref?: string };
  if (reference === undefined) return part;
  const [kind = "", name = ""] = reference.replace("#/components/", "").split("/");
  return (document.components?.[kind]?.[name] ?? {}) as Part;
}
