// Looks up the templates of sends that were already refused for another error. If such a template
// can't be sent, the status must be a 400 (contract.md §Statuses).
import { coreFor } from "../../../db/client.ts";
import type { FieldProblems } from "../field-problems.ts";
import type { JsonObject } from "../fields.ts";
import type { SendContext } from "../send-context.ts";
import { requireTemplate, findTemplates } from "./render-send.ts";

/** A send that was refused. */
export interface RefusedSend {
  /**
   * The members of a request that decide whether it uses a template, as they were given. The
   * members of a batch entry are merged with the defaults.
   */
  readonly input: JsonObject;
  /** Collects the errors of this send. */
  readonly problems: FieldProblems;
}

/** Reports, under `template_id`, each template that the team can't send. */
export async function refuseUnknownTemplates(
  { env, sender }: SendContext,
  refused: readonly RefusedSend[],
): Promise<void> {
  const named = refused.map(({ input }) => templateNamedIn(input));
  const templates = await findTemplates(coreFor(env, sender.team.id), named);
  for (const [index, { problems }] of refused.entries())
    requireTemplate(templates, named[index] ?? null, problems);
}

/**
 * Returns the named template. Ignores it if the send also has a text or HTML. The validation
 * reports that combination, and the sender may not mean the template.
 */
function templateNamedIn({ template_id: id, text, html }: JsonObject): string | null {
  return typeof id === "string" && (text ?? html ?? null) === null ? id : null;
}
