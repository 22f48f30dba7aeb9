// Determines from an element's `style` whether the element is displayed, and whether it has its own
// line (docs/templates.md §The plain text). Pure, linear.

/** The display of an element. `inline`: the style does not decide, so the element's name does. */
export type Display = "hidden" | "block" | "inline-block" | "inline";

const BLOCK = new Set(["block", "flex", "grid", "table", "list-item"]);
const INLINE_BLOCK = new Set(["inline-block", "inline-flex", "inline-grid", "inline-table"]);

export function displayOf(style: string): Display {
  const declared = declarationsOf(style);
  const display = declared.get("display") ?? "";
  if (isHidden(declared)) return "hidden";
  if (INLINE_BLOCK.has(display)) return "inline-block";
  return BLOCK.has(display) ? "block" : "inline";
}

/** Returns the first word of each property's value, by property. */
function declarationsOf(style: string): ReadonlyMap<string, string> {
  const declared = new Map<string, string>();
  for (const declaration of style.toLowerCase().split(";")) {
    const [name = "", value = ""] = declaration.split(":", 2);
    const [word = ""] = value.trim().split(/[\s!]/, 1);
    declared.set(name.trim(), word);
  }
  return declared;
}

function isHidden(declared: ReadonlyMap<string, string>): boolean {
  const height = declared.get("max-height");
  return (
    declared.get("display") === "none" ||
    declared.get("visibility") === "hidden" ||
    ((height === "0" || height === "0px") && declared.get("overflow") === "hidden")
  );
}
