// Reads the content of a scanned reply (contract.md §Replies): its text without the quotation, its
// HTML, and its files. HTML counts as the text only if the reply has no plain text. Pure.
import { decodeText, tokenizeHtml, attributeValue } from "../../../lib/html/html-tokens.ts";
import { decodeWords } from "../../../lib/mime/decode-words.ts";
import { fileNameIn } from "../../../lib/mime/part-name.ts";
import type { ReceivedFile } from "../../../resources/replies/reply-records.ts";
import { BLOCKS, decodeOctets, octetsOf, textLinesOf } from "../part-text.ts";
import { type Field, valueOf } from "../report-fields.ts";
import { cutQuotation, type CutText } from "./cut-quotation.ts";
import type { ScannedPart } from "./part-scanner.ts";

export interface ReplyContent extends CutText {
  /** The whole HTML, with its quotation. Null means that the reply has no HTML. */
  readonly html: string | null;
}

/** A file of a reply, with its position in the raw mail. */
export interface ReplyFile extends ReceivedFile {
  readonly part: ScannedPart;
}

/** Matches the classes that mail programs give to elements with a quotation. */
const QUOTING = /\b(?:gmail_quote|yahoo_quoted|moz-cite|protonmail_quote|zmail_extra)/;
const FILE_NAME_CHARACTERS = 255;

export function readReplyContent(parts: readonly ScannedPart[]): ReplyContent {
  const texts = parts.filter(({ isText }) => isText);
  const plain = texts.filter(({ type }) => type === "text/plain").flatMap(textLinesOf);
  const html = texts.filter(({ type }) => type === "text/html").map(htmlOf);
  const hasPlain = plain.some((line) => line.trim() !== "");
  const text = hasPlain ? plain.join("\n") : html.map(markedText).join("\n");
  return { ...cutQuotation(text), html: html.length === 0 ? null : html.join("\n") };
}

/** Returns the files of a reply: all parts that are not text for people. */
export function filesOf(parts: readonly ScannedPart[]): ReplyFile[] {
  return parts
    .filter(({ isText }) => !isText)
    .map((part) => {
      const disposition = valueOf(part.fields, "content-disposition") ?? "";
      const id = valueOf(part.fields, "content-id")?.replace(/^<|>$/g, "");
      return {
        filename: fileNameOf(part),
        contentType: part.type,
        contentId: id ? decodeOctets(id).slice(0, FILE_NAME_CHARACTERS) : null,
        isInline: !/^[ \t]*attachment/i.test(disposition) && id !== undefined,
        size: part.size,
        part,
      };
    });
}

/** Decodes a header field in which people write text. */
export function fieldText(header: readonly Field[], name: string): string {
  const value = valueOf(header, name) ?? "";
  return decodeWords(decodeOctets(value), true)
    .text.replace(/[\s\p{Cc}]+/gu, " ")
    .trim();
}

function fileNameOf(part: ScannedPart): string {
  const header = ["content-disposition", "content-type"]
    .map((name) => `${name}: ${valueOf(part.fields, name) ?? ""}`)
    .join("\r\n");
  const name = fileNameIn(header)
    .replace(/[\p{Cc}/\\]+/gu, "_")
    .slice(0, FILE_NAME_CHARACTERS);
  return name.toWellFormed() || (part.type === "message/rfc822" ? "message.eml" : "file");
}

function htmlOf(part: ScannedPart): string {
  return decodeOctets(octetsOf(part), part.parameters.get("charset"));
}

/** Returns the text of HTML, in which the lines of quoting elements begin with `>`. */
function markedText(html: string): string {
  let text = "";
  /** The number of quoting elements around the current token. 0 means that the token is outside. */
  let quoted = 0;
  const open: boolean[] = [];
  const newLine = (): void => {
    text += `\n${quoted > 0 ? "> " : ""}`;
  };
  for (const token of tokenizeHtml(html, { templated: false })) {
    if (token.kind === "text") {
      text += decodeText(html, token).replace(/[\s\u00a0]+/g, " ");
    } else if (token.kind === "open") {
      const isQuoting =
        token.name === "blockquote" ||
        QUOTING.test(attributeValue(html, token.attributes, "class") ?? "");
      if (PAIRED.has(token.name)) {
        open.push(isQuoting);
        if (isQuoting) quoted += 1;
      }
      if (BLOCKS.test(token.name)) newLine();
    } else if (token.kind === "close" && PAIRED.has(token.name)) {
      if (open.pop()) quoted -= 1;
      newLine();
    } else if (token.kind === "close" && BLOCKS.test(token.name)) newLine();
  }
  return text
    .split("\n")
    .map((line) => line.replace(/^ +(?!>)/, ""))
    .join("\n");
}

/** Elements whose end tags mail programs always write. */
const PAIRED: ReadonlySet<string> = new Set(["blockquote", "div"]);
