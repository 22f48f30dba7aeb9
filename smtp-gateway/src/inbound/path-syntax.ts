// Reads the arguments of EHLO, MAIL and RCPT (RFC 5321 §4.1.1.2, §4.1.1.3 and §4.1.2). In a command
// line, each character stands for one byte. A mail address beyond ASCII is in UTF-8, and needs the
// parameter SMTPUTF8 (RFC 6531). Every refusal is a complete reply. Every regular expression here
// runs in linear time. Pure.
import { Buffer } from "node:buffer";
import { type Hold, readHold } from "./future-release.ts";
import { type SessionReply, reply } from "./replies.ts";

/** RFC 5321 §4.5.3.1.1. */
const LOCAL_PART_MAX_BYTES = 64;
/** Maximum length of a mail address: of a path without `<` and `>` (RFC 5321 §4.5.3.1.3). */
const MAILBOX_MAX_BYTES = 254;
const REVERSE_PATH_MAX_BYTES = 512;

const COMMAND =
  /^(?:MAIL FROM|RCPT TO):[ \t]*<((?:"(?:[^"\\]|\\.)*"|[^<>" \t])*)>(?:[ \t]+(.*))?$/is;
const POSTMASTER = /^postmaster$/i;
const SOURCE_ROUTE = /^@[^\s,:@]+(?:,@[^\s,:@]+)*:/;
const ASCII = /^[\0-\x7f]*$/;
const CONTROL = /\p{Cc}/u;
/**
 * Matches white space, controls and unassigned code points beyond ASCII, but not the two joiners,
 * which belong to words in several scripts.
 */
