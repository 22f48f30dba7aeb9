// Decides whom a refusal blames if its wording or code seems to blame the recipient's address
// (contract.md §Bounces). Servers also use such wording for others: "user unknown" for a sender
// that they verified by a callback, "unknown host" for a HELO name, and "domain does not exist" for
// the From field. Only a refusal that means the recipient counts against the recipient. Pure.
import type { SmtpStage } from "../../smtp-gateway/src/smtp/smtp-reply.ts";
import type { BounceClass } from "./bounce-class.ts";
import { isOwnedThing } from "./state-subject.ts";

/** The word that replaces our return-path in the text that classify.ts prepares. */
export const OUR_RETURN_PATH = "our-return-path";

/** Classes that blame the recipient's address. */
const OF_ADDRESS: ReadonlySet<BounceClass> = new Set([
  "InvalidRecipient",
  "InactiveMailbox",
  "BadDomain",
]);

/**
 * RFC 3463 X.1.7 and X.1.8, RFC 7505 X.7.27: the sender's address or domain. RFC 5248 X.7.13: the
 * account that sends.
 */
const OF_SENDER: ReadonlySet<string> = new Set(["1.7", "1.8", "7.13", "7.27"]);
/** RFC 4954 and RFC 4468: the account that logs in to send. */
const OF_LOGIN: ReadonlySet<string> = new Set(["7.8", "7.9", "7.11", "7.14"]);
/** RFC 3463 X.1.2, X.1.10 and X.4.4: the recipient's domain, or the route to it. */
const OF_DESTINATION: ReadonlySet<string> = new Set(["1.2", "1.10", "4.4"]);

const SENDER =
  /\bsender(?:s|'s)?\b|\bsending (?:address|domain|user|account)|\bmail ?from\b|\bfrom(?:\b: ?| )(?:address|domain|field)|\bfrom:|\benvelope[- ]from|\breturn[- ]path|\boriginator|\byour (?:e-?mail |from |own )?(?:address|domain|account|mail ?box)\b|\byou(?: are|'re)? send(?:ing)?\b(?! (?:\S{1,10} )?to\b)|\b(?:user|account) (?:that|which) (?:authenticated|logged|sends)|\b(?:for|to) (?:sending|outgoing|billing)\b|, sending (?:is )?(?:disabled|suspended|blocked)/;
const SESSION =
  /\bhelo\b|\behlo\b|\bip address\b|\baddress ip\b|\bclient (?:host|ip|address)|\b(?:your|remote|connecting|sending) (?:smtp |mail )?(?:host|server|ip|client)\b|\brelay host|\breverse (?:host|dns)|\bptr\b/;
const HEADER = /\bheaders?\b|\b(?:to|cc|reply-to): ?(?:field|line)\b/;
/** Words for parts of a message, such as a header or a link. */
const IN_CONTENT =
  /\bheaders?\b|\breply-to\b|\bmessage[- ]id\b|\bmessage (?:has|contains)\b|\b(?:url|link)s?\b/;
const RECIPIENT =
  /\brecipients?\b|\brcpt\b|\baddressees?\b|\bdestination\b|\bto:? ?<?@|\bdestinat|\bempf(?:a|ae)ng|\bthat you tried to reach\b|\bstoredrv\Wdeliver\b|получател|收件|宛先|수신/;
const MAILBOX =
  /\bmail ?box(?:es)?\b|\buser(?:s|name)?\b|\baccount\b|\balias\b|\bcustomer\b|\binbox\b/;

/** Words for a state of a mailbox that may end, so that a later attempt may succeed. */
export const FOR_NOW =
  /\btemporar|\blater\b|\b(?:an)?other (?:process|program|session|client|task)\b|(?<!not |longer )\bin use\b|\bbusy\b|\bmigrat|\bmaintenance\b|\bread[- ]only\b|\b(?:at (?:the|this) (?:moment|time)|right now|for now)\b|\block (?:file|timeout)/;
/**
 * Words for the state of a mailbox that exists. If FOR_NOW also matches, the state is temporary.
 */
const STATE =
  /unavail|not available|inactive|disabled|suspended|locked|blocked|frozen|clos|accept|receiv|not (?:good|ok)/;
