// What an attempt's outcome leaves behind for whoever looks the message up: the server's words,
// where they were said, and why they mean what they mean. Pure.
import type { Exchange } from "../../contracts/event-records.ts";
import { ruleOn } from "../classify/classify.ts";
import { onOneLine, replyLine } from "../classify/reply-line.ts";
import type { Outcome } from "../message.ts";
import { OWN_ANSWERS, type Verdict } from "./judge.ts";

/**
 * A refusal is kept whole, as webhooks show it; of a receipt the receiver's own reference is what
 * matters, which comes first.
 */
const RECEIPT_CHARACTERS = 100;

export function exchangeOf(outcome: Outcome, verdict: Verdict): Exchange {
  const isClassified = verdict.kind === "bounced" && verdict.bounce.classification !== null;
  const { mxHost } = outcome;
  if (outcome.kind === "failure") {
    const { cause } = outcome;
    return {
      stage: null,
      response: OWN_ANSWERS[cause].text,
      mxHost,
      tls: null,
      rule: isClassified ? `cause: ${cause}` : null,
    };
  }
  const { code, enhanced, text, stage, tls } = outcome;
  const reply = replyLine(String(code), enhanced, onOneLine(text));
  const response = verdict.kind === "delivered" ? receiptOf(`${code}`, reply) : reply;
  return {
    stage,
    response,
    mxHost,
    tls,
    rule: isClassified ? (ruleOn(outcome)?.rule ?? null) : null,
  };
}

/** The code, and the first characters behind it. */
function receiptOf(code: string, reply: string): string {
  return reply.slice(0, code.length + RECEIPT_CHARACTERS).toWellFormed();
}
