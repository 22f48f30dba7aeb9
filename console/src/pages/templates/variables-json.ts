// The variables that a preview is rendered with, as the JSON that a person edits. Pure.

export type VariableValues = Readonly<Record<string, unknown>>;

/** The meaning of the text, or why it has none, with the place where that shows. */
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

/** Engines tell the place as `position 12`, as `line 2 column 5`, or only as the end. */
function placeIn(message: string, text: string): number {
  const position = /position (\d+)/.exec(message)?.[1];
  if (position !== undefined) return Math.min(Number(position), text.length);
  const [, line, column] = /line (\d+) column (\d+)/.exec(message) ?? [];
  if (line !== undefined && column !== undefined)
    return offsetOf(text, Number(line), Number(column));
  return text.length;
}

/** The offset of a line and a column that count from 1, within the text. */
export function offsetOf(text: string, line: number, column: number): number {
  let start = 0;
  for (let at = 1; at < line; at += 1) {
    const end = text.indexOf("\n", start);
    if (end === -1) return text.length;
    start = end + 1;
  }
  return Math.min(start + column - 1, text.length);
}

/** Adds a sample of each name to the variables; what they have stays. */
export function fillVariables(
  values: VariableValues,
  names: readonly string[],
  source: string,
): VariableValues {
  let filled = values;
  for (const name of names) filled = withMember(filled, name.split("."), sampleOf(name, source));
  return filled;
}

export function writeVariables(values: VariableValues): string {
  return JSON.stringify(values, null, 2);
}

function withMember(
  values: VariableValues,
  path: readonly string[],
  sample: unknown,
): VariableValues {
  const [name, ...rest] = path;
  if (name === undefined) return values;
  const present = values[name];
  if (rest.length === 0) return present === undefined ? { ...values, [name]: sample } : values;
  // A parent of another kind is a person's choice.
  if (present !== undefined && !isObject(present)) return values;
  return { ...values, [name]: withMember(present ?? {}, rest, sample) };
}

/** A value that shows where it goes: of the kind that the source makes of it. */
function sampleOf(name: string, source: string): unknown {
  const loop = blockOf(source, `#each ${name}`);
  if (loop !== null) return listFor(loop);
  const isOnlyAsked =
    ["#if", "#unless", "else if"].some((tag) => source.includes(`{{${tag} ${name}}}`)) &&
    !source.includes(`{{${name}}}`);
  return isOnlyAsked ? true : wordFor(name);
}

/** Returns the content of the first block that begins with the tag, or null. */
function blockOf(source: string, tag: string): string | null {
  const start = source.indexOf(`{{${tag}`);
  const next = source[start + tag.length + 2];
  if (start === -1 || (next !== "}" && next !== " ")) return null;
  const end = source.indexOf("{{/each}}", start);
  return source.slice(source.indexOf("}}", start) + 2, end === -1 ? undefined : end);
}

function listFor(block: string): unknown[] {
  const names = [...block.matchAll(/\{\{\{?(?:this\.)?([A-Za-z_]\w*)\}/g)]
    .map(([, name = ""]) => name)
    .filter((name) => name !== "this" && name !== "else");
  if (names.length === 0) return ["one", "two"];
  return [Object.fromEntries(names.map((name) => [name, wordFor(name)]))];
}

function wordFor(name: string): string {
  const last = name.slice(name.lastIndexOf(".") + 1);
  if (/url|link|href/i.test(last)) return "https://example.com/";
  if (/e-?mail/i.test(last)) return "ada@example.com";
  if (/^(?:first_?)?name$/i.test(last)) return "Ada";
  return last.replaceAll("_", " ");
}

function isObject(value: unknown): value is VariableValues {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
