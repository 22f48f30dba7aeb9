// Finds the decoded Subject of a message without parsing the rest of it, for the inbox's list.
import { decodeWords } from "postal-mime";

const HEADERS_BYTES = 256 * 1024;
const SUBJECT_CHARACTERS = 2000;

/** The first Subject, unfolded and with its RFC 2047 words decoded; empty when there is none. */
export function subjectOf(raw: Buffer): string {
  const top = `\r\n${raw.toString("utf8", 0, HEADERS_BYTES)}`;
  const end = top.indexOf("\r\n\r\n");
  const headers = end === -1 ? top : top.slice(0, end);
  const start = headers.search(/\r\nsubject[ \t]*:/i);
  if (start === -1) return "";
  const field = /^[^\r\n]*(?:\r\n[ \t][^\r\n]*)*/.exec(headers.slice(headers.indexOf(":", start) + 1))?.[0] ?? "";
  return decodeWords(field.replace(/\r\n/g, "").trim()).slice(0, SUBJECT_CHARACTERS);
}
