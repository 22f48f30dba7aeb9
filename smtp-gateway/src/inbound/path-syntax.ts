// Reads the arguments of EHLO, MAIL and RCPT (RFC 5321 §4.1.1.2, §4.1.1.3 and §4.1.2). In a command
// line, each character stands for one byte. A non-ASCII mail address is in UTF-8, and needs the
// parameter SMTPUTF8 (RFC 6531). Every refusal is a complete reply. Every regular expression here
// runs in linear time. Pure.
import { Buffer } from "node:buffer";
import { type RequestedHold, readHold } from "./future-release.ts";
import { judgeMailbox } from "./mailbox-syntax.ts";
import { type SessionReply, reply } from "./replies.ts";

const REVERSE_PATH_MAX_BYTES = 512;
const HELLO_MAX_BYTES = 255;

const COMMAND =
  /^(?:MAIL FROM|RCPT TO):[ \t]*<((?:"(?:[^"\\]|\\.)*"|[^<>" \t])*)>(?:[ \t]+(.*))?$/is;
const POSTMASTER = /^postmaster$/i;
const SOURCE_ROUTE = /^@[^\s,:@]+(?:,@[^\s,:@]+)*:/;
const ASCII = /^[\0-\x7f]*$/;
const CONTROL = /\p{Cc}/u;
const CONTROLS = /\p{Cc}/gu;
const ASCII_CONTROL = /(?=[\0-\x7f])\p{Cc}/u;

const BAD_SENDER = reply(501, "5.1.7 Bad sender address syntax");
const BAD_RECIPIENT = "Bad recipient address syntax";
/** The reply to a non-ASCII address without the parameter SMTPUTF8 (RFC 6531 §3.5). */
const NEEDS_SMTPUTF8 = reply(553, "5.6.7 An address beyond ASCII needs the parameter SMTPUTF8");
const BAD_PARAMETER = reply(501, "5.5.4 Bad parameter");
export const UNKNOWN_PARAMETER = reply(555, "5.5.4 Parameter not recognized");

const PARAMETERS = new Set(["SIZE", "BODY", "SMTPUTF8", "AUTH", "HOLDFOR", "HOLDUNTIL"]);

export type MailCommand =
  | {
      readonly reversePath: string;
      readonly size: number;
      /** True: non-ASCII mail addresses are allowed in the transaction. */
      readonly smtpUtf8: boolean;
      /** The hold that the client asked for. Null: the service shall send the message at once. */
      readonly hold: RequestedHold | null;
    }
  | { readonly refused: SessionReply };
export type RcptCommand = { readonly mailbox: string } | { readonly refused: SessionReply };

/**
 * Reads MAIL. `size` is the declared size in bytes, or 0 if the client declares no size. The
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
    const [, name = "", value] = /^([^=]*)(?:=(.*))?$/s.exec(parameter) ?? [];
    const keyword = name.toUpperCase();
    if (given.has(keyword)) return { refused: BAD_PARAMETER };
    given.set(keyword, value ?? "");
    if (!PARAMETERS.has(keyword)) return { refused: UNKNOWN_PARAMETER };
    if (!isValidParameter(keyword, value)) return { refused: BAD_PARAMETER };
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

function holdOf(parameters: ReadonlyMap<string, string>): RequestedHold | null {
  for (const keyword of ["HOLDFOR", "HOLDUNTIL"] as const) {
    const value = parameters.get(keyword);
    if (value !== undefined) return readHold(keyword, value) ?? null;
  }
  return null;
}

/**
 * Reads RCPT. The mailbox in the result is as the client wrote it, without a source route.
 * `smtpUtf8`: the client gave this parameter at MAIL. `isReport`: the client sends a report. For a
 * report, `<postmaster>` without a domain is valid too (RFC 5321 §4.1.1.3), and a domain to which
 * no mail can be sent is not refused.
 */
export function parseRcpt(line: string, smtpUtf8: boolean, isReport = false): RcptCommand {
  const [, octets, parameters] = COMMAND.exec(line) ?? [];
  const path = octets === undefined ? undefined : decodeUtf8(octets);
  const mailbox = path === undefined ? "" : stripSourceRoute(path);
  const refused = isReport && POSTMASTER.test(mailbox) ? null : refuseMailbox(mailbox, isReport);
  if (refused) return { refused };
  if (!ASCII.test(mailbox) && !smtpUtf8) return { refused: NEEDS_SMTPUTF8 };
  return splitWords(parameters).length > 0 ? { refused: UNKNOWN_PARAMETER } : { mailbox };
}

/**
 * Returns the reply that refuses a mailbox, or null. An address to which no mail can be sent is
 * refused here, so that the client can report this to the message's sender (RFC 5321 §6.1).
 */
function refuseMailbox(mailbox: string, isReport: boolean): SessionReply | null {
  const verdict = judgeMailbox(mailbox);
  if (verdict.kind === "malformed") {
    const reason = verdict.reason === null ? "" : `: ${verdict.reason}`;
    return reply(501, `5.1.3 ${BAD_RECIPIENT}${reason}`);
  }
  return verdict.kind === "mailbox" || isReport
    ? null
    : reply(550, `5.1.2 The address can't be mailed: ${verdict.reason}`);
}

/**
 * Reads the name in EHLO or HELO. Accepts any name in any charset, because a gateway must not
 * refuse mail for a wrong name (RFC 5321 §4.1.4). Returns null if the name is missing, too long, or
 * has ASCII control characters.
 */
export function parseHello(line: string): string | null {
  const octets = /^\S+[ \t]+(\S.*)$/s.exec(line.trimEnd())?.[1] ?? "";
  if (octets === "" || octets.length > HELLO_MAX_BYTES || ASCII_CONTROL.test(octets)) return null;
  const name = decodeUtf8(octets) ?? new TextDecoder("windows-1252").decode(toOctets(octets));
  return name.replace(CONTROLS, "\ufffd");
}

/**
 * Decodes UTF-8 from a text in which each character is one byte. Returns undefined if it is not
 * valid UTF-8.
 */
function decodeUtf8(octets: string): string | undefined {
  if (ASCII.test(octets)) return octets;
  const text = toOctets(octets).toString("utf8");
  return Buffer.from(text, "utf8").toString("latin1") === octets ? text : undefined;
}

function toOctets(text: string): Buffer {
  return Buffer.from(text, "latin1");
}

/** `value`: the text after `=`. Undefined: the parameter has no `=`. */
function isValidParameter(keyword: string, value: string | undefined): boolean {
  if (keyword === "SMTPUTF8") return value === undefined;
  if (value === undefined) return false;
  switch (keyword) {
    case "SIZE":
      return /^\d{1,20}$/.test(value);
    case "BODY":
      return /^(?:7BIT|8BITMIME)$/i.test(value);
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
