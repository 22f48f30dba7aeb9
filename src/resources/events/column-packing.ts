// Encodes the columns of a chunk as JSON (chunk-form.ts). In this encoding, repeated values, small
// numbers and a message's own UUID compress to a few bytes. Pure.

/**
 * A column with few different values: the values, and a text with one character per row, the index
 * of the row's value. The text is empty if all rows have the same value, or if each row has a
 * different value.
 */
export type DictionaryColumn = readonly [values: readonly unknown[], places: string];

/** The character for 0. The characters after it encode 1, 2 and so on. */
const ZERO = 0x30;

/**
 * Begins a code in place of the message's UUID: `u` follows if the UUID has dashes, and `h` if it
 * has none. A text that itself contains this character is stored unchanged after this character and
 * `=`.
 */
const MARK = "\u007f";
const UUID_MARK = `${MARK}u`;
const HEX_MARK = `${MARK}h`;
const VERBATIM = `${MARK}=`;

export function packDictionary(column: readonly unknown[]): DictionaryColumn {
  const places = new Map<string, number>();
  const values: unknown[] = [];
  const rows = column.map((value) => {
    const text = JSON.stringify(value);
    const known = places.get(text);
    if (known !== undefined) return known;
    places.set(text, values.length);
    return values.push(value) - 1;
  });
  return [
    values,
    values.length === 1 || values.length === column.length ? "" : packSmallNumbers(rows),
  ];
}

/** Decodes a column: returns the value of each row. Rows with the same value share one object. */
export function unpackDictionary<Value>([values, places]: DictionaryColumn, rows: number): Value[] {
  const all = values as Value[];
  if (places !== "") return unpackSmallNumbers(places).map((place) => all[place]!);
  return all.length === 1 ? Array.from({ length: rows }, () => all[0]!) : all;
}

/** Encodes each number (0 or higher) as one character. */
export function packSmallNumbers(numbers: readonly number[]): string {
  return numbers.map((number) => String.fromCharCode(ZERO + number)).join("");
}

export function unpackSmallNumbers(text: string): number[] {
  return Array.from({ length: text.length }, (_, at) => text.charCodeAt(at) - ZERO);
}

/** Returns the difference between each number and the previous one. */
export function packDifferences(numbers: readonly number[]): number[] {
  return numbers.map((number, at) => number - (numbers[at - 1] ?? 0));
}

export function unpackDifferences(steps: readonly number[]): number[] {
  let sum = 0;
  return steps.map((step) => (sum += step));
}

/** Replaces the message's UUID in a text by a short code. */
export function shortenUuid(text: string, uuid: string): string {
  if (text.includes(MARK)) return VERBATIM + text;
  return text.replaceAll(uuid, UUID_MARK).replaceAll(uuid.replaceAll("-", ""), HEX_MARK);
}

export function restoreUuid(packed: string, uuid: string): string {
  if (!packed.includes(MARK)) return packed;
  if (packed.startsWith(VERBATIM)) return packed.slice(VERBATIM.length);
  return packed.replaceAll(UUID_MARK, uuid).replaceAll(HEX_MARK, () => uuid.replaceAll("-", ""));
}
