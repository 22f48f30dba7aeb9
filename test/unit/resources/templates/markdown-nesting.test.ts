// Tests that deeply nested Markdown is either rendered completely or refused.
import { describe, expect, it } from "vitest";
import { readChange } from "../../../../src/resources/templates/template-content.ts";
import { renderMarkdown } from "../../../../src/resources/templates/markdown/markdown.ts";
import { htmlToText } from "../../../../src/resources/templates/html-to-text.ts";

const TOO_DEEP = "is nested deeper than 100 levels (a quote is one, a list two)";
const DEPTHS = [1, 2, 10, 11, 33, 34, 50, 51, 99, 100, 101, 102, 1_000];

/**
 * Sources of nested Markdown. `word1` is at the innermost level, and `end` follows the nested
 * blocks. `levels`: the number of levels that one construct counts as.
 */
const CONSTRUCTS: readonly [name: string, levels: number, sourceOf: (depth: number) => string][] = [
  ["quotes", 1, (depth) => `${"> ".repeat(depth)}word\n\nend`],
  ["quotes with words on each level", 1, (depth) => `${quotes(depth, "")}\nword\n\nend`],
  ["lists", 2, (depth) => `${"- ".repeat(depth)}word\n\nend`],
  [
    "lists by indent",
    2,
    (depth) =>
      `${lines(depth, (level) => `${"  ".repeat(level)}- a${level}`)}\n${"  ".repeat(depth)} ` +
      " word\n\nend",
  ],
  ["numbered lists", 2, (depth) => `${"1. ".repeat(depth)}word\n\nend`],
  ["lists in quotes", 3, (depth) => `${"> - ".repeat(depth)}word\n\nend`],
  ["callouts", 1, (depth) => `${quotes(depth, "[!NOTE] ")}word\n\nend`],
  ["headings in lists", 2, (depth) => `${"- ".repeat(depth)}# word\n\nend`],
  [
    "brackets of a link",
    0,
    (depth) => `${"[".repeat(depth)}word${"]".repeat(depth)}(https://a.test)\n\nend`,
  ],
  [
    "images in images",
    0,
    (depth) => `${"![".repeat(depth)}word${"](https://a.test/b.png)".repeat(depth)}\n\nend`,
  ],
  ["emphasis", 0, (depth) => `${"*a ".repeat(depth)}word${" b*".repeat(depth)}\n\nend`],
  [
    "tables in lists",
    2,
    (depth) => `${"- ".repeat(depth)}|word|\n${"  ".repeat(depth)}|---|\n\nend`,
  ],
];

const quotes = (depth: number, mark: string) =>
  lines(depth, (level) => {
    const quote = "> ".repeat(level + 1);
    return `${quote}${mark}a${level}\n${quote}`;
  });

function lines(count: number, lineOf: (index: number) => string): string {
  return Array.from({ length: count }, (_, index) => lineOf(index)).join("\n");
}

describe.each(CONSTRUCTS)("%s", (_, levels, sourceOf) => {
  it.each(DEPTHS)("nested %i deep are rendered completely or refused", (depth) => {
    const rendered = renderMarkdown(sourceOf(depth));
    if (depth * levels > 100)
      return expect(rendered).toEqual({ kind: "problem", problem: TOO_DEEP });
    const html = rendered.kind === "html" ? rendered.html : "";
    for (const word of ["word", "end"]) {
      expect(html).toContain(word);
      expect(htmlToText(html)).toContain(word);
    }
    for (const [named] of sourceOf(depth).matchAll(/a\d+/g)) expect(html).toContain(named);
  });
});

it("Markdown that is nested too deep is refused under its field", () => {
  expect(() => readChange("markdown", { markdown: `${"- ".repeat(51)}a` })).toThrow(
    expect.objectContaining({
      refusal: expect.objectContaining({ errors: { markdown: [TOO_DEEP] } }),
    }),
  );
});
