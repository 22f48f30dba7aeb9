// Judges the From of a submitted message (contract.md §Submitted header section). It must have
// exactly one mailbox, and no reader may see another sender in it. Comments are allowed before and
// after the mailbox (RFC 5322 §3.2.2). A From that all readers read alike stays as written. A From
// with a single mailbox that programs could read differently is rewritten. A From that could name
// two domains is refused. Pure.
import {
  type ParsedAddress,
  type ParsedMailbox,
  parseMailbox,
  parseWrittenMailbox,
} from "../../../lib/address.ts";
import { decodeWords } from "../../../lib/mime/decode-words.ts";
import { extractComments } from "./header-comments.ts";
import type { FieldProblems } from "../field-problems.ts";
import type { HeaderField } from "./header-section.ts";
import { writeAddresses } from "./outgoing-field.ts";

export interface SenderField {
  /** The mailbox of the sender, with its name decoded. */
  readonly mailbox: ParsedMailbox;
  /**
   * The rewritten field, with one character per octet. Null means that the field stays as written.
   */
  readonly text: string | null;
}

interface Reading {
  readonly mailbox: ParsedMailbox;
  readonly comments: readonly string[];
  /** True if every reader finds the same mailbox. */
  readonly isPlain: boolean;
}

interface Name {
  readonly text: string;
  /** True if every reader can decode all encoded words in the name. */
  readonly isPlain: boolean;
}

const CONTROL = /[\p{Cc}\u2028\u2029]/u;
/**
 * Matches the control characters that display text in another order than it is written: embeddings,
 * overrides and isolates.
 */
