// Parts of the schemas of requests that several resources share: the name that people give a
// resource, and the error of a text that has no valid value. Pure.
import * as z from "zod";
import { NAME_CHARACTERS } from "./limits.ts";

/** The name of an API key, a template or a webhook. */
export const GivenName = z
  .string()
  .refine((text) => text.trim() !== "", { error: "must not be empty", abort: true })
  .refine(
    (text) => text.length <= 2 * NAME_CHARACTERS && Array.from(text).length <= NAME_CHARACTERS,
    `must be at most ${NAME_CHARACTERS} characters`,
  )
  .refine(
    (text) => text.isWellFormed() && !/\p{Cc}/u.test(text),
    "must not contain control characters or lone surrogates",
  );

/** Adds an error to the context of a transformation, which must return the result. */
export function noValue(context: z.RefinementCtx, input: string, message: string): never {
  context.issues.push({ code: "custom", message, input });
  return z.NEVER;
}
