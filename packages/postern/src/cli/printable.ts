// Keeps what others wrote from steering the terminal: a subject or a note may hold escape
// sequences, and characters that reorder the text around them.

/** Joins the parts of an emoji. */
const JOINER = "\u200d";
const UNPRINTABLE = new RegExp(`(?!${JOINER})[\\p{C}\\p{Zl}\\p{Zp}]`, "gu");
/** Characters that JSON.stringify leaves as they are: DEL, the C1 controls, and reordering ones. */
const UNESCAPED = /[\u007f-\u009f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]/g;

/** One line, with a question mark for what a terminal would interpret. */
export function printable(line: string): string {
  return line.replaceAll("\t", " ").replace(UNPRINTABLE, "?");
}

/** Text of several lines, each of which is printable. */
export function printableText(text: string): string {
  return text.split(/\r?\n/).map(printable).join("\n");
}

/** JSON that has the same value, and nothing that a terminal would interpret. */
export function printableJson(value: unknown, indent?: number): string {
  return JSON.stringify(value, null, indent).replace(
    UNESCAPED,
    (found) => `\\u${found.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
}
