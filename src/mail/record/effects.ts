// What a bounce does to its address: whether it suppresses, and whether it counts as hard
// (contract.md §Bounces). Both ask the same: was it the address that the server refused, for good?
// Pure.
import type { BounceDetails, BounceSuppression, Stage } from "../message.ts";

const ADDRESS_REFUSED: ReadonlySet<string> = new Set([
  "InvalidRecipient",
  "BadDomain",
  "InactiveMailbox",
]);

/**
 * Codes with which a server refuses a mailbox (RFC 5321 §4.2.3). Any other 5xx at RCPT TO needs
 * words or an enhanced code that say so.
 */
const CODES_OF_MAILBOXES: ReadonlySet<number | null> = new Set([550, 551, 553]);

// Words of a refusal that is about the sender, the message or the moment. Broader than the bounce
// rules: a doubt keeps the address mailable.
const MARKERS: readonly RegExp[] = [
  // whom it is about, if not the address
  /\byou\b|\byour\b|\bfrom\b|\bonly\b|\bmust\b|\bmember|\bsubscri|\bspace\b|\blog ?in\b|\blist\b|\bmails?\b|message|\baccess\b|\bfile\b|\brecords?\b|\bdsns?\b|bounced|\brule|required|register|transaction|defer|creat|violat/,
  // policy
  /polic|prohibit|forbid|permit|allowed|authori|denied|refus|restrict|accept|\bblock|\bbann|reject|welcome|want|\bchosen?\b|go away/,
  /spam|junk|unsolicited|\bbulk|black|listed|reputation|abuse|complain|suspicious|suspect/, // spam
  // authentication
  /authent|\bspf\b|dkim|dmarc|\bptr\b|reverse|\btls\b|encrypt|relay|sender|\bhelo\b|\behlo\b|\bdomain|\bhost|\bserver|\bip\b|verif/,
  // rate, and a server in trouble
  /\brate|limit|too many|throttl|quota|frequen|exceed|\bfull\b|later|try again|tempor|busy|unavailable|not available|maintenance|internal|error|failure|lookup|database|ldap/,
  /content|virus|malware|attachment|\burls?\b|header|\bsize|too large|syntax|protocol/, // content
  // of these, in other languages
  /\bvoll\b|verweiger|abgelehnt|gesperrt|kontingent|absender|pleine|rejet|expediteur|depass|llen[ao]\b|excedid|cheia|rechaz|remitente|remetente|rifiutat|mittente|piena/,
  /[^\0-\x7f]/, // words that no rule and no marker here can read
];

/**
 * The suppression that follows from a bounce at `at` (Unix milliseconds), or null. `refusedAt`: the
 * stage of the refusal; null: not known.
 */
export function suppressionOf(
  bounce: BounceDetails,
  refusedAt: Stage | null,
  at: number,
): BounceSuppression | null {
  if (!isHardBounce(bounce, refusedAt)) return null;
  return { classification: bounce.classification, smtpCode: bounce.smtpCode, at };
}

/**
 * Whether a bounce refuses the address itself, for good, rather than the message, its sender or the
 * moment.
 */
export function isHardBounce(bounce: BounceDetails, refusedAt: Stage | null): boolean {
  if (bounce.type !== "permanent" || !addressWasKnown(refusedAt)) return false;
  if (bounce.classification !== null && bounce.classification !== "Uncategorized")
    return ADDRESS_REFUSED.has(bounce.classification);
  return (
    refusedAt === "rcpt" &&
    CODES_OF_MAILBOXES.has(bounce.smtpCode) &&
    !carriesMarker(bounce.smtpResponse ?? "")
  );
}

/** A server that refuses before RCPT TO has not heard the address yet. */
function addressWasKnown(stage: Stage | null): boolean {
  return stage === null || stage === "rcpt" || stage === "data" || stage === "end";
}

/** Addresses are taken out first: their words are not the server's. */
function carriesMarker(response: string): boolean {
  const words = response
    .toLowerCase()
    .replace(/[^\s<>()[\]"',;:]+/g, (word) => (word.includes("@") ? "" : word));
  return MARKERS.some((marker) => marker.test(words));
}
