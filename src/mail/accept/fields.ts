// Reads the members of a body one by one, so that all members are checked even if one is invalid.
// Pure, except for a cache of facts about the schemas.
import type * as z from "zod";
import { describeIssue } from "../../lib/issue-messages.ts";
import { isJsonObject } from "../../lib/json.ts";
import type { FieldProblems } from "./field-problems.ts";

export type JsonObject = Readonly<Record<string, unknown>>;

export interface FieldEntry {
  /** The path from the root of the body, with dots. */
  readonly path: string;
  readonly value: unknown;
}

/**
 * Reads the members of `input` that their schemas accept. Leaves out the other members, and reports
 * errors for them. `path` is the start of the members' paths. It ends in a dot or is empty.
 */
export function readMembers<Shape extends z.ZodObject>(
  schema: Shape,
  input: JsonObject,
  path: string,
  problems: FieldProblems,
): Partial<z.output<Shape>> {
  const members: Record<string, unknown> = {};
  for (const { name, type, isOptional } of membersOf(schema)) {
    const given = input[name];
    if (given === undefined && isOptional) continue;
    const value = readValue(type, given, path + name, problems);
    if (value !== undefined) members[name] = value;
  }
  return members as Partial<z.output<Shape>>;
}

/**
 * A member of a schema. `isOptional` is computed once and stored. Most members are absent from a
 * send, and a query to the schema for each absent member takes longer than reading the present
 * members.
 */
interface Member {
  readonly name: string;
  readonly type: z.ZodType;
  readonly isOptional: boolean;
}

const known = new WeakMap<z.ZodObject, readonly Member[]>();

function membersOf(schema: z.ZodObject): readonly Member[] {
  const found = known.get(schema);
  if (found) return found;
  const members = Object.entries(schema.shape).map(([name, type]: [string, z.ZodType]) => {
    const absent = type.safeParse(undefined);
    return { name, type, isOptional: absent.success && absent.data === undefined };
  });
  known.set(schema, members);
  return members;
}

/**
 * Reads a value by its schema. Undefined means that the schema refuses the value, and that an error
 * was reported.
 */
export function readValue<Schema extends z.ZodType>(
  schema: Schema,
  value: unknown,
  path: string,
  problems: FieldProblems,
): z.output<Schema> | undefined {
  const result = schema.safeParse(value, { error: describeIssue });
  if (result.success) return result.data;
  for (const issue of result.error.issues)
    problems.invalid([path, ...issue.path].join("."), issue.message);
  return undefined;
}

/**
 * Reads an optional list without checking its entries. Returns an empty list if the list is absent
 * or an error was reported.
 */
export function readList(
  input: JsonObject,
  name: string,
  problems: FieldProblems,
): readonly unknown[] {
  const value = input[name];
  if (Array.isArray(value)) return value;
  const example = typeof value === "string" ? `, as in "${name}": ["…"]` : "";
  if (value !== undefined) problems.invalid(name, `must be an array${example}`);
  return [];
}

/**
 * Returns the first `limit` entries with their paths. Never reads the other entries, because the
 * body of an attacker may have millions.
 */
export function entriesOf(name: string, list: readonly unknown[], limit: number): FieldEntry[] {
  const entries: FieldEntry[] = [];
  for (let index = 0; index < list.length && index < limit; index += 1)
    entries.push({ path: `${name}.${index}`, value: list[index] });
  return entries;
}

/** Reads an optional map. Returns an empty map if the map is absent or an error was reported. */
export function readMap(input: JsonObject, name: string, problems: FieldProblems): JsonObject {
  const value = input[name];
  if (value === undefined) return {};
  if (isJsonObject(value)) return value;
  problems.invalid(name, "must be an object");
  return {};
}
