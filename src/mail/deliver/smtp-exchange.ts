// Makes the SMTP exchange of an attempt for message look-ups: the server's reply, the stage of the
// reply, and the rule that classified the reply. Pure.
import type { Exchange } from "../../rpc/event-records.ts";
import { ruleOn } from "../../classify/classify.ts";
import { OWN_REPLIES } from "../../classify/own-replies.ts";
import { ruleOfProvider } from "../../classify/provider-refusals.ts";
import { onOneLine, replyLine } from "../../classify/reply-line.ts";
import type { Outcome } from "../message.ts";
import type { Verdict } from "./judge.ts";

/**
 * Maximum length of the stored reply to a delivery. The useful part, the receiving server's own
 * reference, comes first. The reply of a refusal is not cut, because webhooks show it.
 */
const RECEIPT_CHARACTERS = 100;

export function exchangeOf(outcome: Outcome, verdict: Verdict): Exchange {
  const isClassified = verdict.kind === "bounced" && verdict.bounce.classification !== null;
  const { mxHost } = outcome;
  if (outcome.kind === "failure") {
    const { cause } = outcome;
    return {
      stage: null,
      response: OWN_REPLIES[cause].text,
      mxHost,
      tls: null,
      rule: isClassified ? `cause: ${cause}` : null,
    };
  }
  const { code, enhanced, text, stage, tls, providerRefusal } = outcome;
  const reply = replyLine(String(code), enhanced, onOneLine(text));
  const receipt = reply.slice(0, String(code).length + RECEIPT_CHARACTERS).toWellFormed();
  return {
    stage,
    response: verdict.kind === "delivered" ? receipt : reply,
    mxHost,
    tls,
    rule: providerRefusal
      ? ruleOfProvider(providerRefusal)
      : isClassified
        ? (ruleOn(outcome)?.rule ?? null)
        : null,
  };
}
