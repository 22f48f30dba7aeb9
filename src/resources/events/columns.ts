// Packs the columns of a chunk (chunk-form.ts): repeated values, small numbers and a message's own
// UUID are spelled in JSON so that they deflate to almost nothing. Pure.

/**
 * A column with few different values: the values, and one character per row that says which value
 * the row has. The text is "" if all rows have one value, or each its own.
 */
export type DictionaryColumn = readonly [values: readonly unknown[], places: string];

/** The character of the number 0; the next characters spell the next numbers. */
const ZERO = 0x30;

/**
 * Begins the replacement of the message's UUID, with dashes or without, and marks a text that has
 * this character itself.
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

/** Returns the value of each row. Rows with the same value share one object. */
export function unpackDictionary<Value>([values, places]: DictionaryColumn, rows: number): Value[] {
  const all = values as Value[];
  if (places !== "") return unpackSmallNumbers(places).map((place) => all[place]!);
  return all.length === 1 ? Array.from({ length: rows }, () => all[0]!) : all;
}

/** Spells numbers from 0 on as one character each. */
export function packSmallNumbers(numbers: readonly number[]): string {
  return numbers.map((number) => String.fromCharCode(ZERO + number)).join("");
}

export function unpackSmallNumbers(text: string): number[] {
  return Array.from({ length: text.length }, (_, at) => text.charCodeAt(at) - ZERO);
}

/** Returns the differences between each number and the one before. */
export function packDifferences(numbers: readonly number[]): number[] {
  return numbers.map((number, at) => number - (numbers[at - 1] ?? 0));
}

export function unpackDifferences(steps: readonly number[]): number[] {
  let sum = 0;
  return steps.map((step) => (sum += step));
}

/** Shortens a message's UUID in a text that may hold it. */
export function shortenUuid(text: string, uuid: string): string {
  if (text.includes(MARK)) return VERBATIM + text;
  return text.replaceAll(uuid, UUID_MARK).replaceAll(uuid.replaceAll("-", ""), HEX_MARK);
}

export function restoreUuid(packed: string, uuid: string): string {
  if (!packed.includes(MARK)) return packed;
  if (packed.startsWith(VERBATIM)) return packed.slice(VERBATIM.length);
  return packed.replaceAll(UUID_MARK, uuid).replaceAll(HEX_MARK, () => uuid.replaceAll("-", ""));
}
