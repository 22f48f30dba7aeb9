// The From of a submitted message (contract.md §Submitted header section): exactly one mailbox, and
// no reader may see another sender in it. Comments may stand around the mailbox (RFC 5322 §3.2.2).
// What every reader reads alike stays as it was written; a From with one mailbox that programs
// could read differently is written anew; one that could name two domains is refused. Pure.
import {
  isInternational,
  type ParsedAddress,
  type ParsedMailbox,
  parseMailbox,
  parseWrittenMailbox,
} from "../../../lib/address.ts";
import { decodeWords } from "../../../lib/mime/decode-words.ts";
import { foldHeader } from "../../../lib/mime/header-folding.ts";
import { mailboxTokens } from "../../../lib/mime/mailbox-header.ts";
import { utf8Octets } from "../../../lib/mime/octets.ts";
import { withoutComments } from "./comments.ts";
import type { Findings } from "../findings.ts";
import type { HeaderField } from "./header-section.ts";

export interface SenderField {
  /** Its name decoded. */
  readonly mailbox: ParsedMailbox;
  /** The field written anew, one character an octet; null: it stays as it was written. */
  readonly text: string | null;
}

interface Reading {
  readonly mailbox: ParsedMailbox;
  readonly comments: readonly string[];
  /** Whether every reader finds the same mailbox in it. */
  readonly isPlain: boolean;
}

interface Name {
  readonly text: string;
  /** Whether all of its encoded words can be decoded by every reader. */
  readonly isPlain: boolean;
}

