// JSON from strangers: bytes to a value in linear time, whatever they hold. Nesting is measured
// before JSON.parse sees it, since depth is what exhausts a stack later; text comes out
// well-formed, so that no lone surrogate reaches an encoder.

export type JsonResult =
  | { readonly kind: "value"; readonly value: unknown }
  | { readonly kind: "malformed"; readonly problem: string };

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const OPEN_OBJECT = 0x7b;
const OPEN_ARRAY = 0x5b;
const CLOSE_OBJECT = 0x7d;
const CLOSE_ARRAY = 0x5d;

/** An escape that may stand for half of a character. */
const SURROGATE_ESCAPE = /\\u[dD][89a-fA-F]/;

/**
 * Parses a UTF-8 JSON text. Nesting beyond `maxDepth` containers is malformed, a lone surrogate
 * becomes U+FFFD, the last of two equal keys wins. Members are own properties, `__proto__`
 * included; numbers beyond a double are infinite, as JSON.parse makes them.
 */
export function parseJson(bytes: Uint8Array, maxDepth: number): JsonResult {
  let text: string;
  try {
    text = new TextDecoder("utf-8", { fatal: true, ignoreBOM: false }).decode(bytes);
  } catch {
    return { kind: "malformed", problem: "is not valid UTF-8" };
  }
  if (!isNestedAtMost(text, maxDepth))
    return { kind: "malformed", problem: `is nested deeper than ${maxDepth} levels` };
  try {
    const value: unknown = JSON.parse(text);
    return { kind: "value", value: SURROGATE_ESCAPE.test(text) ? toWellFormed(value) : value };
  } catch {
    return { kind: "malformed", problem: "is not valid JSON" };
  }
}

export function isJsonObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/**
 * Counts brackets outside strings; text that is no JSON may count wrongly, and JSON.parse then
 * refuses it without having gone deep.
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

/** The index of the quote that closes the string opened at `start`, or the end of the text. */
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
