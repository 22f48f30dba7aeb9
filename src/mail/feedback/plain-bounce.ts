// Reads bounces that were written only for people, as half of all bounces are (contract.md §Bounce
// reports). Distinguishes them from replies, delays and challenges, and finds the address that
// failed. In doubt, a message is not a bounce. Pure, and linear in the length of the text.
import { type Field, valueOf } from "./report-fields.ts";
import { classify } from "../../classify/classify.ts";
import { decodeWords } from "../../lib/mime/decode-words.ts";
import {
  AUTO_REPLY_PREFIX,
  AUTO_REPLY_FIELDS,
  AUTO_REPLY_SUBJECT,
  ARRIVED,
  ARRIVED_SUBJECT,
  BOUNCE_OPENERS,
  BOUNCE_SUBJECT,
  BOUNCE_PHRASES_OF_DAEMONS,
  CHALLENGE,
  COPY_BEGINS,
  DAEMON,
  DELAYED,
  DELAYED_SUBJECT,
  GIVEN_UP,
} from "./bounce-texts.ts";
import { decodeOctets } from "./part-text.ts";
import { addressIn, isOwnName, type AddressMatch, compareAddresses } from "./same-address.ts";

export interface Notice {
  /** Lines of the server's text, without the copy of the message. */
  readonly lines: readonly string[];
  /** Addresses in X-Failed-Recipients (Exim, Gmail). */
  readonly failedRecipients: readonly string[];
  /** Address in From. Undefined means that From has no address. */
  readonly from: string | undefined;
  /**
   * True if a mail server sent the notice. If false, the sender may be a person who quotes a
   * notice.
   */
  readonly isFromDaemon: boolean;
}

/** The part of a notice that concerns one recipient. */
export interface ReportedRecipient {
  /** Texts from which a reply may be read. The text closest to the address comes first. */
  readonly texts: readonly string[];
  /** False if the notice does not contain the address in the form that the message used. */
  readonly isNamed: boolean;
}

interface Mention {
  readonly index: number;
  readonly address: string;
  readonly about: AddressMatch;
  /** True if the line is about this address and does not merely mention it. */
  readonly leads: boolean;
}

const NOTICE_LINES = 500;
const LINE_CHARACTERS = 2_000;
const OPENER_CHARACTERS = 8_192;
const HEADER_CHARACTERS = 1_000;
const RECIPIENTS_READ = 50;
/** Maximum number of addresses that are examined in one notice. */
const ADDRESSES_EXAMINED = 200;
const ADDRESS_CHARACTERS = 320;

