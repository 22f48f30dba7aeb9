// Converts a server's reply to the single line that events show (contract.md §Bounces), of limited
// size and without control characters. Pure.

const RESPONSE_BYTES = 1_024;

/** Converts a text to a single line: line breaks and control characters become spaces. */
export function onOneLine(text: string): string {
  return text
    .slice(0, RESPONSE_BYTES)
    .toWellFormed()
    .replace(/[\s\p{Cc}]+/gu, " ")
    .trim();
}

/**
 * Joins the parts with spaces, and leaves out null and empty parts. Cuts the line to 1,024 bytes of
 * UTF-8, between two characters.
 */
export function replyLine(...parts: readonly (string | null)[]): string {
  const line = parts.filter((part) => part !== null && part !== "").join(" ");
  if (line.length * 3 <= RESPONSE_BYTES) return line;
  const bytes = new Uint8Array(RESPONSE_BYTES);
  const { read } = new TextEncoder().encodeInto(line, bytes);
  return line.slice(0, read);
}
