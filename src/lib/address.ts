// Parses one mail address: `addr@host` or `Display Name <addr@host>` (RFC 5322 §3.4 mailbox without
// comments, groups or folding), with non-ASCII local parts (RFC 6531). parseMailbox() accepts only
// this grammar; parseWrittenMailbox() also accepts display names as people write them. An address
// is `unmailable` if its host cannot receive mail over the public DNS. A text without an address is
// `invalid`. Pure.
import { domainToASCII } from "node:url";
import { asciiDomain, endsInNumber } from "./idna.ts";

export interface ParsedMailbox {
  /**
   * The local part is as given, but quoted only if necessary, and in NFC if it is not ASCII. The
   * domain is lower-case ASCII.
   */
  readonly email: string;
  readonly domain: string;
  /** Display name, or null when it is missing or blank. */
  readonly name: string | null;
}

export type ParsedAddress =
  | { readonly kind: "mailbox"; readonly mailbox: ParsedMailbox }
  /**
   * A syntactically valid address whose host cannot receive mail. `email` is the address as given,
   * but its local part has the form that ParsedMailbox describes.
   */
  | { readonly kind: "unmailable"; readonly email: string; readonly problem: string }
  | { readonly kind: "invalid"; readonly problem: string };

const ADDRESS_TEXT_CHARACTERS = 1_000;
const LOCAL_PART_BYTES = 64;
const ADDRESS_BYTES = 254;

const ATOM = "[A-Za-z0-9!#$%&'*+/=?^_`{|}~-]+";
const DOT_ATOM = new RegExp(`^${ATOM}(?:\\.${ATOM})*$`);
/**
 * Characters of an unquoted display name. RFC 5322 allows a dot only in the obsolete obs-phrase,
 * but a dot is common in practice.
 */
