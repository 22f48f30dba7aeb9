// Parses untrusted JSON in linear time. Nesting is checked before JSON.parse runs, because deep
// values would exhaust the stack later. Strings come out well-formed, so that encoders never meet a
// lone surrogate. Pure.

export type JsonResult =
  | { readonly kind: "value"; readonly value: unknown }
  | { readonly kind: "malformed"; readonly problem: string };

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const OPEN_OBJECT = 0x7b;
const OPEN_ARRAY = 0x5b;
const CLOSE_OBJECT = 0x7d;
const CLOSE_ARRAY = 0x5d;

/** Matches an escape that may be half of a surrogate pair. */
const SURROGATE_ESCAPE = /\\u[dD][89a-fA-F]/;

const decoder = new TextDecoder("utf-8", { fatal: true, ignoreBOM: false });

/**
 * Parses a UTF-8 JSON text. Nesting deeper than `maxDepth` is malformed, a lone surrogate becomes
 * U+FFFD, and the last of two equal keys counts. Members are own properties, including `__proto__`.
 * Numbers beyond a double become infinite, as in JSON.parse.
 */
export function parseJson(bytes: Uint8Array, maxDepth: number): JsonResult {
  let text: string;
  try {
    text = decoder.decode(bytes);
  } catch {
    return { kind: "malformed", problem: "is not valid UTF-8" };
  }
  if (!isNestedAtMost(text, maxDepth))
    return { kind: "malformed", problem: `is nested deeper than ${maxDepth} levels` };
  try {
    const value: unknown = JSON.parse(text);
    const mayBeLone = text.includes("\\u") && SURROGATE_ESCAPE.test(text);
    return { kind: "value", value: mayBeLone ? toWellFormed(value) : value };
  } catch {
    return { kind: "malformed", problem: "is not valid JSON" };
  }
}

export function isJsonObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/**
 * Tells whether brackets outside strings nest at most `maxDepth` deep. For invalid JSON the count
 * may be wrong, but JSON.parse then refuses the text without deep recursion.
 */
function isNestedAtMost(text: string, maxDepth: number): boolean {
  let depth = 0;
  for (let index = 0; index < text.length; index += 1) {
    const unit = text.charCodeAt(index);
    if (unit === QUOTE) {
      index = endOfString(text, index);
    } else if (unit === OPEN_OBJECT || unit === OPEN_ARRAY) {
      depth += 1;
      if (depth > maxDepth) return false;
    } else if (unit === CLOSE_OBJECT || unit === CLOSE_ARRAY) {
      depth -= 1;
    }
  }
  return true;
}

/**
 * Returns the index of the quote that closes the string opened at `start`, or the end of the text.
 */
function endOfString(text: string, start: number): number {
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

function toWellFormed(value: unknown): unknown {
  if (typeof value === "string") return value.toWellFormed();
  if (Array.isArray(value)) return value.map(toWellFormed);
  if (!isJsonObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, member]) => [key.toWellFormed(), toWellFormed(member)]),
  );
}
