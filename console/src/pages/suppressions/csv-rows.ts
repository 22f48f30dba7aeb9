// Counts the rows of a CSV file in the same way as the import, so that the progress has a total.
// Pure.

const QUOTE = 0x22;
const LINE_FEED = 0x0a;

/** Returns the number of data rows. A row of column names does not count. */
export function countDataRows(text: string): number {
  let rows = 0;
  let isQuoted = false;
  let isBlank = true;
  for (const character of text) {
    if (character === '"') isQuoted = !isQuoted;
    if (!isQuoted && (character === "\n" || character === "\r")) {
      if (!isBlank) rows += 1;
      isBlank = true;
    } else if (character !== "\uFEFF" && character !== " ") isBlank = false;
  }
  if (!isBlank) rows += 1;
  return rows > 0 && hasHeader(text) ? rows - 1 : rows;
}

/** Counts the data rows of a file that arrives in chunks. */
export class RowCounter {
  #lines = 0;
  #isQuoted = false;

  add(bytes: Uint8Array): number {
    for (const byte of bytes) {
      if (byte === QUOTE) this.#isQuoted = !this.#isQuoted;
      else if (byte === LINE_FEED && !this.#isQuoted) this.#lines += 1;
    }
    return Math.max(0, this.#lines - 1);
  }
}

/**
 * Tells whether the first row has the names of the columns. Like the import, it takes a first row
 * without an `@` as names.
 */
function hasHeader(text: string): boolean {
  const [first = ""] = text
    .replace(/^\uFEFF/, "")
    .trimStart()
    .split(/[\r\n]/, 1);
  return !first.includes("@");
}
