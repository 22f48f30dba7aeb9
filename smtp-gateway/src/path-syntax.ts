// The arguments of MAIL and RCPT (RFC 5321 sections 4.1.1.2, 4.1.1.3 and 4.1.2), read from one command line of one character a byte. Without SMTPUTF8
// an address is ASCII. Every refusal is a whole reply; every expression here runs in linear time.
import { type Reply, reply } from "./reply.ts";

/** RFC 5321 section 4.5.3.1.3, without the brackets. */
const MAILBOX_MAX_CHARACTERS = 254;
const REVERSE_PATH_MAX_CHARACTERS = 512;

const COMMAND = /^(?:MAIL FROM|RCPT TO):[ \t]*<((?:"(?:[^"\\]|\\.)*"|[^<>" \t])*)>(?:[ \t]+(.*))?$/is;
const SOURCE_ROUTE = /^@[^\s,:@]+(?:,@[^\s,:@]+)*:/;
const PRINTABLE = /^[ -~]*$/;
const LOCAL_PART = /^(?:[A-Za-z0-9!#$%&'*+/=?^_`{|}~-]+(?:\.[A-Za-z0-9!#$%&'*+/=?^_`{|}~-]+)*|"(?:[ !#-[\]-~]|\\[ -~])*")$/;
const DOMAIN = /^(?:[A-Za-z0-9_-]+(?:\.[A-Za-z0-9_-]+)*|\[[^\s[\]\\]+\])$/;

const BAD_SENDER = reply(501, "5.1.7 Bad sender address syntax");
const BAD_RECIPIENT = reply(501, "5.1.3 Bad recipient address syntax");
const BAD_PARAMETER = reply(501, "5.5.4 Bad parameter");
const UNKNOWN_PARAMETER = reply(555, "5.5.4 Parameter not recognized");

export type MailCommand = { readonly reversePath: string; readonly size: number } | { readonly refused: Reply };
export type RcptCommand = { readonly mailbox: string } | { readonly refused: Reply };

/** `size` in bytes, 0 where none is declared. Any reverse-path that can stand between brackets is taken: the service writes its own. */
export function parseMail(line: string): MailCommand {
  const [, path, parameters] = COMMAND.exec(line.trimEnd()) ?? [];
  if (path === undefined || path.length > REVERSE_PATH_MAX_CHARACTERS || !PRINTABLE.test(path)) return { refused: BAD_SENDER };
  let size = 0;
  const seen = new Set<string>();
  for (const parameter of words(parameters)) {
    const { keyword, value } = split(parameter);
    if (seen.has(keyword)) return { refused: BAD_PARAMETER };
    seen.add(keyword);
    if (keyword === "SIZE") {
      if (!/^\d{1,20}$/.test(value)) return { refused: BAD_PARAMETER };
      size = Number(value);
    } else if (keyword === "BODY") {
      if (!/^(?:7BIT|8BITMIME)$/i.test(value)) return { refused: BAD_PARAMETER };
    } else if (keyword === "AUTH") {
      // RFC 4954 section 5: to be parsed; who submits is known better from the session.
      if (value === "") return { refused: BAD_PARAMETER };
    } else {
      return { refused: UNKNOWN_PARAMETER };
    }
  }
  return { reversePath: withoutRoute(path), size };
}

/** The mailbox as it was written, a source route left away. */
export function parseRcpt(line: string): RcptCommand {
  const [, path, parameters] = COMMAND.exec(line.trimEnd()) ?? [];
  if (path === undefined) return { refused: BAD_RECIPIENT };
  const mailbox = withoutRoute(path);
  const at = mailbox.lastIndexOf("@");
  const whole = mailbox.length <= MAILBOX_MAX_CHARACTERS && LOCAL_PART.test(mailbox.slice(0, Math.max(at, 0)));
  if (!whole || !DOMAIN.test(mailbox.slice(at + 1))) return { refused: BAD_RECIPIENT };
  return words(parameters).length > 0 ? { refused: UNKNOWN_PARAMETER } : { mailbox };
}

/** The name that EHLO or HELO gives; null: none, or nothing that a log should hold. */
export function parseHello(line: string): string | null {
  return /^\S+[ \t]+([!-~]{1,255})$/.exec(line.trimEnd())?.[1] ?? null;
}

function withoutRoute(path: string): string {
  return path.replace(SOURCE_ROUTE, "");
}

function words(text: string | undefined): string[] {
  return (text ?? "").split(/[ \t]+/).filter((word) => word !== "");
}

function split(parameter: string): { keyword: string; value: string } {
  const at = parameter.indexOf("=");
  return at < 0
    ? { keyword: parameter.toUpperCase(), value: "" }
    : { keyword: parameter.slice(0, at).toUpperCase(), value: parameter.slice(at + 1) };
}
