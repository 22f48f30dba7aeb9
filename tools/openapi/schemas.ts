// Converts the zod schemas of the table of endpoints into components of the OpenAPI document. Each
// object in a request or a response becomes a component, and refers to the components of the
// objects in it. Objects may have additional members, because the service ignores unknown members
// and later versions may add some.
import * as z from "zod";
import type { Endpoint } from "../../src/endpoint.ts";
import { operationSchema, responseName } from "./names.ts";

export type Json = Record<string, unknown>;

export type SchemaRegistry = ReturnType<typeof schemaRegistry>;

type Direction = "input" | "output";
type Names = Map<z.ZodType, string>;

export const COMPONENT = "#/components/schemas/";

/**
 * Makes the components. `others` has the schemas of bodies that the service itself sends, by their
 * names.
 */
export function schemaRegistry(
  endpoints: readonly Endpoint[],
  others: Readonly<Record<string, z.ZodType>>,
) {
  const taken = new Set<string>();
  const responses = nameResponses(endpoints, taken);
  for (const [name, schema] of Object.entries(others)) nameOne(responses, taken, schema, [name]);
  const requests = nameRequests(endpoints, taken);
  const components = Object.entries({
    ...componentsOf(responses, "output"),
    ...componentsOf(requests, "input"),
  }).toSorted(([left], [right]) => (left < right ? -1 : 1));
  return {
    components: Object.fromEntries(components) as Readonly<Record<string, Json>>,
    /** Returns the JSON Schema of a request body: a reference if it is a component. */
    request: (schema: z.ZodType) => use(requests, schema, "input"),
    response: (schema: z.ZodType) => use(responses, schema, "output"),
  };
}

/** Returns the members of an object schema, for use as query parameters. */
export function membersOf(
  schema: z.ZodType,
): { readonly name: string; readonly schema: Json; readonly required: boolean }[] {
  const { properties = {}, required = [] } = toJsonSchema(schema, "input") as {
    properties?: Record<string, Json>;
    required?: string[];
  };
  return Object.entries(properties).map(([name, member]) => ({
    name,
    schema: member,
    required: required.includes(name),
  }));
}

/**
 * Names the schemas of responses. If a GET returns a schema, the schema is named after the
 * resource. Other schemas are named after the operation.
 */
function nameResponses(endpoints: readonly Endpoint[], taken: Set<string>): Names {
  const names: Names = new Map();
  const read = endpoints.filter(({ method }) => method === "GET");
  for (const endpoint of [...read, ...endpoints.filter(({ method }) => method !== "GET")]) {
    if (endpoint.produces) continue;
    for (const schema of Object.values(endpoint.responses)) {
      if (schema)
        nameOne(names, taken, schema, [
          responseName(endpoint),
          operationSchema(endpoint, "Response"),
          operationSchema(endpoint, "Result"),
        ]);
    }
  }
  return names;
}

function nameRequests(endpoints: readonly Endpoint[], taken: Set<string>): Names {
  const names: Names = new Map();
  for (const endpoint of endpoints) {
    if (endpoint.body)
      nameOne(names, taken, endpoint.body, [
        operationSchema(endpoint, "Request"),
        operationSchema(endpoint, "Body"),
      ]);
  }
  return names;
}

function nameOne(
  names: Names,
  taken: Set<string>,
  schema: z.ZodType,
  candidates: readonly string[],
): void {
  if (names.has(schema)) return;
  const own = z.globalRegistry.get(schema)?.id;
  const name = [...(own ? [own] : []), ...candidates].find((candidate) => !taken.has(candidate));
  if (name === undefined)
    throw new Error(`there is no free name for a schema of ${candidates.join(", ")}`);
  taken.add(name);
  names.set(schema, name);
}

function use(names: Names, schema: z.ZodType, direction: Direction): Json {
  const name = names.get(schema);
  return name === undefined ? toJsonSchema(schema, direction) : { $ref: COMPONENT + name };
}

function componentsOf(names: Names, direction: Direction): Record<string, Json> {
  const registry = z.registry<{ id: string }>();
  for (const [schema, id] of names) registry.add(schema, { id });
  const { schemas } = z.toJSONSchema(registry, {
    ...CONVERSION,
    io: direction,
    uri: (id) => COMPONENT + id,
  });
  // `shared` has the objects with their own id that are only parts of other bodies.
  const { __shared: shared, ...named } = schemas as Record<string, Json>;
  const inner = (shared?.["$defs"] ?? {}) as Record<string, Json>;
  const text = JSON.stringify({ ...named, ...inner }).replaceAll(
    `${COMPONENT}__shared#/$defs/`,
    COMPONENT,
  );
  const components = Object.entries(JSON.parse(text) as Record<string, Json>);
  return Object.fromEntries(components.map(([name, schema]) => [name, withoutIdentity(schema)]));
}

function toJsonSchema(schema: z.ZodType, direction: Direction): Json {
  return withoutIdentity(
    z.toJSONSchema(schema, { ...CONVERSION, io: direction, reused: "inline" }) as Json,
  );
}

const ANY_NAME = JSON.stringify({ type: "string" });

/** Removes keywords that zod adds and that mean nothing to a reader. */
const CONVERSION = {
  unrepresentable: "any",
  override({ jsonSchema }) {
    if (JSON.stringify(jsonSchema.propertyNames) === ANY_NAME) delete jsonSchema.propertyNames;
    if (jsonSchema.additionalProperties === false) delete jsonSchema.additionalProperties;
    if (jsonSchema.format === "date-time") delete jsonSchema.pattern;
    if (jsonSchema.minimum === Number.MIN_SAFE_INTEGER) delete jsonSchema.minimum;
    if (jsonSchema.maximum === Number.MAX_SAFE_INTEGER) delete jsonSchema.maximum;
  },
} satisfies z.core.ToJSONSchemaParams;

function withoutIdentity({ $id: _id, $schema: _dialect, id: _name, ...rest }: Json): Json {
  return rest;
}
