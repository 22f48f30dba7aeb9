// Explains why the mail to a recipient bounced, in the service's words for the bounce class. Pure.
import { CLASS_NAMES } from "../../../../src/explain/class-names.ts";
import { CLASS_TEXTS } from "../../../../src/explain/explanation-texts.ts";

interface Bounce {
  readonly bounce_type: string | null;
  readonly bounce_classification: string | null;
}

/** Returns the reason of the bounce as a clause. */
export function bounceSentence({ bounce_type: type, bounce_classification: name }: Bounce): string {
  const texts: Readonly<Record<string, { readonly reason: string }>> = CLASS_TEXTS;
  const unclear = type === "expired" ? CLASS_TEXTS.MessageExpired : CLASS_TEXTS.Uncategorized;
  return (texts[name ?? ""] ?? unclear).reason;
}

/** Returns the reason of the bounce in two or three words. */
export function bounceName({ bounce_type: type, bounce_classification: name }: Bounce): string {
  return className(name ?? (type === "expired" ? "MessageExpired" : "Uncategorized"));
}

/**
 * Returns the display name of a bounce class. `none` is the API's filter for bounces without a
 * class.
 */
export function className(name: string): string {
  const names: Readonly<Record<string, string>> = { ...CLASS_NAMES, none: "Not classified" };
  return names[name] ?? name;
}
