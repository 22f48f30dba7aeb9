// Removes control characters from texts that others wrote. A subject or a note may hold escape
// sequences, or characters that reorder the text around them.

/** The zero-width joiner stays, because it joins the parts of an emoji. */
const JOINER = "\u200d";
const UNPRINTABLE = new RegExp(`(?!${JOINER})[\\p{C}\\p{Zl}\\p{Zp}]`, "gu");
/**
 * The unsafe characters that JSON.stringify does not escape: DEL, the C1 controls and the
 * reordering characters.
 */
const UNESCAPED = /[\u007f-\u009f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]/g;

/** Returns one line. A question mark replaces each character that a terminal would interpret. */
export function printable(line: string): string {
  return line.replaceAll("\t", " ").replace(UNPRINTABLE, "?");
}

/** Returns several lines, each made printable. */
export function printableText(text: string): string {
  return text.split(/\r?\n/).map(printable).join("\n");
}

/** Returns equivalent JSON without characters that a terminal would interpret. */
export function printableJson(value: unknown, indent?: number): string {
  return JSON.stringify(value, null, indent).replace(
    UNESCAPED,
    (found) => `\\u${found.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
}
