// Checks the values that a person or a test sets at a double over HTTP (docs/local.md). A wrong
// value gets a 400 that names the first wrong member.
import * as z from "zod";
import { Problem } from "./http-server.ts";

/** Returns the value as `schema` reads it. Throws a 400 Problem that names the member `name`. */
export function readValue<Value>(schema: z.ZodType<Value>, value: unknown, name?: string): Value {
  const result = schema.safeParse(value);
  if (result.success) return result.data;
  const [issue] = result.error.issues;
  const unknown = issue?.code === "unrecognized_keys" ? issue.keys.slice(0, 1) : [];
  const path = [...(name === undefined ? [] : [name]), ...(issue?.path ?? []), ...unknown];
  throw new Problem(400, `${path.join(".")}: ${issue?.message}`);
}

/** Makes the schema of an object. `unknown` is the error text for any other member. */
export const membersOf = <Shape extends z.ZodRawShape>(shape: Shape, unknown: string) =>
  z.strictObject(shape, {
    error: ({ code }) => (code === "unrecognized_keys" ? unknown : "is not an object"),
  });

export function oneOf<const Word extends string>(words: readonly Word[]) {
  return z.enum(words, `is not one of ${words.join(", ")}`);
}

export function wholeNumber(least: number, most?: number) {
  const words = most === undefined ? `of at least ${least}` : `from ${least} to ${most}`;
  const problem = `is not a whole number ${words}`;
  return z
    .int(problem)
    .min(least, problem)
    .max(most ?? Number.MAX_SAFE_INTEGER, problem);
}

export const listOf = (what: string) =>
  z.array(z.string(`is not a list of ${what}`), `is not a list of ${what}`);
