// Reads from a schema how many entries its list may have. Pure.
import type * as z from "zod";

/** Returns the maximum length of the list, or Infinity if the schema has no limit. */
export function mostEntries(schema: z.ZodArray): number {
  const limits = (schema.def.checks ?? []).map(({ _zod: { def } }) =>
    def.check === "max_length" ? (def as z.core.$ZodCheckMaxLengthDef).maximum : Infinity,
  );
  return Math.min(...limits);
}
