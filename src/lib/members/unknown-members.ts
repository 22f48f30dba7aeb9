// Finds members of a body that its schema does not declare, at every depth (contract.md §Ignored
// members). The schema is the only list of members, so a new field needs no change here. Pure.
import * as z from "zod";
import { isJsonObject } from "../json.ts";
import { innerSchema } from "./inner-schema.ts";
import { mostEntries } from "./most-entries.ts";

interface UnknownMember {
  /** Path from the body's root, ending with the member's own name. */
  readonly path: readonly string[];
  /** The names that the schema allows in the object in which the unknown member was found. */
  readonly known: readonly string[];
}

/**
 * The members that a schema declares, at every level of nesting. A map whose names the caller
 * chooses has `values` instead of members.
 */
interface Shape {
  readonly members: ReadonlyMap<string, Shape | undefined> | undefined;
  readonly names: readonly string[];
  readonly entries: Shape | undefined;
  /** The most entries of a list. A longer list is refused, so its entries are not walked. */
  readonly most: number;
  readonly values: Shape | undefined;
}

const shapes = new WeakMap<z.ZodType, { readonly shape: Shape | undefined }>();

export interface UnknownMembers {
  /** The first MEMBERS_NAMED unknown members of the body. */
  readonly members: readonly UnknownMember[];
  /** The number of unknown members after the first MEMBERS_NAMED. */
  readonly more: number;
}

/**
 * Members after this many are only counted. A body may have 400,000 unknown members, and the
 * response header that names them has no space for more.
 */
export const MEMBERS_NAMED = 1_000;

export function unknownMembers(schema: z.ZodType, value: unknown): UnknownMembers {
  const shape = shapeOf(schema);
  const found: Found = { members: [], more: 0 };
  if (shape) walk(shape, value, [], found);
  return found;
}

interface Found {
  readonly members: UnknownMember[];
  more: number;
}

function walk(shape: Shape, value: unknown, path: readonly string[], found: Found): void {
  if (Array.isArray(value)) {
    if (shape.entries && value.length <= shape.most)
      for (const [index, entry] of value.entries())
        walk(shape.entries, entry, [...path, String(index)], found);
    return;
  }
  if (!isJsonObject(value)) return;
  for (const name of Object.keys(value)) {
    if (shape.members?.has(name)) {
      const member = shape.members.get(name);
      if (member) walk(member, value[name], [...path, name], found);
    } else if (shape.values) walk(shape.values, value[name], [...path, name], found);
    else if (!shape.members) return;
    else if (found.members.length < MEMBERS_NAMED)
      found.members.push({ path: [...path, name], known: shape.names });
    else found.more += 1;
  }
}

function shapeOf(schema: z.ZodType): Shape | undefined {
  const found = shapes.get(schema);
  if (found) return found.shape;
  const shape = readShape(schema);
  shapes.set(schema, { shape });
  return shape;
}

function readShape(given: z.core.$ZodType): Shape | undefined {
  const schema = innerSchema(given);
  if (schema instanceof z.ZodArray)
    return wrapShape("entries", readShape(schema.element), mostEntries(schema));
  if (schema instanceof z.ZodRecord) return wrapShape("values", readShape(schema.valueType));
  if (schema instanceof z.ZodUnion)
    return schema.options.map(readShape).reduce(mergeShapes, undefined);
  if (!(schema instanceof z.ZodObject)) return undefined;
  const members = new Map(
    Object.entries(schema.shape).map(
      ([name, member]) => [name, readShape(member as z.ZodType)] as const,
    ),
  );
  return { ...NOTHING, members, names: [...members.keys()] };
}

const NOTHING: Shape = {
  members: undefined,
  names: [],
  entries: undefined,
  most: Number.POSITIVE_INFINITY,
  values: undefined,
};

function wrapShape(
  kind: "entries" | "values",
  inner: Shape | undefined,
  most = NOTHING.most,
): Shape | undefined {
  return inner && { ...NOTHING, most, [kind]: inner };
}

/**
 * Merges the shapes of two options of a union. A member counts as known if one of them declares it.
 */
function mergeShapes(one: Shape | undefined, other: Shape | undefined): Shape | undefined {
  if (!one || !other) return one ?? other;
  const names = [...new Set([...one.names, ...other.names])];
  const members =
    one.members || other.members
      ? new Map(
          names.map(
            (name) =>
              [name, mergeShapes(one.members?.get(name), other.members?.get(name))] as const,
          ),
        )
      : undefined;
  return {
    members,
    names,
    entries: mergeShapes(one.entries, other.entries),
    most: Math.max(one.most, other.most),
    values: mergeShapes(one.values, other.values),
  };
}
