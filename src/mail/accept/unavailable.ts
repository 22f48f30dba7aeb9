// What the wire format knows and this version does not do yet: templates, variables, tracking overrides and generated unsubscribe links.
// A send that asks for one is refused, never sent without it.
import type { Findings } from "./findings.ts";
import type { JsonObject } from "./fields.ts";
import type { SingleFields } from "./wire.ts";

const PROBLEM = "is not available yet";

export function refuseUnavailable(fields: SingleFields, variables: JsonObject, findings: Findings): void {
  if (fields.template_id !== undefined) findings.invalid("template_id", PROBLEM);
  if (Object.keys(variables).length > 0) findings.invalid("variables", PROBLEM);
  if (fields.tracking?.opens) findings.invalid("tracking.opens", PROBLEM);
  if (fields.tracking?.clicks) findings.invalid("tracking.clicks", PROBLEM);
  if (fields.unsubscribe?.mode === "generate") findings.invalid("unsubscribe.mode", `"generate" ${PROBLEM}`);
}
