// Reads a send's variables (contract.md §Variables). Pure.
import { variableProblems } from "../../resources/templates/variable-limits.ts";
import type { FieldProblems } from "./field-problems.ts";
import { type JsonObject, readMap } from "./fields.ts";

/**
 * Reads the variables. Returns an empty object if the variables are absent or empty, or if an error
 * was reported.
 */
export function readVariables(input: JsonObject, problems: FieldProblems): JsonObject {
  const variables = readMap(input, "variables", problems);
  if (Object.keys(variables).length === 0) return {};
  const before = problems.count;
  for (const { path, problem, isMalformed } of variableProblems("variables", variables))
    problems[isMalformed ? "malformed" : "invalid"](path, problem);
  return problems.count === before ? variables : {};
}
