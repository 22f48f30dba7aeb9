// Says why a recipient's mail bounced, in the service's words for the class. Pure.
import { CLASS_TEXTS } from "../../../../src/explain/explanation-texts.ts";
import type { LogEvent } from "./newest-events.ts";

type Bounce = Pick<LogEvent, "bounce_type" | "bounce_classification">;

export function refusalReason({ bounce_type: type, bounce_classification: name }: Bounce): string {
  const texts: Readonly<Record<string, { readonly reason: string }>> = CLASS_TEXTS;
  const unclear = type === "expired" ? CLASS_TEXTS.MessageExpired : CLASS_TEXTS.Uncategorized;
  return (texts[name ?? ""] ?? unclear).reason;
}
