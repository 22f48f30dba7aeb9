// One mail address out of one string: `addr@host` or `Display Name <addr@host>` (RFC 5322 §3.4
// mailbox without comments, groups or folding), local parts beyond ASCII included (RFC 6531).
// parseMailbox() takes the grammar alone, parseWrittenMailbox() also the names that people write.
// An address of a host that the public DNS can't route mail to is told apart from a text that holds
// no address.
import { asciiDomain, endsInNumber } from "./idna.ts";

export interface ParsedMailbox {
  /**
   * Local part as given, but quoted only where it must be, and composed (NFC) where it is beyond
   * ASCII; domain in lower-case ASCII.
   */
  readonly email: string;
  readonly domain: string;
  /** Null: there is none, or it is blank. */
  readonly name: string | null;
}

export type ParsedAddress =
  | { readonly kind: "mailbox"; readonly mailbox: ParsedMailbox }
  /** An address by its syntax, of a host that mail can't be routed to. */
  | { readonly kind: "unmailable"; readonly problem: string }
  | { readonly kind: "invalid"; readonly problem: string };

const TEXT_CHARACTERS = 1_000;
const LOCAL_PART_BYTES = 64;
const ADDRESS_BYTES = 254;

const ATOM = "[A-Za-z0-9!#$%&'*+/=?^_`{|}~-]+";
const DOT_ATOM = new RegExp(`^${ATOM}(?:\\.${ATOM})*$`);
/** In an unquoted display name; the dot is RFC 5322's obs-phrase, which everybody writes. */
const WORD_CHARACTER = /[A-Za-z0-9!#$%&'*+/=?^_`{|}~.\u00a0-\uffff-]/;
const QUOTED_LOCAL_PART = /^"((?:[ !#-[\]-~\u0080-\u{10ffff}]|\\[ -~])+)"@/u;
const DOMAIN = /^[^\s()<>[\]:;@\\,".]+(?:\.[^\s()<>[\]:;@\\,".]+)*$/;
const DOMAIN_LITERAL = /^\[[^[\]\\]+\]$/;
const CONTROL = /[\p{Cc}\u2028\u2029]/u;
const NON_ASCII = /[\u0080-\uffff]/;
/** An address inside a text. */
const ADDRESS = /(?<![^\s@<>()[\],;:"'])[^\s@<>()[\],;:"']+@[^\s@<>()[\],;:"']+/g;
const NON_ASCII_CHARACTERS = /[\u0080-\u{10ffff}]/gu;
/**
 * Beyond ASCII: white space, controls and what is no character. The two joiners are letters' own in
 * several scripts.
 */
const UNFIT = /(?![\u200c\u200d])[^\0-\x7f\P{C}]|[^\0-\x7f\P{Z}]/u;

const NO_ADDRESS = "is not an email address";

/**
 * Reads one address. Problems are phrases that go on from the field's name: "is not an email
 * address".
 */
export function parseMailbox(text: string): ParsedAddress {
  if (text.length > TEXT_CHARACTERS) return invalid("is too long for an email address");
  if (CONTROL.test(text)) return invalid(`${NO_ADDRESS}: it holds a control character`);
  const trimmed = text.trim();
  if (!trimmed.endsWith(">")) return parseAddrSpec(trimmed, null);
  const phrase = readPhrase(trimmed);
  return phrase
    ? parseAddrSpec(trimmed.slice(phrase.end + 1, -1), phrase.name.trim() || null)
    : invalid(NO_ADDRESS);
}

/**
 * The same with a display name as people write one: `Acme, Inc. <a@x>`, `Ann (Sales) <a@x>`,
 * `[Acme] <a@x>`, quotes without a partner. All of the text before the last `<...>` is the name. A
 * name that holds another address outside of its quotes stays refused, since the text may be a
 * list.
 */
export function parseWrittenMailbox(text: string): ParsedAddress {
  const strict = parseMailbox(text);
  const trimmed = text.length > TEXT_CHARACTERS ? "" : text.trim();
  if (strict.kind !== "invalid" || !trimmed.endsWith(">") || CONTROL.test(text)) return strict;
  const open = trimmed.lastIndexOf("<");
  if (open < 0) return strict;
  const { name, unquoted } = readWrittenName(trimmed.slice(0, open));
  const parsed = parseAddrSpec(trimmed.slice(open + 1, -1), name || null);
  if (parsed.kind !== "mailbox") return parsed;
  const { email } = parsed.mailbox;
  const others = (unquoted.match(ADDRESS) ?? []).filter(
    (address) => address.toLowerCase() !== email.toLowerCase(),
  );
  return others.length > 0 ? invalid(NO_ADDRESS) : parsed;
}

function parseAddrSpec(text: string, name: string | null): ParsedAddress {
  const quoted = QUOTED_LOCAL_PART.exec(text);
  const at = quoted ? quoted[0].length - 1 : text.indexOf("@");
  if (at < 1) return invalid(NO_ADDRESS);
  const local = quoted ? unquoteLocalPart(quoted[1] ?? "") : text.slice(0, at);
  const domain = text.slice(at + 1);
  if (UNFIT.test(local))
    return invalid(`${NO_ADDRESS}: its local part holds a character that is none to write`);
  if (!quoted && !isDotAtom(local)) return invalid(NO_ADDRESS);
  if (!DOMAIN.test(domain) && !DOMAIN_LITERAL.test(domain)) return invalid(NO_ADDRESS);
  const composed = NON_ASCII.test(local) ? local.normalize("NFC") : local;
  const bytes = bytesOf(composed);
  if (bytes > LOCAL_PART_BYTES)
    return invalid(`${NO_ADDRESS}: its local part is longer than ${LOCAL_PART_BYTES} bytes`);
  if (bytes + 1 + domain.length > ADDRESS_BYTES)
    return invalid(`${NO_ADDRESS}: it is longer than ${ADDRESS_BYTES} bytes`);
  return route(composed, domain, name);
}

function route(local: string, domain: string, name: string | null): ParsedAddress {
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
 * The display name before the angle bracket, and where the bracket stands; undefined when the text
 * is no phrase.
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
 * A name, its quotes and escapes undone, and the text outside of its quotes. A quote without a
 * partner is dropped at the ends and stays elsewhere.
 */
function readWrittenName(text: string): { readonly name: string; readonly unquoted: string } {
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

/** The string that opens at `start`, unescaped, and the index of its closing quote. */
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
 * A quoted local part means the same as its bare spelling where it has one (RFC 5321 section
 * 4.1.2).
 */
function unquoteLocalPart(escaped: string): string {
  const content = escaped.replace(/\\(.)/g, "$1");
  return isDotAtom(content) ? content : `"${content.replace(/["\\]/g, "\\$&")}"`;
}

/** RFC 6531 section 3.3: any character beyond ASCII is one of an atom's. */
function isDotAtom(local: string): boolean {
  return DOT_ATOM.test(NON_ASCII.test(local) ? local.replace(NON_ASCII_CHARACTERS, "x") : local);
}

/** In UTF-8. */
function bytesOf(text: string): number {
  return NON_ASCII.test(text) ? new TextEncoder().encode(text).length : text.length;
}

/**
 * Whether an address, its domain in ASCII, can only be mailed where international addresses are
 * taken (SMTPUTF8).
 */
export function isInternational(email: string): boolean {
  return NON_ASCII.test(email);
}

function invalid(problem: string): ParsedAddress {
  return { kind: "invalid", problem };
}

function unmailable(problem: string): ParsedAddress {
  return { kind: "unmailable", problem: `cannot be mailed: ${problem}` };
}