/** Wording about a login for sending. The account in such a refusal is the sender's. */
const LOGIN =
  /\bsubmission\b|\bpasswords?\b|\bcredentials?\b|\bsasl\b|\bsmtp auth|\blog ?(?:in|on) (?:fail|attempt)/;
/**
 * Matches a noun for a person or an address with the word after it. In "user certificate", the
 * second word shows that the refusal means the certificate and not the user.
 */
const NOUN_AND_NEXT =
  /\b(?:users?|accounts?|address(?:es)?|mail ?box(?:es)?|recipients?|rcpts?|domains?|hosts?)(?:'s)? ([a-z-]{2,24})\b/g;
/** Wording that says that the sender is unknown. */
const SENDS =
  /\byou(?:'re| are) no[t ]|\bfrom (?:an? |any |the )?(?:unknown|invalid|unverified|unrecogni[sz]ed|non ?exist)|\bfrom (?:this|your) (?:host|server|ip|network|client)/;
/**
 * Wording that names a second possible cause besides the address. The server does not say which of
 * the two causes applies.
 */
const OR_NOT =
  /^[^.;!?]{0,8}\bor (?:access|not (?:allowed|permitted|authori)|relay|restricted|policy)/;

/**
 * Number of characters after the deciding wording in which a word may show whom the wording means,
 * as in "user unknown in sender address".
 */
const AFTER_CHARACTERS = 32;

export interface ClassifiedReply {
  readonly class: BounceClass;
  /** The reply's text as classify.ts prepares it. */
  readonly wording: string;
  /** Offsets of the wording that decided. The whole text if a code decided. */
  readonly start: number;
  readonly end: number;
  /** Subject and detail of the enhanced code, such as `1.1`. */
  readonly status: string | undefined;
  readonly stage: SmtpStage | null;
}

/**
 * Returns the given class if the recipient's address was refused. If not, returns the class for the
 * party that was refused.
 */
export function assignBlame(reply: ClassifiedReply): BounceClass {
  const { class: found, wording, start, end, status = "", stage } = reply;
  const isOfAddress = OF_ADDRESS.has(found);
  if (
    (isOfAddress || found === "Uncategorized") &&
    wording.includes(OUR_RETURN_PATH) &&
    !namesAnAddress(wording)
  )
    return "InvalidSender";
  if (!isOfAddress) return found;
  const before = wording.slice(0, end);
  const around = wording.slice(0, end + AFTER_CHARACTERS);
  const matched = wording.slice(start, end);
  if (OF_LOGIN.has(status) || LOGIN.test(around)) return "RelayingIssues";
  const isState = found === "InactiveMailbox" || STATE.test(matched);
  if (/\btemporar/.test(wording) || (isState && FOR_NOW.test(wording))) return "TransientFailure";
  const isThing = !status.startsWith("1.") && namesThing(matched + nextWord(wording.slice(end)));
  if (isThing || SENDS.test(around) || OR_NOT.test(wording.slice(end))) return "PolicyRelated";
  if (RECIPIENT.test(around)) return found;
  if (OF_SENDER.has(status))
    return status === "7.13" && (/\bmail ?box\b/.test(around) || namesAnAddress(around))
      ? found
      : "InvalidSender";
  if (SENDER.test(around)) return "InvalidSender";
  const isLate = stage === "data" || stage === "end";
  if (HEADER.test(before) || (isLate && IN_CONTENT.test(around))) return "ContentRelated";
  if (SESSION.test(before)) return "PolicyRelated";
  if (status.startsWith("5.") && !MAILBOX.test(around)) return "ProtocolErrors";
  const isDoubtful = found === "BadDomain" && isLate && !/\bhost\b/.test(before);
  return isDoubtful && !OF_DESTINATION.has(status) ? "InvalidSender" : found;
}

/**
 * Returns the next word of the same sentence, with the space before it. Returns an empty text if
 * the sentence ends.
 */
function nextWord(rest: string): string {
  return rest.startsWith(" ") ? ` ${rest.slice(1).split(" ", 1)[0] ?? ""}` : "";
}

function namesThing(wording: string): boolean {
  return Array.from(wording.matchAll(NOUN_AND_NEXT)).some(([, next = ""]) => isOwnedThing(next));
}

/** Tells whether the text names an address that is not one of our return-paths. */
function namesAnAddress(wording: string): boolean {
  return / @|^@/.test(wording.replace(/[<>()[\]"',;:]/g, " "));
}
