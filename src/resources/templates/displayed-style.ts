// Reads from an element's `style` whether it is displayed, and whether it makes a line of its own
// (docs/templates.md §The plain text). Pure, linear.

/** `inline` leaves an element as its name has it. */
export type Display = "hidden" | "block" | "inline-block" | "inline";

const BLOCK = new Set(["block", "flex", "grid", "table", "list-item"]);
const INLINE_BLOCK = new Set(["inline-block", "inline-flex", "inline-grid", "inline-table"]);

export function displayOf(style: string): Display {
  const declared = new Map<string, string>();
  for (const declaration of style.toLowerCase().split(";")) {
    const [name = "", value = ""] = declaration.split(":", 2);
    const [word = ""] = value.trim().split(/[\s!]/, 1);
    declared.set(name.trim(), word);
  }
  const display = declared.get("display") ?? "";
  const hasNoHeight = declared.get("max-height") === "0" || declared.get("max-height") === "0px";
  if (
    display === "none" ||
    declared.get("visibility") === "hidden" ||
    (hasNoHeight && declared.get("overflow") === "hidden")
  )
    return "hidden";
  if (INLINE_BLOCK.has(display)) return "inline-block";
  return BLOCK.has(display) ? "block" : "inline";
}
