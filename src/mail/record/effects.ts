// Decides whether a bounce suppresses its address and whether it counts as hard (contract.md
// §Bounces). Both depend on whether the server permanently refused the address itself. Pure.
import type { BounceDetails, BounceSuppression } from "../message.ts";
import type { SmtpStage } from "../../../smtp-gateway/src/smtp/smtp-reply.ts";

const ADDRESS_REFUSED: ReadonlySet<string> = new Set([
  "InvalidRecipient",
  "BadDomain",
  "InactiveMailbox",
]);

/**
 * Reply codes that refuse a mailbox (RFC 5321 §4.2.3). Any other 5xx at RCPT TO refuses the mailbox
 * only if its text or its enhanced code says so.
 */
const CODES_OF_MAILBOXES: ReadonlySet<number | null> = new Set([550, 551, 553]);

// Words in refusals that concern the sender, the message or a temporary state. These patterns are
// broader than the bounce rules, because in doubt the address is not suppressed.
const MARKERS: readonly RegExp[] = [
  // words about a person or a thing other than the address
  /\byou\b|\byour\b|\bfrom\b|\bonly\b|\bmust\b|\bmember|\bsubscri|\bspace\b|\blog(?:ged)? ?in\b|\blist\b|\bmails?\b|message|\baccess\b|\bfile\b|\brecords?\b|\bdsns?\b|bounced|\brule|required|register|transaction|defer|creat|violat/,
  // policy
  /polic|prohibit|forbid|permit|allowed|authori|denied|refus|restrict|accept|\bblock|\bbann|reject|welcome|want|\bchosen?\b|go away/,
  /spam|junk|unsolicited|\bbulk|black|listed|reputation|abuse|complain|suspicious|suspect/, // spam
  // authentication
  /authent|\bauth\b|\bspf\b|dkim|dmarc|\bptr\b|reverse|\btls\b|encrypt|relay|sender|\bhelo\b|\behlo\b|\bdomain|\bhost|\bserver|\bip\b|verif/,
  // rate limits, and servers with problems of their own
  /\brate|limit|too many|throttl|quota|frequen|exceed|excess|\brights\b|outsid|standing|\bfull\b|later|try again|tempor|busy|unavailable|not available|maintenance|internal|error|failure|lookup|database|ldap/,
  // words for objects that are neither addresses nor mailboxes
  /\bkeys?\b|certificat|\btokens?\b|signature|password|credential|\bsubmission|\bprocess|\bprogram|\bcommand|\bparameter|\boption|\bfolder|\bdirectory\b|\bqueue|\bservice|\block|\bunable\b|\bcan(?:not|'t| not)\b|\bcould\b|connect|\bsession|\bexpired/,
  // words for services and parts of the protocol
  /\w{3,32}(?:(?<!destina)tion|ment|ware)s?\b|\w{3,32}(?<!miss|exist)ing\b|starttls|smtputf8|feature|filter|forward|envelope|licen[sc]e|repl(?:y|ies)\b|responder|callout|deliver|transport|\bbook\b|protect/,
  /content|virus|malware|attachment|\burls?\b|header|\bsize|too large|syntax|protocol/, // content
  // words such as "full", "refused" and "sender" in other languages
  /\bvoll\b|verweiger|abgelehnt|gesperrt|kontingent|absender|pleine|rejet|expediteur|depass|llen[ao]\b|excedid|cheia|rechaz|remitente|remetente|rifiutat|mittente|piena/,
  /[^\0-\x7f]/, // texts that the rules and these markers cannot read
];

/**
 * Returns the suppression that follows from a bounce at `at` (Unix milliseconds). Null means that
 * no suppression follows. `refusedAt` is the stage of the refusal. Null means that the stage is
 * unknown.
 */
export function suppressionOf(
  bounce: BounceDetails,
  refusedAt: SmtpStage | null,
  at: number,
): BounceSuppression | null {
  if (!isHardBounce(bounce, refusedAt)) return null;
  return { classification: bounce.classification, smtpCode: bounce.smtpCode, at };
}

/**
 * Returns whether a bounce permanently refuses the address itself, and not the message, its sender
 * or a temporary state.
 */
function isHardBounce(bounce: BounceDetails, refusedAt: SmtpStage | null): boolean {
  if (bounce.type !== "permanent" || !knowsAddress(refusedAt)) return false;
  if (bounce.classification !== null && bounce.classification !== "Uncategorized")
    return ADDRESS_REFUSED.has(bounce.classification);
  return (
    refusedAt === "rcpt" &&
    CODES_OF_MAILBOXES.has(bounce.smtpCode) &&
    !hasMarker(bounce.smtpResponse ?? "")
  );
}

/** Returns whether the server knew the address, because it did not refuse before RCPT TO. */
function knowsAddress(stage: SmtpStage | null): boolean {
  return stage === null || stage === "rcpt" || stage === "data" || stage === "end";
}

/**
 * Returns whether a reply has a marker outside its addresses. Words inside an address do not count,
 * because the server did not choose them.
 */
function hasMarker(response: string): boolean {
  const words = response
    .toLowerCase()
    .replace(/\.{2,8}/g, " ")
    .replace(/[^\s<>()[\]"',;:]+/g, (word) => (word.includes("@") ? "" : word));
  return MARKERS.some((marker) => marker.test(words));
}
