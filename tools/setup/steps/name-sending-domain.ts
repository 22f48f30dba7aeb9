// Asks for the domain that the first team sends from, and keeps the answer. A second call asks
// nothing.
import { answer, keepAnswers } from "../answers.ts";
import { SENDING_DOMAIN } from "../questions.ts";
import type { Context } from "../setup-context.ts";

/** Returns undefined if the operator names none yet. */
export async function nameSendingDomain(context: Context): Promise<string | undefined> {
  const { environment, kept, terminal, file } = context;
  context.settings = await answer([SENDING_DOMAIN], context.settings, environment, kept, terminal);
  keepAnswers([SENDING_DOMAIN], context.settings, kept);
  file.save();
  return context.settings["SENDING_DOMAIN"];
}
