// Cuts a style sheet, or the value of a `style` attribute, into its declarations, selectors and
// at-rules, in linear time for any text. It does not validate them: mail programs are more lenient
// than the standard. Pure.

export type CssPart =
  | {
      readonly kind: "declaration";
      /** The property's name, in lower case. */
      readonly property: string;
      /** The value in lower case, without `!important`. */
      readonly value: string;
      readonly offset: number;
      /** True if the declaration is inside an at-rule such as `@media`. */
      readonly isConditional: boolean;
    }
  /** The text between two rules, such as `a:hover`. */
  | { readonly kind: "selector"; readonly text: string; readonly offset: number }
  /** The text of an at-rule up to its block or its semicolon, such as `@media (hover)`. */
  | { readonly kind: "at"; readonly text: string; readonly offset: number };

const PIECE_END = /[{};"'()]/g;

/** Yields the parts of a style sheet. `isSheet` is false for the value of a `style` attribute. */
export function* cssParts(css: string, isSheet: boolean): Generator<CssPart> {
  const text = withoutComments(css);
  const blocks: ("at" | "rule")[] = isSheet ? [] : ["rule"];
  let start = 0;
  for (const { end, mark } of pieceEnds(text)) {
    const piece = text.slice(start, end);
    const offset = start + piece.length - piece.trimStart().length;
    const trimmed = piece.trim();
    const isInRule = blocks.at(-1) === "rule";
    if (trimmed.startsWith("@")) yield { kind: "at", text: trimmed.toLowerCase(), offset };
    else if (mark === "{" && trimmed !== "") yield { kind: "selector", text: trimmed, offset };
    else if (isInRule && trimmed !== "") {
      const declaration = declarationIn(trimmed, offset, blocks.includes("at"));
      if (declaration) yield declaration;
    }
    if (mark === "{")
      blocks.push(trimmed.startsWith("@") && !hasDeclarations(trimmed) ? "at" : "rule");
    else if (mark === "}") blocks.pop();
    start = end + 1;
  }
}

/**
 * Tells whether an at-rule contains declarations. `@font-face` and `@page` do; all others contain
 * rules.
 */
function hasDeclarations(atRule: string): boolean {
  return /^@(?:font-face|page)\b/i.test(atRule);
}

function declarationIn(
  text: string,
  offset: number,
  isConditional: boolean,
): Extract<CssPart, { kind: "declaration" }> | undefined {
  const colon = text.indexOf(":");
  if (colon < 1) return undefined;
  const property = text.slice(0, colon).trim().toLowerCase();
  const value = text
    .slice(colon + 1)
    .toLowerCase()
    .replace("!important", "")
    .trim();
  return { kind: "declaration", property, value, offset, isConditional };
}

/** Replaces comments by spaces, so that offsets do not change. */
function withoutComments(css: string): string {
  let text = "";
  let at = 0;
  for (let start = css.indexOf("/*"); start >= 0; start = css.indexOf("/*", at)) {
    const close = css.indexOf("*/", start + 2);
    const end = close < 0 ? css.length : close + 2;
    text += css.slice(at, start) + " ".repeat(end - start);
    at = end;
  }
  return text + css.slice(at);
}

/** Finds `{`, `}` and `;` outside of strings and parentheses, and the end of the text. */
function* pieceEnds(text: string): Generator<{ readonly end: number; readonly mark: string }> {
  let parentheses = 0;
  PIECE_END.lastIndex = 0;
  for (let found = PIECE_END.exec(text); found; found = PIECE_END.exec(text)) {
    const [mark] = found;
    const { index } = found;
    let next = index + 1;
    if (mark === '"' || mark === "'") {
      const close = text.indexOf(mark, index + 1);
      next = close < 0 ? text.length : close + 1;
    } else if (mark === "(") parentheses += 1;
    else if (mark === ")") parentheses = Math.max(0, parentheses - 1);
    else if (mark === "{" || mark === "}" || (mark === ";" && parentheses === 0)) {
      if (mark !== ";") parentheses = 0;
      yield { end: index, mark };
    }
    PIECE_END.lastIndex = next;
  }
  yield { end: text.length, mark: "" };
}
