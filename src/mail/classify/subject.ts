// Decides whom a refusal blames when its wording or its code would blame the recipient's address
// (contract.md §Bounces). Servers also say "user unknown" of a sender that they called back,
// "unknown host" of a HELO name and "domain does not exist" of the From field. Only a refusal that
// means the recipient counts against the recipient. Pure.
import type { SmtpStage } from "../../../smtp-gateway/src/smtp/smtp-reply.ts";
import type { BounceClass } from "./bounce-class.ts";

/** The word by which classify.ts replaces a return-path of ours. */
export const OUR_RETURN_PATH = "our-return-path";

/** Classes that blame the address. */
const OF_ADDRESS: ReadonlySet<BounceClass> = new Set([
  "InvalidRecipient",
  "InactiveMailbox",
  "BadDomain",
]);

/**
 * RFC 3463 X.1.7 and X.1.8, RFC 7505 X.7.27: the sender's address and its domain. RFC 5248 X.7.13:
 * the account that sends.
 */
const OF_SENDER: ReadonlySet<string> = new Set(["1.7", "1.8", "7.13", "7.27"]);
/** RFC 3463 X.1.2 and X.1.10: the recipient's domain. */
const OF_DESTINATION: ReadonlySet<string> = new Set(["1.2", "1.10"]);

const SENDER =
  /\bsender(?:s|'s)?\b|\bsending (?:address|domain|user|account)|\bmail ?from\b|\bfrom(?:\b: ?| )(?:address|domain|field)|\bfrom:|\benvelope[- ]from|\breturn[- ]path|\boriginator|\byour (?:e-?mail |from |own )?(?:address|domain|account|mail ?box)\b|\bthe address you (?:are )?send/;
const SESSION =
  /\bhelo\b|\behlo\b|\bip address\b|\baddress ip\b|\bclient (?:host|ip|address)|\b(?:your|remote|connecting|sending) (?:smtp |mail )?(?:host|server|ip|client)\b|\breverse (?:host|dns)|\bptr\b/;
const HEADER = /\bheaders?\b|\b(?:to|cc|reply-to): ?(?:field|line)\b/;
const RECIPIENT =
  /\brecipients?\b|\brcpt\b|\baddressees?\b|\bdestination\b|\bto:? ?<?@|\bdestinat|\bempf(?:a|ae)ng|\bthat you tried to reach\b|\bstoredrv\.deliver\b|получател|收件|宛先|수신/;
const MAILBOX =
  /\bmail ?box(?:es)?\b|\buser(?:s|name)?\b|\baccount\b|\balias\b|\bcustomer\b|\binbox\b/;

/**
 * Number of characters after the wording that decided which may still tell whom it means, as in
 * "user unknown in sender address".
 */
const AFTER_CHARACTERS = 24;

export interface Refused {
  readonly class: BounceClass;
  /** The reply's text as classify.ts prepares it. */
  readonly wording: string;
  /** End offset of the wording that decided; the whole length if a code decided. */
  readonly end: number;
  /** Subject and detail of the enhanced code, e.g. `1.1`. */
  readonly status: string | undefined;
  readonly stage: SmtpStage | null;
}

/** Returns the class itself if the address was refused, else the class of the party that was. */
export function assignBlame({
  class: found,
  wording,
  end,
  status = "",
  stage,
}: Refused): BounceClass {
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
  if (RECIPIENT.test(around)) return found;
  if (OF_SENDER.has(status))
    return status === "7.13" && (/\bmail ?box\b/.test(around) || namesAnAddress(around))
      ? found
      : "InvalidSender";
  if (SENDER.test(around)) return "InvalidSender";
  if (HEADER.test(before)) return "ContentRelated";
  if (SESSION.test(before)) return "PolicyRelated";
  if (status.startsWith("5.") && !MAILBOX.test(around)) return "ProtocolErrors";
  const isLate = stage === "data" || stage === "end";
  return found === "BadDomain" && isLate && !OF_DESTINATION.has(status) ? "InvalidSender" : found;
}

/** True if the text names an address that is not ours. */
function namesAnAddress(wording: string): boolean {
  return / @|^@/.test(wording.replace(/[<>()[\]"',;:]/g, " "));
}
