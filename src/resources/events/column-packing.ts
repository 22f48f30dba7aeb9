// Packs the columns of a chunk (chunk-form.ts). Repeated values, small numbers and a message's own
// UUID are encoded in JSON so that they compress to almost nothing. Pure.

/**
 * A column with few different values: the values, and one character per row as an index into them.
 * The text is empty if all rows have the same value, or if each row has a value of its own.
 */
export type DictionaryColumn = readonly [values: readonly unknown[], places: string];

/** The character for 0. The next characters stand for 1, 2 and so on. */
const ZERO = 0x30;

/**
 * Marks the place in a text from which the message's UUID was cut out, with or without dashes. At
 * the beginning of a text, it also marks a text that itself contains this character.
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

/** Encodes each number, from 0 on, as one character. */
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

/** Replaces the message's UUID in a text by a short mark. */
export function shortenUuid(text: string, uuid: string): string {
  if (text.includes(MARK)) return VERBATIM + text;
  return text.replaceAll(uuid, UUID_MARK).replaceAll(uuid.replaceAll("-", ""), HEX_MARK);
}

export function restoreUuid(packed: string, uuid: string): string {
  if (!packed.includes(MARK)) return packed;
  if (packed.startsWith(VERBATIM)) return packed.slice(VERBATIM.length);
  return packed.replaceAll(UUID_MARK, uuid).replaceAll(HEX_MARK, () => uuid.replaceAll("-", ""));
}
