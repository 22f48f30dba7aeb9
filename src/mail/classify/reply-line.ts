// Writes a server's words as the one line that events show (contract.md §Bounces): no control
// characters, cut to a size. Pure.

const RESPONSE_BYTES = 1_024;

/** The words without what a line can't hold. */
export function onOneLine(text: string): string {
  return text
    .slice(0, RESPONSE_BYTES)
    .toWellFormed()
    .replace(/[\s\p{Cc}]+/gu, " ")
    .trim();
}

/**
 * The parts that are there, separated by spaces: at most 1,024 bytes in UTF-8, cut between
 * characters.
 */
export function replyLine(...parts: readonly (string | null)[]): string {
  const line = parts.filter((part) => part !== null && part !== "").join(" ");
  if (line.length * 3 <= RESPONSE_BYTES) return line;
  const bytes = new Uint8Array(RESPONSE_BYTES);
  const { read } = new TextEncoder().encodeInto(line, bytes);
  return line.slice(0, read);
}
