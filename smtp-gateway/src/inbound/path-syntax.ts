// The arguments of MAIL and RCPT (RFC 5321 sections 4.1.1.2, 4.1.1.3 and 4.1.2), read from one
// command line of one character a byte. An address beyond ASCII is UTF-8, and needs the parameter
// SMTPUTF8 (RFC 6531). Every refusal is a whole reply; every expression here runs in linear time.
import { Buffer } from "node:buffer";
import { type SessionReply, reply } from "./replies.ts";

/** RFC 5321 section 4.5.3.1.1. */
const LOCAL_PART_MAX_BYTES = 64;
/** RFC 5321 section 4.5.3.1.3, without the brackets. */
const MAILBOX_MAX_BYTES = 254;
const REVERSE_PATH_MAX_BYTES = 512;

const COMMAND =
  /^(?:MAIL FROM|RCPT TO):[ \t]*<((?:"(?:[^"\\]|\\.)*"|[^<>" \t])*)>(?:[ \t]+(.*))?$/is;
const POSTMASTER = /^postmaster$/i;
const SOURCE_ROUTE = /^@[^\s,:@]+(?:,@[^\s,:@]+)*:/;
const ASCII = /^[\0-\x7f]*$/;
const CONTROL = /\p{Cc}/u;
/**
 * Beyond ASCII: white space, controls and what is no character. The two joiners are letters' own in
 * several scripts.
 */
