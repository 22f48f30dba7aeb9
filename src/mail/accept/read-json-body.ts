// Parses the body of a send or a batch as a JSON object (contract.md §Statuses).
import type { ApiRequest } from "../../endpoint.ts";
import { runInTurn } from "../../lib/large-turns.ts";
import { BODY_DEPTH, isJsonObject, type JsonResult, parseJson } from "../../lib/json.ts";
import { EXACT_MEMBERS } from "../../resources/templates/variable-limits.ts";
import type { JsonObject } from "./fields.ts";
import { FieldProblems } from "./field-problems.ts";

export interface JsonBody {
  /**
   * The parsed object. Undefined means that the body is not a JSON object, and that `problems` has
   * an error for the path `body`.
   */
  readonly input: JsonObject | undefined;
  /** Collects every error of the request. */
  readonly problems: FieldProblems;
  readonly byteLength: number;
}

export async function readJsonBody(request: Pick<ApiRequest, "bytes" | "sent">): Promise<JsonBody> {
  const { bytes, sent } = request;
  const problems = new FieldProblems();
  const parsed: JsonResult = sent
    ? { kind: "value", value: sent.body }
    : await runInTurn(bytes.length, () => parseJson(bytes, BODY_DEPTH, { exactIn: EXACT_MEMBERS }));
  const isObject = parsed.kind === "value" && isJsonObject(parsed.value);
  if (!isObject)
    problems.malformed(
      "body",
      parsed.kind === "malformed" ? parsed.problem : "must be a JSON object",
    );
  return {
    input: isObject ? parsed.value : undefined,
    problems,
    byteLength: (sent?.bytes ?? bytes).length,
  };
}
