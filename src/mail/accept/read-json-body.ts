// Parses the body of a send or a batch as a JSON object (contract.md §Statuses).
import { isJsonObject, parseJson } from "../../lib/json.ts";
import type { JsonObject } from "./fields.ts";
import { Findings } from "./findings.ts";

/**
 * Maximum depth of nesting. No meaningful body is deeper, and every recursive function can read a
 * body of this depth.
 */
const JSON_DEPTH = 64;

export interface JsonBody {
  /**
   * The parsed object. Undefined: the body is not a JSON object, and `findings` has an error for
   * the path `body`.
   */
  readonly input: JsonObject | undefined;
  /** Collects every error of the request. */
  readonly findings: Findings;
  readonly byteLength: number;
}

export function readJsonBody(bytes: Uint8Array): JsonBody {
  const findings = new Findings();
  const parsed = parseJson(bytes, JSON_DEPTH);
  const isObject = parsed.kind === "value" && isJsonObject(parsed.value);
  if (!isObject)
    findings.malformed(
      "body",
      parsed.kind === "malformed" ? parsed.problem : "must be a JSON object",
    );
  return {
    input: isObject ? parsed.value : undefined,
    findings,
    byteLength: bytes.length,
  };
}