const UNFIT = /(?![\u200c\u200d])[^\0-\x7f\P{C}]|[^\0-\x7f\P{Z}]/u;
const BEYOND_ASCII = /[\u0080-\u{10ffff}]/gu;
const DOT_ATOM = /^[A-Za-z0-9!#$%&'*+/=?^_`{|}~-]+(?:\.[A-Za-z0-9!#$%&'*+/=?^_`{|}~-]+)*$/;
const QUOTED_STRING = /^"(?:[ !#-[\]-~]|\\[ -~])+"$/;
const DOMAIN = /^(?:[A-Za-z0-9_-]+(?:\.[A-Za-z0-9_-]+)*|\[[^\s[\]\\]+\])$/;

const BAD_SENDER = reply(501, "5.1.7 Bad sender address syntax");
const BAD_RECIPIENT = reply(501, "5.1.3 Bad recipient address syntax");
/** RFC 6531 section 3.5. */
const NEEDS_SMTPUTF8 = reply(553, "5.6.7 An address beyond ASCII needs the parameter SMTPUTF8");
const BAD_PARAMETER = reply(501, "5.5.4 Bad parameter");
const UNKNOWN_PARAMETER = reply(555, "5.5.4 Parameter not recognized");

const PARAMETERS = new Set(["SIZE", "BODY", "SMTPUTF8", "AUTH"]);

export type MailCommand =
  | {
      readonly reversePath: string;
      readonly size: number;
      /** Addresses of the transaction may go beyond ASCII. */ readonly smtpUtf8: boolean;
    }
  | { readonly refused: SessionReply };
export type RcptCommand = { readonly mailbox: string } | { readonly refused: SessionReply };

/**
 * `size` in bytes, 0 where none is declared. Any reverse-path that can stand between brackets is
 * taken: the service writes its own.
 */
export function parseMail(line: string): MailCommand {
  const [, octets, parameters] = COMMAND.exec(line) ?? [];
  const path =
    octets === undefined || octets.length > REVERSE_PATH_MAX_BYTES ? undefined : textOf(octets);
  if (path === undefined || CONTROL.test(path)) return { refused: BAD_SENDER };
  let size = 0;
  const seen = new Set<string>();
  for (const parameter of words(parameters)) {
    const { keyword, value, hasValue } = split(parameter);
    if (seen.has(keyword)) return { refused: BAD_PARAMETER };
    seen.add(keyword);
    if (!PARAMETERS.has(keyword)) return { refused: UNKNOWN_PARAMETER };
    if (!isParameter(keyword, value, hasValue)) return { refused: BAD_PARAMETER };
    if (keyword === "SIZE") size = Number(value);
  }
  const smtpUtf8 = seen.has("SMTPUTF8");
  return ASCII.test(path) || smtpUtf8
    ? { reversePath: withoutRoute(path), size, smtpUtf8 }
    : { refused: NEEDS_SMTPUTF8 };
}

/**
 * The mailbox as it was written, a source route left away. `smtpUtf8`: what MAIL said.
 * `isStranger`: `<postmaster>` is one, too (RFC 5321 §4.1.1.3).
 */
export function parseRcpt(line: string, smtpUtf8: boolean, isStranger = false): RcptCommand {
  const [, octets, parameters] = COMMAND.exec(line) ?? [];
  const path = octets === undefined ? undefined : textOf(octets);
  const mailbox = path === undefined ? undefined : withoutRoute(path);
  if (mailbox === undefined || !(isMailbox(mailbox) || (isStranger && POSTMASTER.test(mailbox))))
    return { refused: BAD_RECIPIENT };
  if (!ASCII.test(mailbox) && !smtpUtf8) return { refused: NEEDS_SMTPUTF8 };
  return words(parameters).length > 0 ? { refused: UNKNOWN_PARAMETER } : { mailbox };
}

/** The name that EHLO or HELO gives; null: none, or nothing that a log should hold. */
export function parseHello(line: string): string | null {
  return /^\S+[ \t]+([!-~]{1,255})$/.exec(line.trimEnd())?.[1] ?? null;
}

/** Octets, one character each, as the text that they are in UTF-8; undefined: they are none. */
function textOf(octets: string): string | undefined {
  if (ASCII.test(octets)) return octets;
  const text = Buffer.from(octets, "latin1").toString("utf8");
  return Buffer.from(text, "utf8").toString("latin1") === octets ? text : undefined;
}

/**
 * RFC 5321 section 4.1.2; RFC 6531 section 3.3 counts every character beyond ASCII among the
 * letters.
 */
function isMailbox(mailbox: string): boolean {
  if (Buffer.byteLength(mailbox) > MAILBOX_MAX_BYTES || UNFIT.test(mailbox)) return false;
  const at = mailbox.lastIndexOf("@");
  return (
    isLocalPart(mailbox.slice(0, Math.max(at, 0))) && DOMAIN.test(plain(mailbox.slice(at + 1)))
  );
}

/**
 * What the worker takes for one: a recipient that it finds to be none would cost the others the
 * whole message.
 */
function isLocalPart(written: string): boolean {
  const isQuoted = QUOTED_STRING.test(plain(written));
  if (!isQuoted && !DOT_ATOM.test(plain(written))) return false;
  return (
    Buffer.byteLength((isQuoted ? sparelyQuoted(written) : written).normalize("NFC")) <=
    LOCAL_PART_MAX_BYTES
  );
}

/** A quoted string as it is counted: with no more quotes and backslashes than it needs. */
function sparelyQuoted(written: string): string {
  const content = written.slice(1, -1).replace(/\\(.)/gsu, "$1");
  return DOT_ATOM.test(plain(content)) ? content : `"${content.replace(/["\\]/g, "\\$&")}"`;
}

function plain(text: string): string {
  return text.replace(BEYOND_ASCII, "x");
}

function isParameter(keyword: string, value: string, hasValue: boolean): boolean {
  switch (keyword) {
    case "SIZE":
      return /^\d{1,20}$/.test(value);
    case "BODY":
      return /^(?:7BIT|8BITMIME)$/i.test(value);
    case "SMTPUTF8":
      return !hasValue;
    default:
      // RFC 4954 section 5, AUTH: to be parsed; who submits is known better from the session.
      return value !== "";
  }
}

function withoutRoute(path: string): string {
  return path.replace(SOURCE_ROUTE, "");
}

function words(text: string | undefined): string[] {
  return (text ?? "").split(/[ \t]+/).filter((word) => word !== "");
}

function split(parameter: string): { keyword: string; value: string; hasValue: boolean } {
  const at = parameter.indexOf("=");
  return at < 0
    ? { keyword: parameter.toUpperCase(), value: "", hasValue: false }
    : {
        keyword: parameter.slice(0, at).toUpperCase(),
        value: parameter.slice(at + 1),
        hasValue: true,
      };
}
