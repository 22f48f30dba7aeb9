// Asks for the first team's sending domain, and stores the answer. A second call does not ask
// again.
import { askSettings, storeSettings } from "../ask-settings.ts";
import { SENDING_DOMAIN } from "../setting-prompts.ts";
import type { Context } from "../setup-context.ts";

/** Returns undefined if the operator gives no domain yet. */
export async function nameSendingDomain(context: Context): Promise<string | undefined> {
  const { environment, kept, terminal, file } = context;
  context.settings = await askSettings(
    [SENDING_DOMAIN],
    context.settings,
    environment,
    kept,
    terminal,
  );
  storeSettings([SENDING_DOMAIN], context.settings, kept);
  file.save();
  return context.settings["SENDING_DOMAIN"];
}
