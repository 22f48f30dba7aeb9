// Asks for the first team's sending domain, and stores the answer. A second call does not ask
// again.
import { askSettings } from "../ask-settings.ts";
import { SENDING_DOMAIN } from "../setting-prompts.ts";
import type { Context } from "../setup-context.ts";

/** Returns the domain, or undefined if the operator names none yet. */
export async function nameSendingDomain(context: Context): Promise<string | undefined> {
  const { kept, file } = context;
  context.settings = await askSettings(context, [SENDING_DOMAIN], context.settings);
  const { SENDING_DOMAIN: name } = context.settings;
  // The whole answer is stored even if it is the default. So a later change of the default has no
  // effect.
  if (name !== undefined) kept.settings["SENDING_DOMAIN"] = name;
  file.save();
  return name;
}
