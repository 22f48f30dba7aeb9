// Bounces that only a person was meant to read, which are half of them (contract.md §Bounce
// reports): told from answers, delays and challenges, and searched for the one address that counts.
// In doubt they are nothing. Pure, and linear in the text.
import { type Field, valueOf } from "./report-fields.ts";
import { classify } from "../classify/classify.ts";
import { decodeWords } from "../../lib/mime/encoded-words.ts";
import {
  ANSWER_BEGINS,
  ANSWER_FIELDS,
  ANSWER_SUBJECT,
  ARRIVED,
  ARRIVED_SUBJECT,
  BOUNCE_OPENERS,
  BOUNCE_SUBJECT,
  BOUNCE_WORDS,
  CHALLENGE,
  COPY_BEGINS,
  DAEMON,
  DELAYED,
  DELAYED_SUBJECT,
  GIVEN_UP,
} from "./bounce-texts.ts";
import { decodeOctets } from "./part-text.ts";
import { addressIn, isOwnName, type Likeness, likeness } from "./same-address.ts";

export interface Notice {
  /** What the server says, without the copy of the message. */
  readonly lines: readonly string[];
  /** X-Failed-Recipients (Exim, Gmail). */
  readonly failedRecipients: readonly string[];
  /** Who says it; undefined: From has no address. */
  readonly from: string | undefined;
  /** A mail server sent it, rather than a person who quotes one. */
  readonly isDaemons: boolean;
}

/** What a notice says of a recipient. */
export interface ReportedRecipient {
  /** The closest to the address first. */
  readonly words: readonly string[];
  /** False: the address is not named as it was written to, or not at all. */
  readonly isNamed: boolean;
}

interface Mention {
  readonly index: number;
  readonly address: string;
  readonly about: Likeness;
  /** The line is about this address, rather than naming it. */
  readonly leads: boolean;
}

const NOTICE_LINES = 500;
const LINE_CHARACTERS = 2_000;
const OPENER_CHARACTERS = 8_192;
const HEADER_CHARACTERS = 1_000;
const RECIPIENTS = 50;
/** That are looked at in one notice. */
const ADDRESSES = 200;
const ADDRESS_CHARACTERS = 320;

