// Finds the schema inside the wrappers that do not change what a value may contain. Pure.
import * as z from "zod";

/**
 * Returns the schema inside optional, nullable, default, catch and read-only schemas, and inside
 * the input of a pipe.
 */
export function innerSchema(schema: z.core.$ZodType): z.core.$ZodType {
  if (
    schema instanceof z.ZodOptional ||
    schema instanceof z.ZodNullable ||
    schema instanceof z.ZodDefault ||
    schema instanceof z.ZodCatch ||
    schema instanceof z.ZodReadonly
  )
    return innerSchema(schema.unwrap());
  return schema instanceof z.ZodPipe ? innerSchema(schema.in) : schema;
}
