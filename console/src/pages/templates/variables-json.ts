// Reads and writes a preview's variables as the JSON that a person edits. Pure.

export type VariableValues = Readonly<Record<string, unknown>>;

/** The parsed variables, or the first problem and its position in the text. */
export type ReadVariables =
  | { readonly values: VariableValues }
  | { readonly problem: string; readonly offset: number };

export function readVariables(text: string): ReadVariables {
  if (text.trim() === "") return { values: {} };
  try {
    const value: unknown = JSON.parse(text);
    if (isObject(value)) return { values: value };
    return { problem: 'must be an object, such as {"name": "Ada"}', offset: 0 };
  } catch (error) {
    const message = (error as Error).message;
    return { problem: message, offset: placeIn(message, text) };
  }
}

/**
 * JavaScript engines report the position as `position 12`, as `line 2 column 5`, or as the end of
 * the text.
 */
function placeIn(message: string, text: string): number {
  const position = /position (\d+)/.exec(message)?.[1];
  if (position !== undefined) return Math.min(Number(position), text.length);
  const [, line, column] = /line (\d+) column (\d+)/.exec(message) ?? [];
  if (line !== undefined && column !== undefined)
    return offsetOf(text, Number(line), Number(column));
  return text.length;
}

/** Returns the offset of a line and a column in the text. Both count from 1. */
export function offsetOf(text: string, line: number, column: number): number {
  let start = 0;
  for (let at = 1; at < line; at += 1) {
    const end = text.indexOf("\n", start);
    if (end === -1) return text.length;
    start = end + 1;
  }
  return Math.min(start + column - 1, text.length);
}

/**
 * Adds sample values for the missing variables. Existing values stay even if the sample has another
 * type, because the person chose the type. Items of a list also get the members that only the
 * sample's item has.
 */
export function fillVariables(values: VariableValues, samples: VariableValues): VariableValues {
  return filled(values, samples) as VariableValues;
}

/** Tells whether the variables already have all samples. */
export function isFilled(values: VariableValues, samples: VariableValues): boolean {
  return writeVariables(fillVariables(values, samples)) === writeVariables(values);
}

export function writeVariables(values: VariableValues): string {
  return JSON.stringify(values, null, 2);
}

/** The path to a value: names of members and indexes of lists, from the outside to the inside. */
export type ValuePath = readonly string[];

/** Returns a copy of the variables with another value at this path. */
export function setAt(values: VariableValues, path: ValuePath, value: unknown): VariableValues {
  return replaced(values, path, value) as VariableValues;
}

function replaced(present: unknown, [name, ...rest]: ValuePath, value: unknown): unknown {
  if (name === undefined) return value;
  if (Array.isArray(present))
    return present.with(Number(name), replaced(present[Number(name)], rest, value));
  if (!isObject(present)) return present;
  return { ...present, [name]: replaced(ownOf(present, name), rest, value) };
}

function filled(present: unknown, sample: unknown): unknown {
  if (present === undefined) return sample;
  if (Array.isArray(present) && Array.isArray(sample))
    return present.map((entry: unknown) => (isObject(entry) ? filled(entry, sample[0]) : entry));
  if (!isObject(present) || !isObject(sample)) return present;
  const names = new Set([...Object.keys(present), ...Object.keys(sample)]);
  return Object.fromEntries(
    Array.from(names, (name) => [name, filled(ownOf(present, name), ownOf(sample, name))]),
  );
}

function ownOf(values: VariableValues, name: string): unknown {
  return Object.hasOwn(values, name) ? values[name] : undefined;
}

function isObject(value: unknown): value is VariableValues {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
