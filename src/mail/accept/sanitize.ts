// Corrects invalid text instead of refusing it (contract.md §Statuses): line breaks in header text,
// and directories in file names. Pure.

const CONTROL = /\p{Cc}/u;
const FILE_NAME_CHARACTERS = 255;
const DEFAULT_FILE_NAME = "attachment";

/** Puts header text on one line: removes control characters, and turns tabs into spaces. */
export function toOneLine(text: string): string {
  return CONTROL.test(text) ? text.replaceAll("\t", " ").replace(/\p{Cc}+/gu, "") : text;
}

/**
 * Takes the last component of a path as the file name: at most 255 characters with its extension
 * kept, never empty.
 */
export function toFileName(text: string): string {
  const name = toOneLine(text.replace(/^.*[/\\]/s, "")).trim();
  if (/^\.*$/.test(name)) return DEFAULT_FILE_NAME;
  if (name.length <= FILE_NAME_CHARACTERS) return name;
  const extension = /\.[A-Za-z0-9]{1,10}$/.exec(name)?.[0] ?? "";
  return name.slice(0, FILE_NAME_CHARACTERS - extension.length).toWellFormed() + extension;
}

/**
 * Removes from a Content-ID its angle brackets, and every character that could end a header or a
 * `cid:` URL. The result may be empty.
 */
export function toContentId(text: string): string {
  return text.replace(/[^A-Za-z0-9!#$%&'*+/=?^_`{|}~.@-]+/g, "");
}
