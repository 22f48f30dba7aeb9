// Finds members of a body that its schema does not declare, at every depth (contract.md §Ignored
// members). The schema is the only list of members, so a new field needs no change here. Pure.
import * as z from "zod";
import { isJsonObject } from "./json.ts";

export interface UnknownMember {
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
  readonly values: Shape | undefined;
}

const shapes = new WeakMap<z.ZodType, { readonly shape: Shape | undefined }>();

/** Walks the value lazily, so that a caller can count members without storing all of them. */
export function unknownMembers(schema: z.ZodType, value: unknown): Iterable<UnknownMember> {
  const shape = shapeOf(schema);
  return shape ? walk(shape, value, []) : [];
}

function* walk(shape: Shape, value: unknown, path: readonly string[]): Generator<UnknownMember> {
  if (Array.isArray(value)) {
    if (shape.entries)
      for (const [index, entry] of value.entries())
        yield* walk(shape.entries, entry, [...path, String(index)]);
    return;
  }
  if (!isJsonObject(value)) return;
  for (const name of Object.keys(value)) {
    if (shape.members?.has(name)) {
      const member = shape.members.get(name);
      if (member) yield* walk(member, value[name], [...path, name]);
    } else if (shape.values) yield* walk(shape.values, value[name], [...path, name]);
    else if (shape.members) yield { path: [...path, name], known: shape.names };
  }
}

function shapeOf(schema: z.ZodType): Shape | undefined {
  const found = shapes.get(schema);
  if (found) return found.shape;
  const shape = readShape(schema);
  shapes.set(schema, { shape });
  return shape;
}

function readShape(schema: z.core.$ZodType): Shape | undefined {
  if (
    schema instanceof z.ZodOptional ||
    schema instanceof z.ZodNullable ||
    schema instanceof z.ZodDefault ||
    schema instanceof z.ZodReadonly
  )
    return readShape(schema.unwrap());
  if (schema instanceof z.ZodPipe) return readShape(schema.in);
  if (schema instanceof z.ZodArray) return wrapShape("entries", readShape(schema.element));
  if (schema instanceof z.ZodRecord) return wrapShape("values", readShape(schema.valueType));
  if (schema instanceof z.ZodUnion)
    return schema.options.map(readShape).reduce(mergeShapes, undefined);
  if (!(schema instanceof z.ZodObject)) return undefined;
  const members = new Map(
    Object.entries(schema.shape).map(
      ([name, member]) => [name, readShape(member as z.ZodType)] as const,
    ),
  );
  return { members, names: [...members.keys()], entries: undefined, values: undefined };
}

function wrapShape(kind: "entries" | "values", inner: Shape | undefined): Shape | undefined {
  return (
    inner && { members: undefined, names: [], entries: undefined, values: undefined, [kind]: inner }
  );
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
    values: mergeShapes(one.values, other.values),
  };
}
