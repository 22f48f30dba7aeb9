// Checks a send's variables against their limits (contract.md §Variables): 64 KB of JSON, 100 keys
// in each object, 4 levels including the map itself. Pure.
import { Buffer } from "node:buffer";
import { isJsonObject } from "../../lib/json.ts";
import { VARIABLES_BYTES, VARIABLES_DEPTH, VARIABLES_KEYS_PER_OBJECT } from "../../limits.ts";
import { type Findings, pathSegment } from "./findings.ts";
import { type JsonObject, readMap } from "./fields.ts";

/** Reads the variables. Empty when they are absent, empty or reported. */
export function readVariables(input: JsonObject, findings: Findings): JsonObject {
  const variables = readMap(input, "variables", findings);
  if (Object.keys(variables).length === 0) return {};
  const before = findings.count;
  const bytes = Buffer.byteLength(JSON.stringify(variables));
  if (bytes > VARIABLES_BYTES)
    findings.invalid(
      "variables",
      `are ${bytes} bytes of JSON; at most ${VARIABLES_BYTES} are allowed`,
    );
  else checkLevel(variables, "variables", 1, findings);
  return findings.count === before ? variables : {};
}

function checkLevel(value: unknown, path: string, level: number, findings: Findings): void {
  if (typeof value === "number" && !Number.isFinite(value)) {
    findings.malformed(path, "is a number that is too large");
  } else if (typeof value === "object" && value !== null) {
    if (level > VARIABLES_DEPTH) {
      findings.invalid(path, `is nested deeper than ${VARIABLES_DEPTH} levels`);
      return;
    }
    const keys = Object.keys(value);
    if (isJsonObject(value) && keys.length > VARIABLES_KEYS_PER_OBJECT) {
      findings.invalid(
        path,
        `has ${keys.length} keys; at most ${VARIABLES_KEYS_PER_OBJECT} are allowed in one object`,
      );
    }
    for (const [key, member] of Object.entries(value))
      checkLevel(member, `${path}.${pathSegment(key)}`, level + 1, findings);
  }
}
