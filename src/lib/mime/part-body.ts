// A part's body out of its transfer encoding, and back into the same one (RFC 2045 section 6). Octets are text of one character each.
import { Buffer } from "node:buffer";
import { encodeBase64 } from "../base64.ts";
import { wrapBase64 } from "./body-encoding.ts";
import { isIdentity } from "./parts.ts";

const CODED_LINE_CHARACTERS = 75;
/** `=XX` for every octet. */
const ESCAPES = Array.from({ length: 256 }, (_, octet) => `=${octet.toString(16).toUpperCase().padStart(2, "0")}`);

/** Whether decodedBody() knows the encoding. */
export function isDecodable(encoding: string): boolean {
  return isIdentity(encoding) || encoding === "quoted-printable" || encoding === "base64";
}

export function decodedBody(body: string, encoding: string): string {
  if (encoding === "base64") return Buffer.from(body, "base64").toString("latin1");
  if (encoding !== "quoted-printable") return body;
  const lines = body.split("\r\n").map(withoutBlanksAtEnd);
  const joined = lines.map((line, index) => (line.endsWith("=") ? line.slice(0, -1) : index === lines.length - 1 ? line : `${line}\r\n`));
  return joined.join("").replace(/=([0-9A-F]{2})/gi, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)));
}

/** `isLast`: the body ends the message. Inside a multipart the line end belongs to the delimiter that follows. */
export function encodedBody(octets: string, encoding: string, isLast: boolean): string {
  const lineEnd = isLast ? "\r\n" : "";
  if (encoding === "base64") return wrapBase64(encodeBase64(Buffer.from(octets, "latin1"))) + lineEnd;
  const text = encoding === "quoted-printable" ? quotedOctets(octets) : octets;
  return text.endsWith("\r\n") ? text : text + lineEnd;
}

/** Quoted-printable (RFC 2045 section 6.7). */
export function quotedOctets(octets: string): string {
  const lines = octets.split("\r\n").map((line) => {
    const escaped = line.replace(/[^\t -<>-~]|[\t ]$/g, (octet) => ESCAPES[octet.charCodeAt(0)] ?? octet);
    return escaped.length > CODED_LINE_CHARACTERS ? softlyBroken(escaped) : escaped;
  });
  return lines.join("\r\n");
}

/** A line of quoted-printable with soft breaks outside of its `=XX`. None may make a line that looks like a part's boundary. */
export function softlyBroken(line: string): string {
  const pieces: string[] = [];
  let start = 0;
  while (start < line.length) {
    const guard = start > 0 && line.startsWith("--", start) ? "=2D" : "";
    if (guard !== "") start += 1;
    const room = CODED_LINE_CHARACTERS - guard.length;
    const escape = line.length - start > room ? line.slice(start + room - 2, start + room).indexOf("=") : -1;
    const end = start + (escape < 0 ? room : room - 2 + escape);
    pieces.push(guard + line.slice(start, end));
    start = end;
  }
  return pieces.join("=\r\n");
}

/** What mail servers have put there (RFC 2045 section 6.7, rule 3). */
function withoutBlanksAtEnd(line: string): string {
  let end = line.length;
  while (end > 0 && (line[end - 1] === " " || line[end - 1] === "\t")) end -= 1;
  return line.slice(0, end);
}