const WORDS = /[^\s<>()[\]"',;:|=：，；（）《》【】「」、。]+/g;
/**
 * Text that may come before an address in a line about that address: brackets, and a label such as
 * `Recipient address:`.
 */
const LABEL = /^[\s<>()[\]"'*•-]*(?:[a-z][a-z' .-]{0,40}:[\s<[("']*){0,2}$/i;
/** Matches lines that repeat the message's own header. */
const REPEATED_HEADER =
  /^\s*(?:to|cc|bcc|from|subject|sent|date|reply-to|(?:\w{1,20} )?message[- ]?id(?:entifier)?|in-reply-to|references|envelope-from|mail from|sender|return-path)\s?:/i;
/** Phrases which say that the address before the phrase was derived from the address after it. */
const DERIVED_FROM =
  /(?:generated|expanded|forwarded|redirected|derived|aliased|created|rewritten|original)[\w ]{0,20}[:<\s"'(]{0,10}$/i;
/**
 * Local parts that are never the failed recipient: roles, and the service's own return-paths,
 * complete or cut off.
 */
const SERVICE =
  /^(?:mailer-?daemon|postmaster|abuse|support|helpdesk|hostmaster|webmaster|b\+[a-z2-7]{16,61})$/i;
/** Contact addresses that a notice recommends to its reader. */
const CONTACT =
  /^(?:admin(?:istrator)?|info|help|no-?reply|do-?not-?reply|security|anti-?spam|spam|spamreport|unblock|de-?list(?:ing)?|removal|sysadmin|mail-?(?:admin|master)|contact|kontakt|feedback|noc|network|email-?support|customer-?service|service|name|user(?:name)?|your\w{0,20}|lastname\w{0,20}|firstname\w{0,20})$/i;
/** `<>`, or a name that some servers write instead of `<>`. */
const NO_SENDER = /^(?:<\s*>|<?mailer-daemon\b)/i;
const QMAIL_RECIPIENT = /^<[^\s<>@]{1,64}@[^\s<>@]{1,255}>:\s*$/;
/** Bounce classes that only the text of a refusal can show. */
const REFUSALS: ReadonlySet<string> = new Set([
  "InvalidRecipient",
  "InactiveMailbox",
  "QuotaIssues",
  "BadDomain",
  "SpamBlock",
  "SpamContent",
  "PolicyRelated",
  "RelayDenied",
  "VirusRelated",
  "ProhibitedAttachment",
  "AuthenticationFailed",
]);

/**
 * Returns whether a program or a person replied to the message. Auto-Submitted alone proves
 * nothing, because delivery reports have it too.
 */
export function isAutoReply(header: readonly Field[]): boolean {
  const subject = subjectOf(header);
  return (
    AUTO_REPLY_PREFIX.test(subject) ||
    (AUTO_REPLY_SUBJECT.test(subject) && !BOUNCE_SUBJECT.test(subject)) ||
    AUTO_REPLY_FIELDS.some(([name, value]) => value.test(fieldOf(header, name)))
  );
}

/**
 * Reads the notice in a message's text. Undefined means that the message is not a bounce.
 * `isReport` is true if the message's type is a delivery report.
 */
export function readNotice(
  header: readonly Field[],
  text: readonly string[],
  isReport = false,
): Notice | undefined {
  const lines = cutOffCopy(text);
  const ownText = lines
    .filter((line) => !REPEATED_HEADER.test(line))
    .join(" ")
    .slice(0, OPENER_CHARACTERS);
  const wording = ownText.replace(/\s+/g, " ").replace(/[’`´]/g, "'").trim().toLowerCase();
  const subject = subjectOf(header);
  if (isAutoReply(header) || DELAYED_SUBJECT.test(subject) || isDelay(wording)) return undefined;
  if (ARRIVED_SUBJECT.test(subject) || ARRIVED.test(wording) || CHALLENGE.test(wording))
    return undefined;
  const failedRecipients = fieldOf(header, "x-failed-recipients")
    .split(/[\s,]+/)
    .filter((address) => address.includes("@"));
  const from = fieldOf(header, "from");
  const isFromDaemon =
    isReport ||
    failedRecipients.length > 0 ||
    isDaemon(from) ||
    (hasNullSender(header) && BOUNCE_SUBJECT.test(subject));
  const isBounce =
    failedRecipients.length > 0 ||
    BOUNCE_OPENERS.some((opener) => opener.test(wording)) ||
    (isFromDaemon &&
      (BOUNCE_SUBJECT.test(subject) ||
        BOUNCE_PHRASES_OF_DAEMONS.some((phrase) => phrase.test(wording)) ||
        isRefusal(wording, lines)));
  return isBounce
    ? {
        lines,
        failedRecipients: failedRecipients.slice(0, RECIPIENTS_READ),
        from: readSender(from),
        isFromDaemon,
      }
    : undefined;
}

function isDelay(wording: string): boolean {
  return DELAYED.test(wording) && !GIVEN_UP.test(wording);
}

/**
 * Returns whether the text of a mail server reports a refusal: the text reads like a refusing SMTP
 * reply, or has qmail's form with `<address>:` alone on a line.
 */
function isRefusal(wording: string, lines: readonly string[]): boolean {
  const classification = classify({ code: 550, enhanced: null, text: wording, stage: null });
  return REFUSALS.has(classification ?? "") || lines.some((line) => QMAIL_RECIPIENT.test(line));
}

/**
 * Returns whether the envelope had no sender, as in a bounce (RFC 5321 §4.5.5). An automatic reply
 * may have no sender either, but its header shows that it is a reply (RFC 3834 §5).
 */
function hasNullSender(header: readonly Field[]): boolean {
  return (
    NO_SENDER.test(fieldOf(header, "return-path")) &&
    !/^auto-replied/i.test(fieldOf(header, "auto-submitted"))
  );
}

/**
 * Returns the part of the notice that concerns `recipient`. Undefined means that the notice is
 * about other recipients, or does not clearly name a recipient. `sender` is the message's sender,
 * who is never the failed recipient. If a mail server's notice names no address, it concerns the
 * recipient whose return-path received it.
 */
export function readReportedRecipient(
  notice: Notice,
  recipient: string,
  sender: string,
): ReportedRecipient | undefined {
  const { lines, failedRecipients, from } = notice;
  // A notice that the recipient sent is a reply.
  if (from !== undefined && compareAddresses(from, recipient) === "same") return undefined;
  const mentions = findMentions(lines, recipient, sender);
  const others = mentions.filter(({ about, leads }) => about === "other" && leads);
  const listed = failedRecipients.some(
    (address) => compareAddresses(address, recipient) === "same",
  );
  if (failedRecipients.length > 0 && !listed) return undefined;
  const ours = mentions.filter(
    ({ about, leads }) => about !== "other" && (leads || others.length === 0),
  );
  const first = ours.find(({ about }) => about === "same") ?? ours[0];
  const all = lines.join("\n").trim();
  if (!first)
    return impliesRecipient(notice, recipient, mentions, others.length > 0)
      ? { texts: [all], isNamed: listed }
      : undefined;
  const next = others.find(({ index }) => index > first.index);
  const close = lines.slice(first.index, next?.index).join("\n").trim();
  return {
    texts: others.length === 0 ? [close, all] : [close],
    isNamed: listed || first.about === "same",
  };
}

/**
 * Returns whether a notice without the recipient's address can only mean the recipient. It can if
 * the notice names no other address, or contains only the local part of the mailbox.
 */
function impliesRecipient(
  { lines, isFromDaemon }: Notice,
  recipient: string,
  mentions: readonly Mention[],
  isAboutOthers: boolean,
): boolean {
  if (!isFromDaemon || isAboutOthers) return false;
  const others = mentions.filter(
    ({ address }) => !CONTACT.test(address.slice(0, address.lastIndexOf("@"))),
  );
  const local = recipient.slice(0, recipient.lastIndexOf("@")).toLowerCase();
  return others.length === 0 || lines.some((line) => isAboutLocal(line.toLowerCase(), local));
}

/** Returns whether a line is about the recipient's local part, such as `ann    Unknown user`. */
function isAboutLocal(line: string, local: string): boolean {
  const at = local.length < 2 ? -1 : line.indexOf(local);
  return (
    at >= 0 &&
    LABEL.test(line.slice(0, at)) &&
    /^(?:[\s>)"',;:]|\.{3}|$)/.test(line.slice(at + local.length))
  );
}

function findMentions(lines: readonly string[], recipient: string, sender: string): Mention[] {
  const mentions: Mention[] = [];
  let examined = 0;
  for (const [index, line] of lines.entries()) {
    if (!line.includes("@") || (REPEATED_HEADER.test(line) && !line.trimEnd().endsWith(":")))
      continue;
    let isFirst = true;
    for (const { address, at } of findAddresses(line)) {
      examined += 1;
      if (examined > ADDRESSES_EXAMINED) return mentions;
      const about = compareAddresses(address, recipient);
      const isSource = DERIVED_FROM.test(line.slice(Math.max(0, at - 100), at));
      const derived = isSource && about === "same" ? mentions.at(-1) : undefined;
      if (derived && isOwnName(derived.address, recipient, undefined))
        mentions.push({ ...derived, about: "variant" });
      if (isSource || (about === "other" && isUninvolved(address, sender))) continue;
      mentions.push({ index, address, about, leads: isFirst && LABEL.test(line.slice(0, at)) });
      isFirst = false;
    }
  }
  return mentions;
}

/**
 * Returns whether X-Failed-Recipients names only other addresses. In Exim's reports,
 * Final-Recipient is the address before Exim forwarded the mail, and not the address that failed.
 */
export function namesOnlyOthers(notice: Notice | undefined, recipient: string): boolean {
  const { failedRecipients = [] } = notice ?? {};
  return (
    failedRecipients.length > 0 &&
    failedRecipients.every(
      (address) =>
        compareAddresses(address, recipient) === "other" &&
        !isOwnName(address, recipient, undefined),
    )
  );
}

/**
 * Returns whether a server's reply is about another address than the recipient's, such as a reply
 * to a forwarding hop.
 */
export function namesAnother(reply: string, recipient: string, sender: string): boolean {
  const named = findAddresses(reply.slice(0, LINE_CHARACTERS)).slice(0, ADDRESSES_EXAMINED);
  const others = named.filter(({ address }) => !isUninvolved(address, sender));
  return (
    others.length > 0 &&
    others.every(({ address }) => compareAddresses(address, recipient) === "other")
  );
}

function findAddresses(text: string): { readonly address: string; readonly at: number }[] {
  return Array.from(text.matchAll(WORDS), ({ 0: word, index: at }) => ({
    address: word.replace(/^\.{1,3}|\.{1,3}$/g, ""),
    at,
  })).filter(({ address }) => {
    const at = address.lastIndexOf("@");
    return at > 0 && address.length <= ADDRESS_CHARACTERS && address.includes(".", at);
  });
}

/** Returns whether a bounce mentions the address but does not report on it. */
function isUninvolved(address: string, sender: string): boolean {
  return (
    SERVICE.test(address.slice(0, address.lastIndexOf("@"))) ||
    compareAddresses(address, sender) === "same"
  );
}

function cutOffCopy(text: readonly string[]): string[] {
  const lines: string[] = [];
  for (const line of text.slice(0, NOTICE_LINES)) {
    const cut = line.slice(0, LINE_CHARACTERS);
    const plain = cut.trim().toLowerCase();
    if (COPY_BEGINS.some((begins) => begins.test(plain))) break;
    lines.push(cut);
  }
  return lines;
}

function isDaemon(from: string): boolean {
  const text = decodeWords(from).text.toLowerCase();
  const address = readSender(text) ?? text;
  return DAEMON.test(address.split("@", 1)[0]?.trim() ?? "") || DAEMON.test(text);
}

function readSender(from: string): string | undefined {
  const bracketed = from.lastIndexOf("<");
  return addressIn(bracketed < 0 ? from : from.slice(bracketed));
}

function subjectOf(header: readonly Field[]): string {
  return decodeWords(fieldOf(header, "subject")).text.toLowerCase();
}

function fieldOf(header: readonly Field[], name: string): string {
  return decodeOctets((valueOf(header, name) ?? "").slice(0, HEADER_CHARACTERS));
}
