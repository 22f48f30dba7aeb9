// What a part says, as lines of text: its transfer encoding undone, its charset decoded, HTML
// without its tags. What claims an encoding or a charset that it is not in is read as well as it
// can be (bounces quote mail of every kind). Pure.
import { Buffer } from "node:buffer";
import { decodeText, tokenizeHtml } from "../../lib/html/html-tokens.ts";
import { valueOf } from "./report-fields.ts";
import type { ReportPart } from "./report-mime.ts";

const BLOCKS =
  /^(?:address|article|blockquote|br|center|dd|div|dl|dt|fieldset|footer|form|h[1-6]|header|hr|li|main|ol|p|pre|section|table|tbody|td|th|thead|tr|ul)$/;

/** A part's body without its transfer encoding, one character an octet. */
export function octetsOf(part: ReportPart): string {
  const encoding = (valueOf(part.fields, "content-transfer-encoding") ?? "").toLowerCase();
  if (encoding === "base64") return Buffer.from(part.lines.join(""), "base64").toString("latin1");
  return encoding === "quoted-printable"
    ? withoutQuotedPrintable(part.lines)
    : part.lines.join("\n");
}

/** The lines of a part of text. */
export function textLinesOf(part: ReportPart): string[] {
  const text = decodeOctets(octetsOf(part), part.parameters.get("charset"));
  return linesOf(part.type === "text/html" ? withoutTags(text) : text);
}

export function linesOf(text: string): string[] {
  return text.split(/\r\n|\n|\r/);
}

/** Octets as text: of the charset given, else UTF-8 where they are that, else Windows-1252. */
export function decodeOctets(octets: string, charset?: string): string {
  const bytes = Buffer.from(octets, "latin1");
  const named =
    charset !== undefined && !/^(?:us-)?ascii$/i.test(charset)
      ? decoded(bytes, charset.replace(/\*.*$/s, ""), false)
      : undefined;
  return named ?? decoded(bytes, "utf-8", true) ?? decoded(bytes, "windows-1252", false) ?? octets;
}

function decoded(bytes: Uint8Array, charset: string, fatal: boolean): string | undefined {
  try {
    return new TextDecoder(charset, { fatal, ignoreBOM: false }).decode(bytes);
  } catch {
    return undefined; // unknown, or not in it
  }
}

function withoutQuotedPrintable(lines: readonly string[]): string {
  let text = "";
  for (const line of lines) {
    const written = line.trimEnd();
    text += written.endsWith("=") ? written.slice(0, -1) : `${written}\n`;
  }
  return text.replace(/=([0-9A-Fa-f]{2})/g, (_, digits: string) =>
    String.fromCharCode(Number.parseInt(digits, 16)),
  );
}

function withoutTags(html: string): string {
  let text = "";
  for (const token of tokenizeHtml(html, { templated: false })) {
    if (token.kind === "text") text += decodeText(html, token);
    else if ((token.kind === "open" || token.kind === "close") && BLOCKS.test(token.name))
      text += "\n";
  }
  return text;
}
