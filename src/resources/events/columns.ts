// Columns of a page (page.ts): how values that repeat, small numbers and a message's own UUID are
// spelled in JSON so that little is left of them once it is deflated. Pure.

/**
 * A column of few different values: them, and which of them each row has, a character for each row;
 * "" where all rows have one, or each its own.
 */
export type DictionaryColumn = readonly [values: readonly unknown[], places: string];

/** The first of the characters that stand for small numbers. */
const ZERO = 0x30;

/**
 * Stands for the message's UUID, and for the same without dashes; before a text that has this
 * character itself.
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

/** The value of each row. A value that several rows have is one object. */
export function unpackDictionary<Value>([values, places]: DictionaryColumn, rows: number): Value[] {
  const all = values as Value[];
  if (places !== "") return unpackSmallNumbers(places).map((place) => all[place]!);
  return all.length === 1 ? Array.from({ length: rows }, () => all[0]!) : all;
}

/** Numbers from 0, a character each. */
export function packSmallNumbers(numbers: readonly number[]): string {
  return numbers.map((number) => String.fromCharCode(ZERO + number)).join("");
}

export function unpackSmallNumbers(text: string): number[] {
  return Array.from({ length: text.length }, (_, at) => text.charCodeAt(at) - ZERO);
}

/** The differences between one number and the next. */
export function packDifferences(numbers: readonly number[]): number[] {
  return numbers.map((number, at) => number - (numbers[at - 1] ?? 0));
}

export function unpackDifferences(steps: readonly number[]): number[] {
  let sum = 0;
  return steps.map((step) => (sum += step));
}

/** A text that may hold its message's UUID. */
export function shortenUuid(text: string, uuid: string): string {
  if (text.includes(MARK)) return VERBATIM + text;
  return text.replaceAll(uuid, UUID_MARK).replaceAll(uuid.replaceAll("-", ""), HEX_MARK);
}

export function restoreUuid(packed: string, uuid: string): string {
  if (!packed.includes(MARK)) return packed;
  if (packed.startsWith(VERBATIM)) return packed.slice(VERBATIM.length);
  return packed.replaceAll(UUID_MARK, uuid).replaceAll(HEX_MARK, () => uuid.replaceAll("-", ""));
}
