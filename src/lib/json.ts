// Parses untrusted JSON in linear time. Checks the nesting before JSON.parse runs, because deep
// values would exhaust the stack in later code. Replaces lone surrogates in strings, so that no
// encoder gets one, unless the caller wants to keep them. Pure.
import { quoteInexactNumbers } from "./json-text/exact-numbers.ts";
import { endOfString } from "./json-text/json-strings.ts";

export type JsonResult =
  | { readonly kind: "value"; readonly value: unknown }
  | { readonly kind: "malformed"; readonly problem: string };

/**
 * Maximum nesting of a request's JSON. No meaningful value is deeper, and every recursive function
 * can read a value of this depth.
 */
export const BODY_DEPTH = 64;

const QUOTE = 0x22;
const OPEN_OBJECT = 0x7b;
const OPEN_ARRAY = 0x5b;
const CLOSE_OBJECT = 0x7d;
const CLOSE_ARRAY = 0x5d;

/** Matches an escape that may be half of a surrogate pair. */
const SURROGATE_ESCAPE = /\\u[dD][89a-fA-F]/;

const NOWHERE: ReadonlySet<string> = new Set();

const decoder = new TextDecoder("utf-8", { fatal: true, ignoreBOM: false });

export interface JsonReading {
  /**
   * The names of members in which a number that a double cannot represent becomes a string of its
   * digits. "all": every member.
   */
  readonly exactIn?: ReadonlySet<string> | "all";
  /** True: a lone surrogate stays, for a schema that refuses it. False: it becomes U+FFFD. */
  readonly keepsSurrogates?: boolean;
}

/**
 * Parses a UTF-8 JSON text. Nesting deeper than `maxDepth` is malformed, and the last of two equal
 * keys counts. Members are own properties, including `__proto__`. Numbers beyond a double become
 * infinite, as in JSON.parse.
 */
export function parseJson(
  bytes: Uint8Array,
  maxDepth: number,
  { exactIn = NOWHERE, keepsSurrogates = false }: JsonReading = {},
): JsonResult {
  let text: string;
  try {
    text = decoder.decode(bytes);
  } catch {
    return { kind: "malformed", problem: "is not valid UTF-8" };
  }
  if (!isNestedAtMost(text, maxDepth))
    return { kind: "malformed", problem: `is nested deeper than ${maxDepth} levels` };
  try {
    const value = parseExactly(text, exactIn);
    const mayBeLone = !keepsSurrogates && text.includes("\\u") && SURROGATE_ESCAPE.test(text);
    return { kind: "value", value: mayBeLone ? toWellFormed(value) : value };
  } catch {
    return { kind: "malformed", problem: "is not valid JSON" };
  }
}

/** Parses like JSON.parse, but keeps the digits of the numbers in the members `exactIn`. */
export function parseExactly(text: string, exactIn: ReadonlySet<string> | "all"): unknown {
  return JSON.parse(exactIn === NOWHERE ? text : quoteInexactNumbers(text, exactIn));
}

export function isJsonObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/**
 * Tells whether brackets outside strings nest at most `maxDepth` deep. The count may be wrong for
 * invalid JSON, but JSON.parse then refuses the text without deep recursion.
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
 * Replaces lone surrogates. Changes the value in place if possible, because a body may have many
 * members.
 */
function toWellFormed(value: unknown): unknown {
  if (typeof value === "string") return value.toWellFormed();
  if (typeof value !== "object" || value === null) return value;
  const members = value as Record<string, unknown>;
  const names = Object.keys(members);
  for (const name of names) {
    const member = members[name];
    if (typeof member === "string" || typeof member === "object")
      members[name] = toWellFormed(member);
  }
  if (names.every((name) => name.isWellFormed())) return members;
  return Object.fromEntries(names.map((name) => [name.toWellFormed(), members[name]]));
}