const REORDERING = /[\u202a-\u202e\u2066-\u2069]/;
/** Matches the domain of an address: the text after the at sign, without spaces. */
const HOST = /@([^\s@<>()[\],;:"']+)/g;
const ENCODED_WORD = /=\?[^?\s]+\?[BbQq]\?[^?]*\?=/;
const NESTED_WORDS = 3;
/**
 * Matches a comment that every program finds, even a program without support for quotes and nested
 * comments.
 */
const SIMPLE_COMMENT = /(^| )\([^()<>"\\@]*\)(?= |$)/g;
const ANGLED = /^([^]*)<([^<>]*)> *$/;
const FROM_CHARACTERS = 1_000;
const PLAIN_CHARACTERS = 900;

/** Reads the sender. Undefined means that an error was reported. */
export function readFromHeader(
  fields: readonly HeaderField[],
  problems: FieldProblems,
): SenderField | undefined {
  const sender = senderOf(fields.filter(({ lowerName }) => lowerName === "from"));
  if (typeof sender !== "string") return sender;
  problems.malformed("from", sender);
  return undefined;
}

/** Returns the sender, or the problem with the sender. */
function senderOf([field, ...others]: readonly HeaderField[]): SenderField | string {
  if (field === undefined) return "is required";
  if (others.length > 0) return "must appear exactly once";
  if (field.isSpaced) return "has white space before its colon";
  if (!field.isUtf8) return "holds octets that are neither ASCII nor UTF-8";
  const reading = readMailbox(field.value);
  if (typeof reading === "string") return reading;
  const { mailbox, comments } = reading;
  if (mailbox.email.startsWith('"')) return "has a local part that must be quoted";
  if (mailbox.email.includes("=?")) return "holds an encoded word in its address";
  if (holdsOtherDomainAddress(mailbox.email, mailbox.domain))
    return "has a local part that reads as an address of another domain";
  const names: Name[] = [];
  for (const text of [mailbox.name ?? "", ...comments]) {
    const name = readName(text, mailbox.domain);
    if (typeof name === "string") return `has a display name that ${name}`;
    names.push(name);
  }
  // Mail programs show the comment if there is no display name: `root@host (Cron Daemon)`.
  const name = names.map(({ text }) => text).find((text) => text !== "") ?? null;
  const named = { ...mailbox, name };
  const staysAsWritten = reading.isPlain && names.every((one) => one.isPlain);
  return { mailbox: named, text: staysAsWritten ? null : writeAddresses("From", [named]) };
}

/** Returns the only mailbox of a From, or the problem with the From. */
function readMailbox(value: string): Reading | string {
  if (CONTROL.test(value)) return "is not an email address: it holds a control character";
  const { text = value, comments } = extractComments(value) ?? { comments: [] };
  if (text.length > FROM_CHARACTERS) return "is too long for an email address";
  const strict = parseMailbox(removeAddressBlanks(text));
  if (strict.kind === "mailbox")
    return { mailbox: strict.mailbox, comments, isPlain: isPlain(value, comments.length > 0) };
  const written = strict.kind === "invalid" ? parseWrittenMailbox(text) : strict;
  if (written.kind !== "mailbox") return problemOf(written);
  // Some programs read `boss@bank .example` as one address (RFC 5322 §4.4).
  const joined = text.replace(/(?<! ) *([@.]) */g, "$1");
  if (holdsOtherDomainAddress(joined, written.mailbox.domain))
    return "is not an email address, or is more than one";
  return { mailbox: written.mailbox, comments, isPlain: false };
}

function isPlain(value: string, hasComments: boolean): boolean {
  if (value.length > PLAIN_CHARACTERS) return false;
  const bare = hasComments ? value.replace(SIMPLE_COMMENT, "$1") : value;
  return parseMailbox(bare).kind === "mailbox";
}

function problemOf(parsed: Exclude<ParsedAddress, { kind: "mailbox" }>): string {
  return parsed.kind === "invalid" ? `${parsed.problem}, or is more than one` : parsed.problem;
}

/**
 * Removes the white space that is allowed inside an address: around its at sign and inside its
 * brackets.
 */
function removeAddressBlanks(text: string): string {
  const [, name, inside] = ANGLED.exec(text) ?? [];
  const address = (inside ?? text).trim();
  const tight = address.includes('"') ? address : address.replace(/(?<! ) *@ */g, "@");
  return name === undefined ? tight : `${name}<${tight}>`;
}

/** Returns a display name or a comment as text, or the problem with it. */
function readName(written: string, domain: string): Name | string {
  const { text: decoded, complete } = decodeWords(written);
  const text = (complete ? decoded : decodeNested(written)).trim();
  if (!complete && ENCODED_WORD.test(text)) return "can't be decoded";
  if (CONTROL.test(text)) return "holds a control character";
  if (REORDERING.test(text)) return "holds a character that reorders text";
  // Some programs decode an encoded word even without its end mark.
  const unescaped = complete
    ? text
    : text.replace(/=([0-9A-F]{2})/gi, (_, hex: string) =>
        String.fromCharCode(Number.parseInt(hex, 16)),
      );
  if (holdsOtherDomainAddress(text, domain) || holdsOtherDomainAddress(unescaped, domain))
    return "holds an address of another domain";
  return { text, isPlain: complete };
}

/**
 * Decodes text as a lenient mail program does, including text in an unknown charset, text that is
 * cut off, and text that was encoded twice.
 */
function decodeNested(written: string): string {
  let text = written;
  for (let level = 0; level < NESTED_WORDS; level += 1) ({ text } = decodeWords(text, true));
  return text;
}

/**
 * Returns whether a text looks like an address of another domain. Unicode variants of the at sign
 * and of the dot count as these characters. Invisible characters are ignored.
 */
function holdsOtherDomainAddress(name: string, domain: string): boolean {
  const plain = name
    .normalize("NFKC")
    .replace(/\p{Cf}/gu, "")
    .replaceAll("\u3002", ".")
    .toLowerCase();
  return Array.from(plain.matchAll(HOST), ([, host = ""]) =>
    host.replace(/(?<![.!?])[.!?]+$/, ""),
  ).some((host) => host.includes(".") && host !== domain && !host.endsWith(`.${domain}`));
}
