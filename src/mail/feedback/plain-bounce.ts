// Bounces that only a person was meant to read, which are half of them (design.md section 6): told from answers, delays and challenges, and searched for the
// one address that counts. In doubt they are nothing. Pure, and linear in the text.
import { type Field, valueOf } from "./fields.ts";
import { decodeWords } from "../../lib/encoded-words.ts";
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
} from "./bounce-texts.ts";
import { decodeOctets } from "./part-text.ts";
import { addressIn, likeness } from "./same-address.ts";

export interface Notice {
  /** What the server says, without the copy of the message. */
  readonly lines: readonly string[];
  /** X-Failed-Recipients (Exim, Gmail). */
  readonly failedRecipients: readonly string[];
  /** Who says it; undefined: From has no address. */
  readonly from: string | undefined;
}

interface Mention {
  readonly index: number;
  readonly isOurs: boolean;
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
/** What may stand before an address that a line is about: brackets, and a label such as `Recipient address:`. */
const LABEL = /^[\s<>()[\]"'*•-]*(?:[a-z][a-z' .-]{0,40}:[\s<[("']*){0,2}$/i;
/** The message's own header, told again. */
const ECHOED =
  /^\s*(?:to|cc|bcc|from|subject|sent|date|reply-to|(?:\w{1,20} )?message[- ]?id(?:entifier)?|in-reply-to|references|envelope-from|mail from|sender|return-path)\s?:/i;
/** The address before was made from the one that follows. */
const MADE_FROM = /(?:generated|expanded|forwarded|redirected|derived|aliased|created|rewritten|original)[\w ]{0,20}[:<\s"'(]{0,10}$/i;
const SERVICE = /^(?:mailer-?daemon|postmaster|abuse|support|helpdesk|hostmaster|webmaster|b\+[a-z2-7]{56})$/i;

/** Whether a program, or a person, answered the message. Delivery reports carry Auto-Submitted too, so that alone says nothing. */
export function isAnswer(header: readonly Field[]): boolean {
  const subject = subjectOf(header);
  return (
    ANSWER_BEGINS.test(subject) ||
    (ANSWER_SUBJECT.test(subject) && !BOUNCE_SUBJECT.test(subject)) ||
    ANSWER_FIELDS.some(([name, value]) => value.test(fieldOf(header, name)))
  );
}

/** The notice in a message's text; undefined: it is no bounce. */
export function readNotice(header: readonly Field[], text: readonly string[]): Notice | undefined {
  const lines = withoutCopy(text);
  const said = lines
    .filter((line) => !ECHOED.test(line))
    .join(" ")
    .slice(0, OPENER_CHARACTERS);
  const words = said.replace(/\s+/g, " ").replace(/[’`´]/g, "'").trim().toLowerCase();
  const subject = subjectOf(header);
  if (isAnswer(header) || DELAYED_SUBJECT.test(subject) || DELAYED.test(words)) return undefined;
  if (ARRIVED_SUBJECT.test(subject) || ARRIVED.test(words) || CHALLENGE.test(words)) return undefined;
  const failedRecipients = fieldOf(header, "x-failed-recipients")
    .split(/[\s,]+/)
    .filter((address) => address.includes("@"));
  const from = fieldOf(header, "from");
  const isBounce =
    failedRecipients.length > 0 ||
    BOUNCE_OPENERS.some((opener) => opener.test(words)) ||
    (isDaemon(from) && (BOUNCE_SUBJECT.test(subject) || BOUNCE_WORDS.some((phrase) => phrase.test(words))));
  return isBounce ? { lines, failedRecipients: failedRecipients.slice(0, RECIPIENTS), from: senderIn(from) } : undefined;
}

/**
 * What the notice says of `recipient`, the closest to its address first; undefined when it is about others, or does not say. `sender`: the message's,
 * who is no failed recipient.
 */
export function wordsAbout(notice: Notice, recipient: string, sender: string): readonly string[] | undefined {
  const { lines, failedRecipients, from } = notice;
  if (from !== undefined && likeness(from, recipient) === "same") return undefined; // it was they who answered
  const mentions = mentionsIn(lines, recipient, sender);
  const others = mentions.filter(({ isOurs, leads }) => !isOurs && leads);
  const named = failedRecipients.some((address) => likeness(address, recipient) === "same");
  if (failedRecipients.length > 0 && !named) return undefined;
  const first = mentions.find(({ isOurs, leads }) => isOurs && (leads || others.length === 0));
  const all = lines.join("\n").trim();
  if (!first) return named && others.length === 0 ? [all] : undefined;
  const next = others.find(({ index }) => index > first.index);
  const close = lines.slice(first.index, next?.index).join("\n").trim();
  return others.length === 0 ? [close, all] : [close];
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
      const isOurs = likeness(address, recipient) === "same";
      if (MADE_FROM.test(line.slice(Math.max(0, at - 100), at)) || (!isOurs && isNobody(address, sender))) continue;
      mentions.push({ index, isOurs, leads: leading && LABEL.test(line.slice(0, at)) });
      leading = false;
    }
  }
  return mentions;
}

/** Whether a server's reply is about an address that is not the recipient's, as when it refused what a forwarding hop sent it. */
export function namesAnother(reply: string, recipient: string, sender: string): boolean {
  const named = addressesIn(reply.slice(0, LINE_CHARACTERS)).slice(0, ADDRESSES);
  const others = named.filter(({ address }) => !isNobody(address, sender));
  return others.length > 0 && others.every(({ address }) => likeness(address, recipient) === "other");
}

function addressesIn(text: string): { readonly address: string; readonly at: number }[] {
  return Array.from(text.matchAll(WORDS), ({ 0: word, index: at }) => ({ address: word.replace(/^\.{1,3}|\.{1,3}$/g, ""), at })).filter(
    ({ address }) => {
      const at = address.lastIndexOf("@");
      return at > 0 && address.length <= ADDRESS_CHARACTERS && address.includes(".", at);
    },
  );
}

/** Addresses that a bounce names without telling of them. */
function isNobody(address: string, sender: string): boolean {
  return SERVICE.test(address.slice(0, address.lastIndexOf("@"))) || likeness(address, sender) === "same";
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
