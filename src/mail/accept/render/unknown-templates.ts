// Looks for the templates that refused sends name. A template that can't be sent is an error that
// makes an answer a 400 (contract.md §Statuses), so the look-up happens although the send was
// refused for something else already.
import { coreFor } from "../../../db/client.ts";
import type { Findings } from "../findings.ts";
import type { JsonObject } from "../fields.ts";
import type { SendContext } from "../send-context.ts";
import { requireTemplate, findTemplates } from "./render-send.ts";

interface Refused {
  /** As given, a batch's merged with its defaults; of it only what makes a send's words. */
  readonly input: JsonObject;
  /** Where its errors go. */
  readonly findings: Findings;
}

/** Reports, under `template_id`, each template that the team can't send. */
export async function reportUnknownTemplates(
  { env, sender }: SendContext,
  refused: readonly Refused[],
): Promise<void> {
  const named = refused.map(({ input }) => templateNamedIn(input));
  const templates = await findTemplates(coreFor(env, sender.team.id), named);
  for (const [index, { findings }] of refused.entries())
    requireTemplate(templates, named[index] ?? null, findings);
}

/**
 * One that is combined with other words is refused for that alone: which of the two was meant,
 * nobody knows.
 */
function templateNamedIn({ template_id: id, text, html }: JsonObject): string | null {
  return typeof id === "string" && text === undefined && html === undefined ? id : null;
}
