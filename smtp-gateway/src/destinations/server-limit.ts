// Recognises replies by which a server announces a limit: too many connections at the same time, or
// too much mail in a period. The codes and words of the reply decide. Pure.
import type { EgressOutcome } from "../outcome.ts";

export type ServerLimit = "connections" | "rate";

/**
 * Statuses of limits. RFC 3463: 4.3.x is about the server, 4.4.x about the network, 4.7.x about
 * policy. A limit in 4.2.x would be about one mailbox, and one in 4.5.x about one transaction.
 */
const STATUSES = /^4\.[347]\./;
/** Gmail's status for an unusual rate of mail. */
const RATE_STATUSES = new Set(["4.7.28"]);
const CONNECTION_WORDS =
  /too many (?:concurrent |simultaneous |open |smtp )*(?:connections|sessions)|(?:connection|session)s? (?:rate )?limit|(?:concurren|simultaneous)[a-z]{0,5} (?:smtp )?(?:connection|session)|connections? (?:count |number )?exceed/i;
const RATE_WORDS =
  /rate[ -]?limit|unusual rate|(?:sending|sent|message|mail|email)s? rate|throttl|too (?:fast|quickly)|too (?:many|much) (?:messages|mails?|emails?)\b|temporarily (?:deferred|rate)|limit exceeded|exceeded (?:the |your )?[a-z ]{0,30}limit/i;

/**
 * Returns the kind of limit that the reply announces. Returns null for any other reply, for example
 * for greylisting or a full mailbox.
 */
export function limitIn(outcome: EgressOutcome): ServerLimit | null {
  if (outcome.kind !== "reply" || outcome.code < 400 || outcome.code >= 500) return null;
  const { enhanced, text } = outcome;
  if (enhanced !== null && !STATUSES.test(enhanced)) return null;
  if (CONNECTION_WORDS.test(text)) return "connections";
  return RATE_STATUSES.has(enhanced ?? "") || RATE_WORDS.test(text) ? "rate" : null;
}
