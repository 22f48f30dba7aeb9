// Corrects invalid text instead of refusing it (contract.md §Statuses): line breaks in header text,
// and directories in file names. Pure.
import { Buffer } from "node:buffer";

const CONTROL = /\p{Cc}/u;
/**
 * Characters that a `cid:` URL must encode, and `~`, which begins an encoded octet in a content id.
 */
const BEYOND_URL = /[^A-Za-z0-9!$*+=/._@-]/gu;
const FILE_NAME_CHARACTERS = 255;
const DEFAULT_FILE_NAME = "attachment";

/** Puts header text on one line: removes control characters, and turns tabs into spaces. */
export function toOneLine(text: string): string {
  return CONTROL.test(text) ? text.replaceAll("\t", " ").replace(/\p{Cc}+/gu, "") : text;
}

/**
 * Returns the last component of a path as the file name. The name has at most 255 characters, keeps
 * its extension, and is never empty.
 */
export function toFileName(text: string): string {
  const name = toOneLine(text.replace(/^.*[/\\]/s, "")).trim();
  if (/^\.*$/.test(name)) return DEFAULT_FILE_NAME;
  if (name.length <= FILE_NAME_CHARACTERS) return name;
  const extension = /\.[A-Za-z0-9]{1,10}$/.exec(name)?.[0] ?? "";
  return name.slice(0, FILE_NAME_CHARACTERS - extension.length).toWellFormed() + extension;
}

/**
 * Returns a content id that is the same in a Content-ID and in a `cid:` URL. Each character that
 * the URL must encode becomes `~` and its octets in hex. All spellings of an id give the same
 * result: in angle brackets, percent-encoded, or with `cid:` before it. The result may be empty.
 */
export function toContentId(text: string): string {
  return decodePercents(toOneLine(text).trim().replace(/^<|>$/g, ""))
    .replace(/^(?:cid:)+/i, "")
    .normalize("NFC")
    .replace(BEYOND_URL, escapeOctets);
}

/**
 * Decodes the percent-encoded characters of a text. Does not change characters that can't be
 * decoded.
 */
export function decodePercents(text: string): string {
  return text.replace(/(?:%[0-9a-f]{2})+/gi, (encoded) => {
    try {
      return decodeURIComponent(encoded);
    } catch {
      return encoded;
    }
  });
}

function escapeOctets(character: string): string {
  const octets = Buffer.from(character, "utf8").toString("hex").toUpperCase();
  return octets.replace(/../g, "~$&");
}