const WORD_CHARACTER = /[A-Za-z0-9!#$%&'*+/=?^_`{|}~.\u00a0-\uffff-]/;
const QUOTED_LOCAL_PART = /^"((?:[ !#-[\]-~\u0080-\u{10ffff}]|\\[ -~])+)"@/u;
const DOMAIN = /^[^\s()<>[\]:;@\\,".]+(?:\.[^\s()<>[\]:;@\\,".]+)*$/;
const DOMAIN_LITERAL = /^\[[^[\]\\]+\]$/;
const CONTROL = /[\p{Cc}\u2028\u2029]/u;
const NON_ASCII = /[\u0080-\uffff]/;
const BYTE_ORDER_MARK = "\ufeff";
/** Matches an address inside a text. */
const ADDRESS = /(?<![^\s@<>()[\],;:"'])[^\s@<>()[\],;:"']+@[^\s@<>()[\],;:"']+/g;
const NON_ASCII_CHARACTERS = /[\u0080-\u{10ffff}]/gu;

/**
 * Non-ASCII white space, control characters, unassigned code points, the blank of Braille, and
 * characters that are displayed as nothing (Unicode's Default_Ignorable_Code_Point). The two
 * joiners U+200C and U+200D are excluded: findStrayJoiner() judges them by the characters beside
 * them.
 */
const UNSEEN =
  /(?![\u200c\u200d])(?:[^\0-\x7f\P{C}]|[^\0-\x7f\P{Z}]|\p{Default_Ignorable_Code_Point}|\u2800)/u;
const JOINER = /[\u200c\u200d]/;
/**
 * BEFORE finds the letter, with its marks, that ends the text before a joiner. AFTER finds the
 * first letter, with the marks before it, of the text after a joiner.
 */
const BEFORE = /\p{L}\p{M}*$/u;
const AFTER = /^\p{M}*\p{L}/u;
const NEIGHBOURS = 32;

const NO_ADDRESS = "is not an email address";

/**
 * Parses one address. A problem is a phrase that continues the field's name, such as "is not an
 * email address".
 */
export function parseMailbox(text: string): ParsedAddress {
  if (text.length > ADDRESS_TEXT_CHARACTERS) return invalid("is too long for an email address");
  if (CONTROL.test(text)) return invalid(`${NO_ADDRESS}: it holds a control character`);
  const trimmed = text.trim();
  // An address with a byte order mark is invalid, but trim() would remove the mark.
  if (!trimmed.endsWith(">"))
    return parseAddrSpec(text.includes(BYTE_ORDER_MARK) ? text : trimmed, null);
  const phrase = readPhrase(trimmed);
  return phrase
    ? parseAddrSpec(trimmed.slice(phrase.end + 1, -1), phrase.name.trim() || null)
    : invalid(NO_ADDRESS);
}

/**
 * Parses one address whose display name may be written as people write it: `Acme, Inc. <a@x>`, `Ann
 * (Sales) <a@x>`, `[Acme] <a@x>`, or with an unmatched quote. The text before the last `<...>` is
 * the name. Refuses a name that contains another address outside its quotes, because the text may
 * be a list.
 */
export function parseWrittenMailbox(text: string): ParsedAddress {
  const strict = parseMailbox(text);
  const trimmed = text.length > ADDRESS_TEXT_CHARACTERS ? "" : text.trim();
  if (strict.kind !== "invalid" || !trimmed.endsWith(">") || CONTROL.test(text)) return strict;
  const open = trimmed.lastIndexOf("<");
  if (open < 0) return strict;
  const { name, unquoted } = readDisplayName(trimmed.slice(0, open));
  const parsed = parseAddrSpec(trimmed.slice(open + 1, -1), name || null);
  if (parsed.kind !== "mailbox") return parsed;
  const { email } = parsed.mailbox;
  const others = (unquoted.match(ADDRESS) ?? []).filter(
    (address) => address.toLowerCase() !== email.toLowerCase(),
  );
  return others.length > 0 ? invalid(NO_ADDRESS) : parsed;
}

/**
 * Parses a mailbox that a request contains. Removes line breaks instead of refusing them. If there
 * were line breaks, all text before the `<` becomes the display name. Refuses other control
 * characters.
 */
export function parseGivenMailbox(given: string): ParsedAddress {
  const text = given.replace(/[\r\n]+/g, "");
  const [, name, address] = (text === given ? null : /^([^"<>]+)(<[^<>]*>\s*)$/.exec(text)) ?? [];
  return parseWrittenMailbox(
    name === undefined ? text : `"${name.trim().replaceAll("\\", "\\\\")}" ${address}`,
  );
}

function parseAddrSpec(text: string, name: string | null): ParsedAddress {
  const quoted = QUOTED_LOCAL_PART.exec(text);
  const at = quoted ? quoted[0].length - 1 : text.indexOf("@");
  if (at < 1) return invalid(NO_ADDRESS);
  const local = quoted ? unquoteLocalPart(quoted[1] ?? "") : text.slice(0, at);
  const domain = text.slice(at + 1);
  const unseen = NON_ASCII.test(text) ? findUnseen(text) : undefined;
  if (unseen !== undefined)
    return invalid(`${NO_ADDRESS}: it contains ${unseen}, an invisible or unassigned character`);
  if (!quoted && !isDotAtom(local)) return invalid(NO_ADDRESS);
  if (!DOMAIN.test(domain) && !DOMAIN_LITERAL.test(domain)) return invalid(NO_ADDRESS);
  const composed = NON_ASCII.test(local) ? local.normalize("NFC") : local;
  const bytes = bytesOf(composed);
  if (bytes > LOCAL_PART_BYTES)
    return invalid(`${NO_ADDRESS}: its local part is longer than ${LOCAL_PART_BYTES} bytes`);
  if (bytes + 1 + domain.length > ADDRESS_BYTES)
    return invalid(`${NO_ADDRESS}: it is longer than ${ADDRESS_BYTES} bytes`);
  return checkRoutable(composed, domain, name);
}

/**
 * Returns the name of the first invisible or unassigned character of an address, such as `U+200B`.
 * Undefined: the address has no such character.
 */
function findUnseen(address: string): string | undefined {
  const found = UNSEEN.exec(address)?.[0] ?? findStrayJoiner(address);
  return found === undefined ? undefined : codePointName(found);
}

/** Finds the first joiner that RFC 5892 A.1 and A.2 do not allow between its neighbours. */
function findStrayJoiner(address: string): string | undefined {
  if (!JOINER.test(address)) return undefined;
  for (let at = 0; at < address.length; at += 1) {
    const joiner = address.charAt(at);
    if (!JOINER.test(joiner)) continue;
    const before = BEFORE.exec(address.slice(Math.max(at - NEIGHBOURS, 0), at))?.[0] ?? "";
    const after = AFTER.exec(address.slice(at + 1, at + 1 + NEIGHBOURS))?.[0] ?? "";
    if (!isLabel(before + joiner) && !isLabel(before + joiner + after)) return joiner;
  }
  return undefined;
}

/**
 * Tells whether UTS 46 allows the text as a label of a domain. UTS 46 judges joiners by RFC 5892,
 * so it refuses a label whose joiner follows no letter.
 */
function isLabel(text: string): boolean {
  return domainToASCII(text) !== "";
}

function codePointName(character: string): string {
  const digits = (character.codePointAt(0) ?? 0).toString(16).toUpperCase();
  return `U+${digits.padStart(4, "0")}`;
}

function checkRoutable(local: string, domain: string, name: string | null): ParsedAddress {
  const unmailable = (reason: string): ParsedAddress => ({
    kind: "unmailable",
    email: `${local}@${domain}`,
    problem: `cannot be mailed: ${reason}`,
  });
  if (domain.startsWith("[")) return unmailable("its domain is an IP address");
  const ascii = asciiDomain(domain);
  if (ascii === undefined) return unmailable("its domain is not a valid domain name");
  if (endsInNumber(ascii)) return unmailable("its domain is an IP address");
  if (!ascii.includes(".")) return unmailable("its domain has a single label");
  const email = `${local}@${ascii}`;
  if (bytesOf(email) > ADDRESS_BYTES) return unmailable(`it is longer than ${ADDRESS_BYTES} bytes`);
  return { kind: "mailbox", mailbox: { email, domain: ascii, name } };
}

/**
 * Reads the display name before the angle bracket. Returns it with the bracket's index, or
 * undefined when the text is not a phrase.
 */
function readPhrase(text: string): { readonly name: string; readonly end: number } | undefined {
  let name = "";
  let index = 0;
  while (index < text.length) {
    const character = text.charAt(index);
    if (character === "<") return { name, end: index };
    if (character === '"') {
      const string = readQuotedString(text, index);
      if (!string) return undefined;
      name += string.content;
      index = string.end;
    } else if (character === " ") {
      name += name.endsWith(" ") ? "" : " ";
    } else if (WORD_CHARACTER.test(character)) {
      name += character;
    } else {
      return undefined;
    }
    index += 1;
  }
  return undefined;
}

/**
 * Reads a display name. Returns it without quotes and escapes, and also returns the text outside
 * its quotes. An unmatched quote is dropped at either end of the name and kept elsewhere.
 */
function readDisplayName(text: string): { readonly name: string; readonly unquoted: string } {
  let name = "";
  let unquoted = "";
  let isUnpaired = false;
  for (let index = 0; index < text.length; index += 1) {
    const character = text.charAt(index);
    const string = character === '"' && !isUnpaired ? readQuotedString(text, index) : undefined;
    if (string) {
      name += string.content;
      unquoted += " ";
      index = string.end;
      continue;
    }
    isUnpaired ||= character === '"';
    if (character === "\\" && /["\\]/.test(text.charAt(index + 1))) index += 1;
    name += text.charAt(index);
    unquoted += text.charAt(index);
  }
  const spaced = name.replace(/ +/g, " ").trim();
  return { name: isUnpaired ? spaced.replace(/^"|"$/g, "").trim() : spaced, unquoted };
}

/**
 * Reads the quoted string that opens at `start`. Returns it unescaped, with the index of the
 * closing quote.
 */
function readQuotedString(
  text: string,
  start: number,
): { readonly content: string; readonly end: number } | undefined {
  let content = "";
  for (let index = start + 1; index < text.length; index += 1) {
    const character = text.charAt(index);
    if (character === '"') return { content, end: index };
    if (character === "\\") index += 1;
    content += text.charAt(index);
  }
  return undefined;
}

/**
 * Removes the quotes of a local part that is also valid without them, because both spellings mean
 * the same mailbox (RFC 5321 §4.1.2).
 */
function unquoteLocalPart(escaped: string): string {
  const content = escaped.replace(/\\(.)/g, "$1");
  return isDotAtom(content) ? content : `"${content.replace(/["\\]/g, "\\$&")}"`;
}

/** Tells whether a local part is a dot-atom, in which RFC 6531 §3.3 allows non-ASCII characters. */
function isDotAtom(local: string): boolean {
  return DOT_ATOM.test(NON_ASCII.test(local) ? local.replace(NON_ASCII_CHARACTERS, "x") : local);
}

/** Counts the bytes of a text in UTF-8. */
function bytesOf(text: string): number {
  return NON_ASCII.test(text) ? new TextEncoder().encode(text).length : text.length;
}

/**
 * Tells whether mail to an address (with its domain in ASCII) needs a server that supports
 * SMTPUTF8.
 */
export function isInternational(email: string): boolean {
  return NON_ASCII.test(email);
}

function invalid(problem: string): ParsedAddress {
  return { kind: "invalid", problem };
}

/** Returns the domain of an address in lower case. */
export function addressDomain(address: string): string {
  return address.slice(address.lastIndexOf("@") + 1).toLowerCase();
}
