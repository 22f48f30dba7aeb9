// Finds the end of a string in a JSON text, in linear time. Pure.

const BACKSLASH = 0x5c;

/**
 * Returns the index of the quote that closes the string opened at `start`, or the end of the text.
 */
export function endOfString(text: string, start: number): number {
  let end = start;
  do {
    end = text.indexOf('"', end + 1);
    if (end < 0) return text.length;
  } while (isEscaped(text, end));
  return end;
}

function isEscaped(text: string, index: number): boolean {
  let first = index;
  while (text.charCodeAt(first - 1) === BACKSLASH) first -= 1;
  return (index - first) % 2 === 1;
}
