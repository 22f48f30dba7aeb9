// Converts values to output by Handlebars' rules: null becomes nothing, other values become
// JavaScript's text, and seven characters are escaped in HTML. Pure.

const SPECIAL = /[&<>"'`=]/;
const SPECIALS = /[&<>"'`=]/g;
const ENTITIES: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&#x27;",
  "`": "&#x60;",
  "=": "&#x3D;",
};

export function escapeHtml(text: string): string {
  return SPECIAL.test(text)
    ? text.replace(SPECIALS, (character) => ENTITIES[character] ?? character)
    : text;
}

/**
 * Converts a JSON value like JavaScript's string conversion: elements joined by commas, or `[object
 * Object]`. A member called `toString` has no effect. Calls `spend` with each array's length before
 * visiting its elements.
 */
export function textOf(value: unknown, spend: (elements: number) => void): string {
  if (typeof value === "string") return value;
  if (value === null || value === undefined) return "";
  if (Array.isArray(value)) {
    spend(value.length);
    return value.map((element) => textOf(element, spend)).join(",");
  }
  return typeof value === "object" ? "[object Object]" : `${value as number | boolean}`;
}
