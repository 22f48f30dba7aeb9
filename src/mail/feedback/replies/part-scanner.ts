// Finds the parts of a mail (RFC 2046 §5.1) while its octets stream through, so that a mail of 10
// MB on its way to R2 is never in memory as a whole. Keeps only the headers and the text for
// people, up to a limit. Remembers files as offsets. Examines each octet once, for any content of
// the mail. Pure.
import { Buffer } from "node:buffer";
import { toLatin1 } from "../../../lib/mime/octet-edits.ts";
import { REPLY_HEADER_BYTES, REPLY_TEXT_BYTES } from "../../../limits.ts";
import { type Field, readFields, valueOf } from "../report-fields.ts";
import { readContentType, type ReportPart } from "../report-mime.ts";

/** A part that is not a multipart. `lines` is empty for a part whose text is not read. */
export interface ScannedPart extends ReportPart {
  /** The range of the body in the mail, still in its transfer encoding. */
  readonly start: number;
  readonly end: number;
  /** True if the part is text for people, and not a file. */
  readonly isText: boolean;
  /** The number of octets of the file, without its transfer encoding. */
  readonly size: number;
}

type OpenPart = { -readonly [Key in keyof ScannedPart]: ScannedPart[Key] } & {
  lines: string[];
  readonly encoding: string;
};

const LF = 0x0a;
const DASH = 0x2d;
const REPLY_NESTING = 8;
const REPLY_PARTS = 100;
/**
 * Maximum length of a line in memory. A longer line is read in pieces, because a mail may have no
 * line end.
 */
const LINE_BYTES = 64 * 1024;
const TEXT_TYPES: ReadonlySet<string> = new Set(["text/plain", "text/html"]);
const ATTACHED = /^[ \t]*attachment/i;
const ESCAPED = /=[0-9A-Fa-f]{2}/g;

export class PartScanner {
  readonly parts: ScannedPart[] = [];
  /** The mail's own header, after all of it was read. */
  header: readonly Field[] | undefined;
  /** True if the mail's own header is longer than the limit. */
  isHeaderTooLong = false;
  readonly #boundaries: string[] = [];
  #pending: Uint8Array[] = [];
  #pendingBytes = 0;
  #at = 0;
  /** The lines of the header that is being read. Undefined outside headers. */
  #headerLines: string[] | undefined = [];
  #headerBytes = 0;
  #part: OpenPart | undefined;
  #textBytes = 0;
  /** True if the previous piece was cut, so that this piece continues its line. */
  #isContinued = false;

  feed(chunk: Uint8Array): void {
    let end = chunk.indexOf(LF);
    for (let start = 0; start < chunk.length;) {
      const stop = Math.min(
        end < 0 ? chunk.length : end + 1,
        start + LINE_BYTES - this.#pendingBytes,
      );
      const isEnded = stop === end + 1;
      const piece = chunk.subarray(start, stop);
      if (isEnded || this.#pendingBytes + piece.length === LINE_BYTES) this.#take(piece, !isEnded);
      else this.#keep(piece);
      start = stop;
      if (isEnded) end = chunk.indexOf(LF, start);
    }
  }

  /** Ends the scan. Must be called after the last octet. */
  finish(): void {
    if (this.#pendingBytes > 0) this.#take(new Uint8Array());
    if (this.#headerLines) this.#endHeader(this.#at);
    this.#endPart(this.#at);
  }

  /** Copies the beginning of a line, because its chunk may be reused. */
  #keep(piece: Uint8Array): void {
    this.#pending.push(piece.slice());
    this.#pendingBytes += piece.length;
  }

  #take(rest: Uint8Array, isCut = false): void {
    const line = this.#pending.length === 0 ? rest : Buffer.concat([...this.#pending, rest]);
    this.#pending = [];
    this.#pendingBytes = 0;
    const start = this.#at;
    this.#at += line.length;
    if (this.#isContinued || !this.#takeDelimiter(line, start)) this.#takeLine(line);
    this.#isContinued = isCut;
  }

  /** Handles the line if it is a delimiter of an open multipart. Returns whether it is. */
  #takeDelimiter(line: Uint8Array, start: number): boolean {
    if (this.#boundaries.length === 0 || line[0] !== DASH || line[1] !== DASH) return false;
    const text = toLatin1(line).slice(2).trimEnd();
    const at = this.#boundaries.findLastIndex((one) => text === one || text === `${one}--`);
    if (at < 0) return false;
    if (this.#headerLines) this.#endHeader(start);
    this.#endPart(start);
    const isLast = text !== this.#boundaries[at];
    this.#boundaries.length = isLast ? at : at + 1;
    this.#headerLines = isLast || this.parts.length >= REPLY_PARTS ? undefined : [];
    this.#headerBytes = 0;
    return true;
  }

  #takeLine(line: Uint8Array): void {
    if (this.#headerLines) this.#takeHeaderLine(line);
    else if (this.#part) this.#takeBodyLine(this.#part, line);
  }

  #takeHeaderLine(line: Uint8Array): void {
    const text = toLatin1(line).replace(/\r?\n$/, "");
    if (text === "") return this.#endHeader(this.#at);
    this.#headerBytes += line.length;
    if (this.#headerBytes <= REPLY_HEADER_BYTES) this.#headerLines?.push(text);
    else this.isHeaderTooLong ||= this.header === undefined;
  }

  #endHeader(bodyStart: number): void {
    const { fields } = readFields(this.#headerLines ?? []);
    this.#headerLines = undefined;
    this.header ??= fields;
    const { type, parameters } = readContentType(valueOf(fields, "content-type") ?? "");
    const boundary = parameters.get("boundary");
    if (type.startsWith("multipart/") && boundary && this.#boundaries.length < REPLY_NESTING) {
      this.#boundaries.push(boundary.trimEnd());
      return;
    }
    const isFile =
      ATTACHED.test(valueOf(fields, "content-disposition") ?? "") || parameters.has("name");
    // A multipart without a boundary is read as text, because mail programs show it as text.
    const shown = type.startsWith("multipart/") ? "text/plain" : type;
    const isText = TEXT_TYPES.has(shown) && !isFile;
    const encoding = (valueOf(fields, "content-transfer-encoding") ?? "").trim().toLowerCase();
    const place = { start: bodyStart, end: bodyStart, isText, size: 0, encoding };
    this.#part = { type: shown, parameters, fields, lines: [], parts: [], ...place };
  }

  #takeBodyLine(part: OpenPart, line: Uint8Array): void {
    part.size += sizeOf(line, part.encoding);
    if (!part.isText || this.#textBytes >= REPLY_TEXT_BYTES) return;
    this.#textBytes += line.length;
    const text = toLatin1(line).replace(/\r?\n$/, "");
    if (this.#isContinued) part.lines.push((part.lines.pop() ?? "") + text);
    else part.lines.push(text);
  }

  #endPart(end: number): void {
    const part = this.#part;
    if (!part) return;
    this.#part = undefined;
    const { encoding: _, ...scanned } = part;
    if (this.parts.length < REPLY_PARTS) this.parts.push({ ...scanned, end });
  }
}

/** Returns the number of octets that a line of a body encodes. */
function sizeOf(line: Uint8Array, encoding: string): number {
  if (encoding !== "base64" && encoding !== "quoted-printable") return line.length;
  const text = toLatin1(line);
  if (encoding === "base64") return Buffer.byteLength(text.trim(), "base64");
  const soft = /=[ \t]*\r?\n$/.exec(text)?.[0].length ?? 0;
  return text.length - soft - 2 * (text.match(ESCAPED)?.length ?? 0);
}
