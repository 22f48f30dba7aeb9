// Reads a body from a client that writes every member, also members without a value (contract.md
// §Members without a value). Null means that an optional member is not given. An empty list means
// an empty map, because PHP writes both as `[]`. The schema is the only list of members. Members
// that it does not declare are left out, so that later work costs nothing for them. Pure.
import * as z from "zod";
import { isJsonObject } from "../json.ts";
import { innerSchema } from "./inner-schema.ts";
import { mostEntries } from "./most-entries.ts";

/** Reads one value. A schema that changes no value has no reader. */
type Reader = (value: unknown) => unknown;

const readers = new WeakMap<z.ZodType, { readonly reader: Reader | undefined }>();

/**
 * Returns the value in the form that the schema expects. A value of the wrong type stays as it is.
 */
export function givenMembers(schema: z.ZodType, value: unknown): unknown {
  const { reader } = readers.get(schema) ?? { reader: readerFor(schema) };
  readers.set(schema, { reader });
  return reader ? reader(value) : value;
}

function readerFor(schema: z.core.$ZodType): Reader | undefined {
  const inner = innerSchema(schema);
  if (inner instanceof z.ZodObject) return objectReader(inner);
  return inner instanceof z.ZodArray ? listReader(inner) : undefined;
}

function objectReader(schema: z.ZodObject): Reader {
  const members = Object.entries(schema.shape).map(
    ([name, type]: [string, z.ZodType]) => [name, memberReader(type)] as const,
  );
  return (value) => {
    if (!isJsonObject(value)) return value;
    const given: Record<string, unknown> = {};
    for (const [name, read] of members) {
      const member = read(value[name]);
      if (member !== undefined) given[name] = member;
    }
    return given;
  };
}

function memberReader(schema: z.ZodType): Reader {
  const isOptional = accepts(schema, undefined);
  const isNullable = accepts(schema, null);
  const inner = innerSchema(schema);
  const isMap = isOptional && (inner instanceof z.ZodObject || inner instanceof z.ZodRecord);
  // A map that needs a member cannot be empty, so its empty list means that the map is not given.
  const emptyMap = isMap && accepts(schema, {}) ? {} : undefined;
  const read = readerFor(schema);
  return (value) => {
    if (value === null && isOptional && !isNullable) return undefined;
    if (isMap && Array.isArray(value) && value.length === 0) return emptyMap;
    return read ? read(value) : value;
  };
}

/**
 * A list that is longer than allowed stays as it is, because validation then refuses it for its
 * length.
 */
function listReader(schema: z.ZodArray): Reader | undefined {
  const read = readerFor(schema.element);
  const most = mostEntries(schema);
  return (
    read && ((value) => (Array.isArray(value) && value.length <= most ? value.map(read) : value))
  );
}

function accepts(schema: z.core.$ZodType, value: unknown): boolean {
  return z.safeParse(schema, value).success;
}