const FORBIDDEN = /(?![\u200c\u200d])[^\0-\x7f\P{C}]|[^\0-\x7f\P{Z}]/u;
const BEYOND_ASCII = /[\u0080-\u{10ffff}]/gu;
const DOT_ATOM = /^[A-Za-z0-9!#$%&'*+/=?^_`{|}~-]+(?:\.[A-Za-z0-9!#$%&'*+/=?^_`{|}~-]+)*$/;
const QUOTED_STRING = /^"(?:[ !#-[\]-~]|\\[ -~])+"$/;
const DOMAIN = /^(?:[A-Za-z0-9_-]+(?:\.[A-Za-z0-9_-]+)*|\[[^\s[\]\\]+\])$/;

const BAD_SENDER = reply(501, "5.1.7 Bad sender address syntax");
const BAD_RECIPIENT = reply(501, "5.1.3 Bad recipient address syntax");
/** RFC 6531 §3.5. */
const NEEDS_SMTPUTF8 = reply(553, "5.6.7 An address beyond ASCII needs the parameter SMTPUTF8");
const BAD_PARAMETER = reply(501, "5.5.4 Bad parameter");
export const UNKNOWN_PARAMETER = reply(555, "5.5.4 Parameter not recognized");

const PARAMETERS = new Set(["SIZE", "BODY", "SMTPUTF8", "AUTH", "HOLDFOR", "HOLDUNTIL"]);

export type MailCommand =
  | {
      readonly reversePath: string;
      readonly size: number;
      /** True: mail addresses beyond ASCII are allowed in the transaction. */
      readonly smtpUtf8: boolean;
      /** The hold that the client asked for. Null: the message is to be sent at once. */
      readonly hold: Hold | null;
    }
  | { readonly refused: SessionReply };
export type RcptCommand = { readonly mailbox: string } | { readonly refused: SessionReply };

/**
 * Reads MAIL. `size` is the declared size in bytes, or 0 if the client declares none. The
 * reverse-path may be any text that fits between angle brackets, because the service uses its own
 * return-path instead.
 */
export function parseMail(line: string): MailCommand {
  const [, octets, parameters] = COMMAND.exec(line) ?? [];
  const path = readReversePath(octets);
  if (path === undefined) return { refused: BAD_SENDER };
  const given = readParameters(splitWords(parameters));
  if ("refused" in given) return given;
  const smtpUtf8 = given.has("SMTPUTF8");
  if (!ASCII.test(path) && !smtpUtf8) return { refused: NEEDS_SMTPUTF8 };
  const size = Number(given.get("SIZE") ?? 0);
  return { reversePath: stripSourceRoute(path), size, smtpUtf8, hold: holdOf(given) };
}

/** Returns the values of a command's parameters, by keyword. */
function readParameters(
  parameters: readonly string[],
): ReadonlyMap<string, string> | { readonly refused: SessionReply } {
  const given = new Map<string, string>();
  for (const parameter of parameters) {
    const { keyword, value, hasValue } = splitParameter(parameter);
    if (given.has(keyword)) return { refused: BAD_PARAMETER };
    given.set(keyword, value);
    if (!PARAMETERS.has(keyword)) return { refused: UNKNOWN_PARAMETER };
    if (!isValidParameter(keyword, value, hasValue)) return { refused: BAD_PARAMETER };
    // RFC 4865 §4: a command may have only one of HOLDFOR and HOLDUNTIL.
    if (given.has("HOLDFOR") && given.has("HOLDUNTIL")) return { refused: BAD_PARAMETER };
  }
  return given;
}

function readReversePath(octets: string | undefined): string | undefined {
  if (octets === undefined || octets.length > REVERSE_PATH_MAX_BYTES) return undefined;
  const path = decodeUtf8(octets);
  return path === undefined || CONTROL.test(path) ? undefined : path;
}

function holdOf(parameters: ReadonlyMap<string, string>): Hold | null {
  for (const keyword of ["HOLDFOR", "HOLDUNTIL"] as const) {
    const value = parameters.get(keyword);
    if (value !== undefined) return readHold(keyword, value) ?? null;
  }
  return null;
}

/**
 * Reads RCPT. The mailbox in the result is as the client wrote it, without a source route.
 * `smtpUtf8`: the client gave this parameter at MAIL. `takesPostmaster`: `<postmaster>` without a
 * domain is accepted too (RFC 5321 §4.1.1.3).
 */
export function parseRcpt(line: string, smtpUtf8: boolean, takesPostmaster = false): RcptCommand {
  const [, octets, parameters] = COMMAND.exec(line) ?? [];
  const path = octets === undefined ? undefined : decodeUtf8(octets);
  const mailbox = path === undefined ? "" : stripSourceRoute(path);
  if (!isMailbox(mailbox) && !(takesPostmaster && POSTMASTER.test(mailbox)))
    return { refused: BAD_RECIPIENT };
  if (!ASCII.test(mailbox) && !smtpUtf8) return { refused: NEEDS_SMTPUTF8 };
  return splitWords(parameters).length > 0 ? { refused: UNKNOWN_PARAMETER } : { mailbox };
}

/**
 * Reads the name in EHLO or HELO. Returns null if the name is missing or has characters that the
 * log can't hold.
 */
export function parseHello(line: string): string | null {
  return /^\S+[ \t]+([!-~]{1,255})$/.exec(line.trimEnd())?.[1] ?? null;
}

/**
 * Decodes UTF-8 from a text in which each character is one byte. Returns undefined if it is not
 * valid UTF-8.
 */
function decodeUtf8(octets: string): string | undefined {
  if (ASCII.test(octets)) return octets;
  const text = Buffer.from(octets, "latin1").toString("utf8");
  return Buffer.from(text, "utf8").toString("latin1") === octets ? text : undefined;
}

/**
 * Checks the syntax of RFC 5321 §4.1.2. By RFC 6531 §3.3, every character beyond ASCII counts as a
 * letter.
 */
function isMailbox(mailbox: string): boolean {
  if (Buffer.byteLength(mailbox) > MAILBOX_MAX_BYTES || FORBIDDEN.test(mailbox)) return false;
  const at = mailbox.lastIndexOf("@");
  return (
    isLocalPart(mailbox.slice(0, Math.max(at, 0))) && DOMAIN.test(toAscii(mailbox.slice(at + 1)))
  );
}

/**
 * Checks a local part by the same rule as the worker. If one recipient were malformed, the worker
 * would refuse the whole message.
 */
function isLocalPart(written: string): boolean {
  const isQuoted = QUOTED_STRING.test(toAscii(written));
  if (!isQuoted && !DOT_ATOM.test(toAscii(written))) return false;
  return (
    Buffer.byteLength((isQuoted ? minimizeQuotes(written) : written).normalize("NFC")) <=
    LOCAL_PART_MAX_BYTES
  );
}

/** Removes quotes and backslashes that a quoted string does not need. */
function minimizeQuotes(written: string): string {
  const content = written.slice(1, -1).replace(/\\(.)/gsu, "$1");
  return DOT_ATOM.test(toAscii(content)) ? content : `"${content.replace(/["\\]/g, "\\$&")}"`;
}

/** Replaces each character beyond ASCII by a letter, because RFC 6531 counts it as one. */
function toAscii(text: string): string {
  return text.replace(BEYOND_ASCII, "x");
}

function isValidParameter(keyword: string, value: string, hasValue: boolean): boolean {
  switch (keyword) {
    case "SIZE":
      return /^\d{1,20}$/.test(value);
    case "BODY":
      return /^(?:7BIT|8BITMIME)$/i.test(value);
    case "SMTPUTF8":
      return !hasValue;
    case "HOLDFOR":
    case "HOLDUNTIL":
      return readHold(keyword, value) !== undefined;
    default:
      // The syntax of AUTH= must be correct (RFC 4954 §5). Its value is ignored, because the
      // session already knows who submits.
      return value !== "";
  }
}

function stripSourceRoute(path: string): string {
  return path.replace(SOURCE_ROUTE, "");
}

function splitWords(text: string | undefined): string[] {
  return (text ?? "").split(/[ \t]+/).filter((word) => word !== "");
}

function splitParameter(parameter: string): { keyword: string; value: string; hasValue: boolean } {
  const at = parameter.indexOf("=");
  return at < 0
    ? { keyword: parameter.toUpperCase(), value: "", hasValue: false }
    : {
        keyword: parameter.slice(0, at).toUpperCase(),
        value: parameter.slice(at + 1),
        hasValue: true,
      };
}
