// Reads the members of a body one by one, so that an invalid member is reported while the others
// are still checked. Pure, except for a cache of what the schemas require.
import type * as z from "zod";
import { describeIssue } from "../../lib/issue-messages.ts";
import { isJsonObject } from "../../lib/json.ts";
import type { Findings } from "./findings.ts";

export type JsonObject = Readonly<Record<string, unknown>>;

export interface FieldEntry {
  /** The path from the body's root, with dots. */
  readonly path: string;
  readonly value: unknown;
}

/**
 * Reads the members of `input` that their schemas accept. The others are left out and reported
 * under `path`, which ends in a dot or is empty.
 */
export function readMembers<Shape extends z.ZodObject>(
  schema: Shape,
  input: JsonObject,
  path: string,
  findings: Findings,
): Partial<z.output<Shape>> {
  const members: Record<string, unknown> = {};
  for (const { name, type, isOptional } of membersOf(schema)) {
    const given = input[name];
    if (given === undefined && isOptional) continue;
    const value = readValue(type, given, path + name, findings);
    if (value !== undefined) members[name] = value;
  }
  return members as Partial<z.output<Shape>>;
}

/**
 * A member of a schema, which is remembered: a send leaves most members out, and asking the schema
 * about each of them takes longer than reading the rest.
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

/** Reads a value by its schema. Undefined: the schema refuses it, and an error was reported. */
export function readValue<Schema extends z.ZodType>(
  schema: Schema,
  value: unknown,
  path: string,
  findings: Findings,
): z.output<Schema> | undefined {
  const result = schema.safeParse(value, { error: describeIssue });
  if (result.success) return result.data;
  for (const issue of result.error.issues)
    findings.invalid([path, ...issue.path].join("."), issue.message);
  return undefined;
}

/**
 * Reads an optional list without checking its entries. Empty: the list is absent, or an error was
 * reported.
 */
export function readList(input: JsonObject, name: string, findings: Findings): readonly unknown[] {
  const value = input[name];
  if (Array.isArray(value)) return value;
  if (value !== undefined) findings.invalid(name, "must be an array");
  return [];
}

/**
 * The first `limit` entries with their paths. Entries beyond a cap are never looked at, since a
 * hostile body has millions.
 */
export function entriesOf(name: string, list: readonly unknown[], limit: number): FieldEntry[] {
  const entries: FieldEntry[] = [];
  for (let index = 0; index < list.length && index < limit; index += 1)
    entries.push({ path: `${name}.${index}`, value: list[index] });
  return entries;
}

/** Reads an optional map. Empty: the map is absent, or an error was reported. */
export function readMap(input: JsonObject, name: string, findings: Findings): JsonObject {
  const value = input[name];
  if (value === undefined) return {};
  if (isJsonObject(value)) return value;
  findings.invalid(name, "must be an object");
  return {};
}
