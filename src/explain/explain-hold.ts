// Explains why mail is held, that is, why its domain or account may not send now (contract.md
// §Explanations). The sender of a message and the operator of a domain get different texts. Pure.
import type { ActiveHold, Hold } from "../rpc/holds.ts";
import type { Explanation } from "./explanation.ts";
import { fill, type TextFacts } from "./fill.ts";
import { HOLD_PATTERNS, HOLD_TEXTS } from "./hold-texts.ts";
import { timeText } from "./time-texts.ts";

/** Explains a held message. `messageWords` are the texts for the message's facts. */
export function explainHeldMessage(
  hold: ActiveHold,
  messageWords: TextFacts,
): Omit<Explanation, "state" | "evidence"> {
  const { reason, remedy, next } = HOLD_TEXTS[hold.code];
  const words = { ...messageWords, held_since: timeText(hold.since), hold_words: hold.message };
  return {
    summary: fill(HOLD_PATTERNS.message, { ...words, hold_reason: fill(reason, words) }),
    cause: `held_${hold.scope}`,
    next: fill(next, words),
    actions: [{ kind: remedy.kind, text: fill(remedy.text, words) }],
  };
}

/**
 * Explains in a few sentences why a domain's mail is held, with the remedy and the provider's
 * words.
 */
export function describeHold({ code, message }: Hold, domain: string): string {
  const { reason, remedy } = HOLD_TEXTS[code];
  const words = { from_domain: domain, hold_words: message };
  const filled = { hold_reason: fill(reason, words), hold_remedy: fill(remedy.text, words) };
  const quote = code === "unknown_words" ? "" : HOLD_PATTERNS.quote;
  return fill(HOLD_PATTERNS.domain + quote, { ...words, ...filled });
}
