// Judges the address in RCPT (RFC 5321 §4.1.2, RFC 6531 §3.3) by the rules of the worker
// (src/lib/address.ts). The gateway is deployed alone and can't import them, so
// test/gateway/submission/mailbox-syntax.test.ts compares the two. Pure.
import { Buffer } from "node:buffer";
import { domainToASCII, domainToUnicode } from "node:url";

/** `reason` continues the sentence of the reply. Null: the text is not an address at all. */
export type JudgedMailbox =
  | { readonly kind: "mailbox" }
  | { readonly kind: "malformed"; readonly reason: string | null }
  /** The address is well-formed, but mail to its domain can't be sent. */
  | { readonly kind: "unmailable"; readonly reason: string };

/** Maximum length of a local part (RFC 5321 §4.5.3.1.1). */
const LOCAL_PART_MAX_BYTES = 64;
/** Maximum length of a mail address: of a path without `<` and `>` (RFC 5321 §4.5.3.1.3). */
const MAILBOX_MAX_BYTES = 254;
const DNS_NAME_MAX_CHARACTERS = 253;

const ATOM = "[A-Za-z0-9!#$%&'*+/=?^_`{|}~-]+";
const DOT_ATOM = new RegExp(`^${ATOM}(?:\\.${ATOM})*$`);
const QUOTED_LOCAL_PART = /^"((?:[ !#-[\]-~\u0080-\u{10ffff}]|\\[ -~])+)"@/u;
const DOMAIN = /^[^\s()<>[\]:;@\\,".]+(?:\.[^\s()<>[\]:;@\\,".]+)*$/;
const DOMAIN_LITERAL = /^\[[^[\]\\]+\]$/;
const CONTROL = /[\p{Cc}\u2028\u2029]/u;
const ASCII = /^[\0-\x7f]*$/;
const BEYOND_ASCII = /[\u0080-\u{10ffff}]/gu;
/** Matches a name without the characters that the conversion to ASCII would decode or stop at. */
const CONVERTIBLE = /^[a-z0-9.\u0080-\u{10ffff}-]+$/iu;
const LABEL = /^[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/;
const ENDS_IN_NUMBER = /(?:^|\.)(?:\d+|0x[0-9a-f]*)$/;
/**
 * Non-ASCII characters that show nothing, and unassigned ones. findStrayJoiner() judges the two
 * joiners separately.
 */
const UNSEEN =
  /(?![\u200c\u200d])(?:[^\0-\x7f\P{C}]|[^\0-\x7f\P{Z}]|\p{Default_Ignorable_Code_Point}|\u2800)/u;
const JOINER = /[\u200c\u200d]/;
const BEFORE_JOINER = /\p{L}\p{M}*$/u;
const AFTER_JOINER = /^\p{M}*\p{L}/u;
const NEIGHBOURS = 32;

const MALFORMED: JudgedMailbox = { kind: "malformed", reason: null };

export function judgeMailbox(mailbox: string): JudgedMailbox {
  if (Buffer.byteLength(mailbox) > MAILBOX_MAX_BYTES || CONTROL.test(mailbox)) return MALFORMED;
  const quoted = QUOTED_LOCAL_PART.exec(mailbox);
  const at = quoted ? quoted[0].length - 1 : mailbox.indexOf("@");
  if (at < 1) return MALFORMED;
  const unseen = findUnseen(mailbox);
  if (unseen !== undefined)
    return {
      kind: "malformed",
      reason: `it contains ${unseen}, an invisible or unassigned character`,
    };
  const local = quoted ? minimizeQuotes(quoted[1] ?? "") : mailbox.slice(0, at);
  const domain = mailbox.slice(at + 1);
  const isSound =
    (quoted !== null || isDotAtom(local)) &&
    (DOMAIN.test(domain) || DOMAIN_LITERAL.test(domain)) &&
    Buffer.byteLength(local.normalize("NFC")) <= LOCAL_PART_MAX_BYTES;
  return isSound ? judgeDomain(local, domain) : MALFORMED;
}

function judgeDomain(local: string, domain: string): JudgedMailbox {
  const unmailable = (reason: string): JudgedMailbox => ({ kind: "unmailable", reason });
  if (domain.startsWith("[")) return unmailable("its domain is an IP address");
  const ascii = asciiDomain(domain);
  if (ascii === undefined) return unmailable("its domain is not a valid domain name");
  if (ENDS_IN_NUMBER.test(ascii)) return unmailable("its domain is an IP address");
  if (!ascii.includes(".")) return unmailable("its domain has a single label");
  return Buffer.byteLength(`${local.normalize("NFC")}@${ascii}`) > MAILBOX_MAX_BYTES
    ? unmailable(`it is longer than ${MAILBOX_MAX_BYTES} bytes`)
    : { kind: "mailbox" };
}

/** Returns the ASCII form of a domain name. Undefined: the name has no valid DNS form. */
function asciiDomain(domain: string): string | undefined {
  if (domain.length > DNS_NAME_MAX_CHARACTERS || !CONVERTIBLE.test(domain)) return undefined;
  const ascii = ASCII.test(domain) ? domain.toLowerCase() : domainToASCII(domain);
  const isName =
    ascii.length <= DNS_NAME_MAX_CHARACTERS && ascii.split(".").every((label) => LABEL.test(label));
  return isName && !(ascii.includes("xn--") && hasBrokenALabel(ascii)) ? ascii : undefined;
}

/**
 * Tells whether a label that begins with `xn--` is not valid punycode. domainToUnicode() leaves
 * such a label unchanged.
 */
function hasBrokenALabel(ascii: string): boolean {
  return domainToUnicode(ascii)
    .split(".")
    .some((label) => label.startsWith("xn--"));
}

/** Returns the name of the first invisible or unassigned character, such as `U+200B`. */
function findUnseen(mailbox: string): string | undefined {
  const point = (UNSEEN.exec(mailbox)?.[0] ?? findStrayJoiner(mailbox))?.codePointAt(0);
  return point === undefined ? undefined : `U+${point.toString(16).toUpperCase().padStart(4, "0")}`;
}

/**
 * Finds the first joiner that RFC 5892 A.1 and A.2 do not allow between its neighbours. UTS 46
 * (domainToASCII) applies these rules.
 */
function findStrayJoiner(mailbox: string): string | undefined {
  for (let at = 0; at < mailbox.length; at += 1) {
    const joiner = mailbox.charAt(at);
    if (!JOINER.test(joiner)) continue;
    const before = BEFORE_JOINER.exec(mailbox.slice(Math.max(at - NEIGHBOURS, 0), at))?.[0] ?? "";
    const after = AFTER_JOINER.exec(mailbox.slice(at + 1, at + 1 + NEIGHBOURS))?.[0] ?? "";
    const spans = [before + joiner, before + joiner + after];
    if (!spans.some((span) => domainToASCII(span) !== "")) return joiner;
  }
  return undefined;
}

/** Removes quotes and backslashes that a quoted local part does not need. */
function minimizeQuotes(escaped: string): string {
  const content = escaped.replace(/\\(.)/g, "$1");
  return isDotAtom(content) ? content : `"${content.replace(/["\\]/g, "\\$&")}"`;
}

/**
 * Tells whether a local part is a dot-atom. Every non-ASCII character counts as a letter (RFC 6531
 * §3.3).
 */
function isDotAtom(local: string): boolean {
  return DOT_ATOM.test(local.replace(BEYOND_ASCII, "x"));
}