const WORDS = /[^\s<>()[\]"',;:|=：，；（）《》【】「」、。]+/g;
/**
 * What may stand before an address that a line is about: brackets, and a label such as `Recipient
 * address:`.
 */
const LABEL = /^[\s<>()[\]"'*•-]*(?:[a-z][a-z' .-]{0,40}:[\s<[("']*){0,2}$/i;
/** The message's own header, told again. */
const ECHOED =
  /^\s*(?:to|cc|bcc|from|subject|sent|date|reply-to|(?:\w{1,20} )?message[- ]?id(?:entifier)?|in-reply-to|references|envelope-from|mail from|sender|return-path)\s?:/i;
/** The address before was made from the one that follows. */
const MADE_FROM =
  /(?:generated|expanded|forwarded|redirected|derived|aliased|created|rewritten|original)[\w ]{0,20}[:<\s"'(]{0,10}$/i;
/** A role, or a return-path of ours, whole or cut. */
const SERVICE =
  /^(?:mailer-?daemon|postmaster|abuse|support|helpdesk|hostmaster|webmaster|b\+[a-z2-7]{16,61})$/i;
/** Whom a notice advises its reader to write to. */
const CONTACT =
  /^(?:admin(?:istrator)?|info|help|no-?reply|do-?not-?reply|security|anti-?spam|spam|spamreport|unblock|de-?list(?:ing)?|removal|sysadmin|mail-?(?:admin|master)|contact|kontakt|feedback|noc|network|email-?support|customer-?service|service|name|user(?:name)?|your\w{0,20}|lastname\w{0,20}|firstname\w{0,20})$/i;
/** `<>`, or what some servers write for it. */
const NO_SENDER = /^(?:<\s*>|<?mailer-daemon\b)/i;
const QMAIL_RECIPIENT = /^<[^\s<>@]{1,64}@[^\s<>@]{1,255}>:\s*$/;
/** Classes that only a refusal's words have. */
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
 * Whether a program, or a person, answered the message. Delivery reports carry Auto-Submitted too,
 * so that alone says nothing.
 */
export function isAnswer(header: readonly Field[]): boolean {
  const subject = subjectOf(header);
  return (
    ANSWER_BEGINS.test(subject) ||
    (ANSWER_SUBJECT.test(subject) && !BOUNCE_SUBJECT.test(subject)) ||
    ANSWER_FIELDS.some(([name, value]) => value.test(fieldOf(header, name)))
  );
}

/**
 * The notice in a message's text; undefined: it is no bounce. `isReport`: the message's type says
 * that it is a delivery report.
 */
export function readNotice(
  header: readonly Field[],
  text: readonly string[],
  isReport = false,
): Notice | undefined {
  const lines = withoutCopy(text);
  const said = lines
    .filter((line) => !ECHOED.test(line))
    .join(" ")
    .slice(0, OPENER_CHARACTERS);
  const words = said.replace(/\s+/g, " ").replace(/[’`´]/g, "'").trim().toLowerCase();
  const subject = subjectOf(header);
  if (isAnswer(header) || DELAYED_SUBJECT.test(subject) || isDelay(words)) return undefined;
  if (ARRIVED_SUBJECT.test(subject) || ARRIVED.test(words) || CHALLENGE.test(words))
    return undefined;
  const failedRecipients = fieldOf(header, "x-failed-recipients")
    .split(/[\s,]+/)
    .filter((address) => address.includes("@"));
  const from = fieldOf(header, "from");
  const isDaemons =
    isReport ||
    failedRecipients.length > 0 ||
    isDaemon(from) ||
    (isSentByNobody(header) && BOUNCE_SUBJECT.test(subject));
  const isBounce =
    failedRecipients.length > 0 ||
    BOUNCE_OPENERS.some((opener) => opener.test(words)) ||
    (isDaemons &&
      (BOUNCE_SUBJECT.test(subject) ||
        BOUNCE_WORDS.some((phrase) => phrase.test(words)) ||
        isRefusal(words, lines)));
  return isBounce
    ? {
        lines,
        failedRecipients: failedRecipients.slice(0, RECIPIENTS),
        from: senderIn(from),
        isDaemons,
      }
    : undefined;
}

function isDelay(words: string): boolean {
  return DELAYED.test(words) && !GIVEN_UP.test(words);
}

/**
 * Whether words from a mail server tell of a refusal, as one of its replies would, or are in the
 * form of qmail's: `<address>:` alone on a line.
 */
function isRefusal(words: string, lines: readonly string[]): boolean {
  const said = classify({ code: 550, enhanced: null, text: words, stage: null });
  return REFUSALS.has(said ?? "") || lines.some((line) => QMAIL_RECIPIENT.test(line));
}

/**
 * Whether the envelope had no sender, as a bounce's has none (RFC 5321 §4.5.5); an answer may have
 * none, too, and says that it is one (RFC 3834 §5).
 */
function isSentByNobody(header: readonly Field[]): boolean {
  return (
    NO_SENDER.test(fieldOf(header, "return-path")) &&
    !/^auto-replied/i.test(fieldOf(header, "auto-submitted"))
  );
}

/**
 * What the notice says of `recipient`; undefined when it is about others, or does not say.
 * `sender`: the message's, who is no failed recipient. A notice that a mail server sent and that
 * names nobody is about the recipient whose return-path it came to.
 */
export function wordsAbout(
  notice: Notice,
  recipient: string,
  sender: string,
): ReportedRecipient | undefined {
  const { lines, failedRecipients, from } = notice;
  // it was they who answered
  if (from !== undefined && likeness(from, recipient) === "same") return undefined;
  const mentions = mentionsIn(lines, recipient, sender);
  const others = mentions.filter(({ about, leads }) => about === "other" && leads);
  const listed = failedRecipients.some((address) => likeness(address, recipient) === "same");
  if (failedRecipients.length > 0 && !listed) return undefined;
  const ours = mentions.filter(
    ({ about, leads }) => about !== "other" && (leads || others.length === 0),
  );
  const first = ours.find(({ about }) => about === "same") ?? ours[0];
  const all = lines.join("\n").trim();
  if (!first)
    return untold(notice, recipient, mentions, others.length > 0)
      ? { words: [all], isNamed: listed }
      : undefined;
  const next = others.find(({ index }) => index > first.index);
  const close = lines.slice(first.index, next?.index).join("\n").trim();
  return {
    words: others.length === 0 ? [close, all] : [close],
    isNamed: listed || first.about === "same",
  };
}

/**
 * Whether a notice without the recipient's address can only mean it: nobody else is named, or the
 * mailbox is called by its local part alone.
 */
function untold(
  { lines, isDaemons }: Notice,
  recipient: string,
  mentions: readonly Mention[],
  isAboutOthers: boolean,
): boolean {
  if (!isDaemons || isAboutOthers) return false;
  const strangers = mentions.filter(
    ({ address }) => !CONTACT.test(address.slice(0, address.lastIndexOf("@"))),
  );
  const local = recipient.slice(0, recipient.lastIndexOf("@")).toLowerCase();
  return strangers.length === 0 || lines.some((line) => isAboutLocal(line.toLowerCase(), local));
}

/** `ann    Unknown user` */
function isAboutLocal(line: string, local: string): boolean {
  const at = local.length < 2 ? -1 : line.indexOf(local);
  return (
    at >= 0 &&
    LABEL.test(line.slice(0, at)) &&
    /^(?:[\s>)"',;:]|\.{3}|$)/.test(line.slice(at + local.length))
  );
}

function mentionsIn(lines: readonly string[], recipient: string, sender: string): Mention[] {
  const mentions: Mention[] = [];
  let looked = 0;
  for (const [index, line] of lines.entries()) {
    if (!line.includes("@") || (ECHOED.test(line) && !line.trimEnd().endsWith(":"))) continue;
    let leading = true;
    for (const { address, at } of addressesIn(line)) {
      looked += 1;
      if (looked > ADDRESSES) return mentions;
      const about = likeness(address, recipient);
      const isSource = MADE_FROM.test(line.slice(Math.max(0, at - 100), at));
      const made = isSource && about === "same" ? mentions.at(-1) : undefined;
      if (made && isOwnName(made.address, recipient, undefined))
        mentions.push({ ...made, about: "variant" });
      if (isSource || (about === "other" && isNobody(address, sender))) continue;
      mentions.push({ index, address, about, leads: leading && LABEL.test(line.slice(0, at)) });
      leading = false;
    }
  }
  return mentions;
}

/**
 * Whether X-Failed-Recipients names others alone: Exim's Final-Recipient is the address that it had
 * before it sent the mail on, not the one that failed.
 */
export function failedElsewhere(notice: Notice | undefined, recipient: string): boolean {
  const { failedRecipients = [] } = notice ?? {};
  return (
    failedRecipients.length > 0 &&
    failedRecipients.every(
      (address) =>
        likeness(address, recipient) === "other" && !isOwnName(address, recipient, undefined),
    )
  );
}

/**
 * Whether a server's reply is about an address that is not the recipient's, as when it refused what
 * a forwarding hop sent it.
 */
export function namesAnother(reply: string, recipient: string, sender: string): boolean {
  const named = addressesIn(reply.slice(0, LINE_CHARACTERS)).slice(0, ADDRESSES);
  const others = named.filter(({ address }) => !isNobody(address, sender));
  return (
    others.length > 0 && others.every(({ address }) => likeness(address, recipient) === "other")
  );
}

function addressesIn(text: string): { readonly address: string; readonly at: number }[] {
  return Array.from(text.matchAll(WORDS), ({ 0: word, index: at }) => ({
    address: word.replace(/^\.{1,3}|\.{1,3}$/g, ""),
    at,
  })).filter(({ address }) => {
    const at = address.lastIndexOf("@");
    return at > 0 && address.length <= ADDRESS_CHARACTERS && address.includes(".", at);
  });
}

/** Addresses that a bounce names without telling of them. */
function isNobody(address: string, sender: string): boolean {
  return (
    SERVICE.test(address.slice(0, address.lastIndexOf("@"))) || likeness(address, sender) === "same"
  );
}

function withoutCopy(text: readonly string[]): string[] {
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
  const address = senderIn(text) ?? text;
  return DAEMON.test(address.split("@", 1)[0]?.trim() ?? "") || DAEMON.test(text);
}

function senderIn(from: string): string | undefined {
  const bracketed = from.lastIndexOf("<");
  return addressIn(bracketed < 0 ? from : from.slice(bracketed));
}

function subjectOf(header: readonly Field[]): string {
  return decodeWords(fieldOf(header, "subject")).text.toLowerCase();
}

function fieldOf(header: readonly Field[], name: string): string {
  return decodeOctets((valueOf(header, name) ?? "").slice(0, HEADER_CHARACTERS));
}
