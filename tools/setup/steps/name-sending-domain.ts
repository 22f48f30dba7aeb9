// Asks for the first team's sending domain, and stores the answer. If it is called again, it does
// not ask again.
import { askSettings, storeSettings } from "../ask-settings.ts";
import { SENDING_DOMAIN } from "../setting-prompts.ts";
import type { Context } from "../setup-context.ts";

/** Returns the domain, or undefined if the operator names none yet. */
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
