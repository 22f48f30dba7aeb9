// How a value becomes a piece of the output, by Handlebars' rules: nothing for null, JavaScript's
// own text for the rest, and seven characters escaped in HTML.

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
 * What JavaScript makes of a JSON value in a string: elements joined by commas, `[object Object]`;
 * a member called `toString` changes nothing. `spend` is told of every array's length before its
 * elements are visited.
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
