// Turns a message part into lines of text: decodes its transfer encoding and charset, and removes
// HTML tags. A part whose declared encoding or charset is wrong is decoded as far as possible,
// because bounces quote mail of every kind. Pure.
import { Buffer } from "node:buffer";
import { decodeText, tokenizeHtml } from "../../lib/html/html-tokens.ts";
import { valueOf } from "./report-fields.ts";
import type { ReportPart } from "./report-mime.ts";

export const BLOCKS =
  /^(?:address|article|blockquote|br|center|dd|div|dl|dt|fieldset|footer|form|h[1-6]|header|hr|li|main|ol|p|pre|section|table|tbody|td|th|thead|tr|ul)$/;

/** Decodes a part's transfer encoding. Returns one character per octet. */
export function octetsOf(part: ReportPart): string {
  const encoding = (valueOf(part.fields, "content-transfer-encoding") ?? "").toLowerCase();
  if (encoding === "base64") return Buffer.from(part.lines.join(""), "base64").toString("latin1");
  return encoding === "quoted-printable"
    ? decodeQuotedPrintable(part.lines)
    : part.lines.join("\n");
}

/** Returns the lines of a text part. */
export function textLinesOf(part: ReportPart): string[] {
  const text = decodeOctets(octetsOf(part), part.parameters.get("charset"));
  return linesOf(part.type === "text/html" ? stripTags(text) : text);
}

export function linesOf(text: string): string[] {
  return text.split(/\r\n|\n|\r/);
}

/**
 * Decodes octets with the given charset. If that fails, decodes them as UTF-8 or, if they are not
 * valid UTF-8, as Windows-1252.
 */
export function decodeOctets(octets: string, charset?: string): string {
  const bytes = Buffer.from(octets, "latin1");
  const named =
    charset !== undefined && !/^(?:us-)?ascii$/i.test(charset)
      ? tryDecode(bytes, charset.replace(/\*.*$/s, ""), false)
      : undefined;
  return (
    named ?? tryDecode(bytes, "utf-8", true) ?? tryDecode(bytes, "windows-1252", false) ?? octets
  );
}

function tryDecode(bytes: Uint8Array, charset: string, fatal: boolean): string | undefined {
  try {
    return new TextDecoder(charset, { fatal, ignoreBOM: false }).decode(bytes);
  } catch {
    return undefined; // the charset is unknown, or the octets are invalid in it
  }
}

function decodeQuotedPrintable(lines: readonly string[]): string {
  let text = "";
  for (const line of lines) {
    const trimmed = line.trimEnd();
    text += trimmed.endsWith("=") ? trimmed.slice(0, -1) : `${trimmed}\n`;
  }
  return text.replace(/=([0-9A-Fa-f]{2})/g, (_, digits: string) =>
    String.fromCharCode(Number.parseInt(digits, 16)),
  );
}

function stripTags(html: string): string {
  let text = "";
  for (const token of tokenizeHtml(html, { templated: false })) {
    if (token.kind === "text") text += decodeText(html, token);
    else if ((token.kind === "open" || token.kind === "close") && BLOCKS.test(token.name))
      text += "\n";
  }
  return text;
}