const CONTROL = /[\p{Cc}\u2028\u2029]/u;
/** Embeddings, overrides and isolates: they make text read in another order than it stands in. */
const REORDERING = /[\u202a-\u202e\u2066-\u2069]/;
/** An address is what follows an at sign without a space. */
const HOST = /@([^\s@<>()[\],;:"']+)/g;
const ENCODED_WORD = /=\?[^?\s]+\?[BbQq]\?[^?]*\?=/;
const NESTED_WORDS = 3;
/** A comment that a program finds even when it knows no quotes and no nesting. */
const SIMPLE_COMMENT = /(^| )\([^()<>"\\@]*\)(?= |$)/g;
const ANGLED = /^([^]*)<([^<>]*)> *$/;
const FROM_CHARACTERS = 1_000;
const PLAIN_CHARACTERS = 900;

/** The sender; undefined when it was reported. */
export function readFromHeader(
  fields: readonly HeaderField[],
  findings: Findings,
): SenderField | undefined {
  const sender = senderOf(fields.filter(({ lowerName }) => lowerName === "from"));
  if (typeof sender !== "string") return sender;
  findings.malformed("from", sender);
  return undefined;
}

/** The sender, or the problem with it. */
function senderOf([field, ...others]: readonly HeaderField[]): SenderField | string {
  if (field === undefined) return "is required";
  if (others.length > 0) return "must be there once";
  if (field.isSpaced) return "has white space before its colon";
  if (!field.isUtf8) return "holds octets that are neither ASCII nor UTF-8";
  const reading = readMailbox(field.value);
  if (typeof reading === "string") return reading;
  const { mailbox, comments } = reading;
  if (mailbox.email.startsWith('"')) return "has a local part that must be quoted";
  if (mailbox.email.includes("=?")) return "holds an encoded word in its address";
  if (holdsForeignAddress(mailbox.email, mailbox.domain))
    return "has a local part that reads as an address of another domain";
  const names: Name[] = [];
  for (const text of [mailbox.name ?? "", ...comments]) {
    const name = readName(text, mailbox.domain);
    if (typeof name === "string") return `has a display name that ${name}`;
    names.push(name);
  }
  // Mail programs show the comment where there is no name: `root@host (Cron Daemon)`.
  const name = names.map(({ text }) => text).find((text) => text !== "") ?? null;
  const named = { ...mailbox, name };
  const staysAsWritten = reading.isPlain && names.every((one) => one.isPlain);
  return { mailbox: named, text: staysAsWritten ? null : fieldOf(named) };
}

/** The one mailbox of a From, or the problem with it. */
function readMailbox(value: string): Reading | string {
  if (CONTROL.test(value)) return "is not an email address: it holds a control character";
  const { text = value, comments } = withoutComments(value) ?? { comments: [] };
  if (text.length > FROM_CHARACTERS) return "is too long for an email address";
  const strict = parseMailbox(withoutBlanks(text));
  if (strict.kind === "mailbox")
    return { mailbox: strict.mailbox, comments, isPlain: isPlain(value, comments.length > 0) };
  const written = strict.kind === "invalid" ? parseWrittenMailbox(text) : strict;
  if (written.kind !== "mailbox") return problemOf(written);
  // Some programs read `boss@bank .example` as an address (RFC 5322 §4.4).
  const joined = text.replace(/(?<! ) *([@.]) */g, "$1");
  if (holdsForeignAddress(joined, written.mailbox.domain))
    return "is not an email address, or not one alone";
  return { mailbox: written.mailbox, comments, isPlain: false };
}

function isPlain(value: string, hasComments: boolean): boolean {
  if (value.length > PLAIN_CHARACTERS) return false;
  const bare = hasComments ? value.replace(SIMPLE_COMMENT, "$1") : value;
  return parseMailbox(bare).kind === "mailbox";
}

function problemOf(parsed: Exclude<ParsedAddress, { kind: "mailbox" }>): string {
  return parsed.kind === "invalid" ? `${parsed.problem}, or not one alone` : parsed.problem;
}

/**
 * Without the white space that may stand inside of an address, around its at sign and inside its
 * brackets.
 */
function withoutBlanks(text: string): string {
  const [, name, inside] = ANGLED.exec(text) ?? [];
  const address = (inside ?? text).trim();
  const tight = address.includes('"') ? address : address.replace(/(?<! ) *@ */g, "@");
  return name === undefined ? tight : `${name}<${tight}>`;
}

/** A display name or a comment as text, or the problem with it. */
function readName(written: string, domain: string): Name | string {
  const { text: decoded, complete } = decodeWords(written);
  const text = (complete ? decoded : decodeNested(written)).trim();
  if (!complete && ENCODED_WORD.test(text)) return "can't be decoded";
  if (CONTROL.test(text)) return "holds a control character";
  if (REORDERING.test(text)) return "holds a character that reorders text";
  // An encoded word without its end may be decoded all the same.
  const unescaped = complete
    ? text
    : text.replace(/=([0-9A-F]{2})/gi, (_, hex: string) =>
        String.fromCharCode(Number.parseInt(hex, 16)),
      );
  if (holdsForeignAddress(text, domain) || holdsForeignAddress(unescaped, domain))
    return "holds an address of another domain";
  return { text, isPlain: complete };
}

/**
 * What is written in a charset that is not known, is cut off, or was encoded twice, as a forgiving
 * mail program shows it.
 */
function decodeNested(written: string): string {
  let text = written;
  for (let level = 0; level < NESTED_WORDS; level += 1) ({ text } = decodeWords(text, true));
  return text;
}

/**
 * Compatibility forms of the at sign and the dot are read as what they look like, invisible
 * characters as not there.
 */
function holdsForeignAddress(name: string, domain: string): boolean {
  const plain = name
    .normalize("NFKC")
    .replace(/\p{Cf}/gu, "")
    .replaceAll("\u3002", ".")
    .toLowerCase();
  return Array.from(plain.matchAll(HOST), ([, host = ""]) =>
    host.replace(/(?<![.!?])[.!?]+$/, ""),
  ).some((host) => host.includes(".") && host !== domain && !host.endsWith(`.${domain}`));
}

function fieldOf(mailbox: ParsedMailbox): string {
  return utf8Octets(
    `From: ${foldHeader("From", mailboxTokens("From", [mailbox], isInternational(mailbox.email)))}`,
  );
}
