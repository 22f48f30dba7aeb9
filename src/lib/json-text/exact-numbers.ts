// Keeps the digits of JSON numbers that a double cannot represent, such as order numbers of 64 bits
// (RFC 8259 §6). Such a number becomes a string of its digits before JSON.parse can round it. Pure.
import { endOfString } from "./json-strings.ts";

/**
 * Matches every text that may contain a number that a double cannot represent: a number with over
 * 15 digits or with an exponent.
 */
const CANDIDATE = /[\d.]{16}|\d[eE][+-]?\d/;
const NUMBER = /^(-?)(0|[1-9]\d*)(?:\.(\d+))?(?:[eE]([+-]?\d+))?$/;
const EXPONENT = /[eE]/;
/** A decimal with this many digits keeps its value in a double (IEEE 754, DBL_DIG). */
const DIGITS_HELD = 15;
const BLANK = /\s/;

const QUOTE = 0x22;
const COMMA = 0x2c;
const COLON = 0x3a;
const OPEN_OBJECT = 0x7b;
const OPEN_ARRAY = 0x5b;
const CLOSE_OBJECT = 0x7d;
const CLOSE_ARRAY = 0x5d;

/**
 * Puts quotes around the numbers that a double cannot represent, inside members with these names at
 * any depth. If `names` is "all", does so in the whole text. Numbers too large for a double stay
 * unchanged. A text that is not valid JSON stays invalid.
 */
export function quoteInexactNumbers(text: string, names: ReadonlySet<string> | "all"): string {
  if (!CANDIDATE.test(text)) return text;
  const pieces: string[] = [];
  let from = 0;
  for (const { start, end } of longNumbersInside(text, names)) {
    const number = text.slice(start, end);
    if (!NUMBER.test(number) || isHeld(number) || isKey(text, end)) continue;
    pieces.push(text.slice(from, start), `"${number}"`);
    from = end;
  }
  return from === 0 ? text : pieces.join("") + text.slice(from);
}

interface Span {
  readonly start: number;
  readonly end: number;
}

/** Finds numbers with many digits or an exponent, outside strings and inside the named members. */
function longNumbersInside(text: string, names: ReadonlySet<string> | "all"): Span[] {
  const found: Span[] = [];
  let depth = 0;
  let key: Span = { start: 0, end: 0 };
  /**
   * The depth of the named member whose value the loop reads. Infinity: the loop is outside the
   * named members. -1: every member counts.
   */
  let named = names === "all" ? -1 : Number.POSITIVE_INFINITY;
  for (let index = 0; index < text.length; index += 1) {
    const unit = text.charCodeAt(index);
    if (unit === QUOTE) {
      key = { start: index, end: endOfString(text, index) + 1 };
      index = key.end - 1;
    } else if (unit === COLON) {
      if (names !== "all" && depth < named && names.has(nameAt(text, key))) named = depth;
    } else if (unit === OPEN_OBJECT || unit === OPEN_ARRAY) depth += 1;
    else if (isOfNumber(unit)) {
      const start = index;
      while (isOfNumber(text.charCodeAt(index + 1))) index += 1;
      if (depth >= named && index - start >= DIGITS_HELD) found.push({ start, end: index + 1 });
      else if (depth >= named && EXPONENT.test(text.slice(start, index + 1)))
        found.push({ start, end: index + 1 });
    } else if (unit === CLOSE_OBJECT || unit === CLOSE_ARRAY || unit === COMMA) {
      if (unit !== COMMA) depth -= 1;
      const isOver = depth < named || (depth === named && unit === COMMA);
      if (names !== "all" && isOver) named = Number.POSITIVE_INFINITY;
    }
  }
  return found;
}

/** Tells whether a character can be part of a number: a digit, `.`, `+`, `-`, `e` or `E`. */
function isOfNumber(unit: number): boolean {
  return (
    (unit >= 0x30 && unit <= 0x39) ||
    unit === 0x2d ||
    unit === 0x2e ||
    unit === 0x2b ||
    unit === 0x65 ||
    unit === 0x45
  );
}

function nameAt(text: string, { start, end }: Span): string {
  const name = text.slice(start + 1, end - 1);
  if (!name.includes("\\")) return name;
  try {
    return JSON.parse(text.slice(start, end)) as string;
  } catch {
    return name;
  }
}

/**
 * Tells whether the number is in the place of a key. Such a number is invalid JSON, and quotes
 * would turn it into a valid key.
 */
function isKey(text: string, end: number): boolean {
  let next = end;
  while (BLANK.test(text.charAt(next))) next += 1;
  return text.charAt(next) === ":";
}

/**
 * Tells whether the number needs no quotes: a double represents it exactly, or it is too large for
 * a double.
 */
function isHeld(number: string): boolean {
  const double = Number(number);
  return !Number.isFinite(double) || valueOf(number) === valueOf(String(double));
}

/** Writes a decimal in a form that depends on its value only. */
function valueOf(number: string): string {
  const [, sign = "", whole = "", fraction = "", exponent = "0"] = NUMBER.exec(number) ?? [];
  const digits = (whole + fraction).replace(/^0+/, "");
  let end = digits.length;
  while (digits.charAt(end - 1) === "0") end -= 1;
  if (end === 0) return "0";
  return `${sign}${digits.slice(0, end)}e${Number(exponent) - fraction.length + digits.length - end}`;
}
