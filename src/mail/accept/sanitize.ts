// Corrects in place rather than refuses (contract.md §Statuses): line breaks in header text, paths
// in file names.

const CONTROL = /\p{Cc}/u;
const FILE_NAME_CHARACTERS = 255;
const DEFAULT_FILE_NAME = "attachment";

/**
 * Without CR and LF: what `from` gets. Other control characters stay, for the address parser to
 * refuse.
 */
export function stripLineBreaks(text: string): string {
  return text.replace(/[\r\n]+/g, "");
}

/** Header text that stays on its line: without control characters, a tab becomes a space. */
export function toOneLine(text: string): string {
  return CONTROL.test(text) ? text.replaceAll("\t", " ").replace(/\p{Cc}+/gu, "") : text;
}

/**
 * The last component of whatever path a file name holds, at most 255 characters with its extension
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
 * A Content-ID without its angle brackets and without what could leave a header or a `cid:` URL;
 * may come out empty.
 */
export function toContentId(text: string): string {
  return text.replace(/[^A-Za-z0-9!#$%&'*+/=?^_`{|}~.@-]+/g, "");
}
