// Reads a send's variables (contract.md §Variables). Pure.
import { variableProblems } from "../../resources/templates/variable-limits.ts";
import type { Findings } from "./findings.ts";
import { type JsonObject, readMap } from "./fields.ts";

/**
 * Reads the variables. Returns an empty object if the variables are absent or empty, or if an error
 * was reported.
 */
export function readVariables(input: JsonObject, findings: Findings): JsonObject {
  const variables = readMap(input, "variables", findings);
  if (Object.keys(variables).length === 0) return {};
  const before = findings.count;
  for (const { path, problem, isMalformed } of variableProblems("variables", variables))
    findings[isMalformed ? "malformed" : "invalid"](path, problem);
  return findings.count === before ? variables : {};
}
