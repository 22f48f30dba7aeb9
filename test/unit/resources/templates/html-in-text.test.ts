// Tests variables that hold HTML, in the text part of a template
// (src/resources/templates/html-in-text.ts).
import { describe, expect, it } from "vitest";
import { compileTemplate } from "../../../../src/lib/template/compile.ts";
import { renderTemplate } from "../../../../src/lib/template/render.ts";
import { HtmlInText } from "../../../../src/resources/templates/html-in-text.ts";
import { htmlToText } from "../../../../src/resources/templates/html-to-text.ts";
import { rowsOf } from "../../fixture-rows.ts";

function textOf(html: string, variables: Readonly<Record<string, unknown>>): string {
  const template = compileTemplate(htmlToText(html));
  if (template.kind === "error") throw new Error(template.message);
  const result = renderTemplate(template, variables, { escape: false, flow: new HtmlInText() });
  if (result.kind === "error") throw new Error(result.message);
  return result.text;
}

describe("a value in triple braces", () => {
  it.each(rowsOf<[string, unknown, string]>("markup", "values of HTML to text"))(
    "of the template %j, with the value %j, becomes the text %j",
    (html, value, text) => {
      expect(textOf(html, { v: value })).toBe(text);
    },
  );

  it("is separated from its neighbours in a loop", () => {
    expect(
      textOf("{{#each v}}{{{this}}}{{/each}}", { v: ["<p>a</p>", "<p>b</p>", "c", "<hr>"] }),
    ).toBe("a\n\nb\n\nc\n\n----------");
  });
});

describe("a value in double braces", () => {
  it.each(["<b>Ann</b>", "a\nb", "&amp;"])("is plain text: %j", (value) => {
    expect(textOf("<p>Hi {{v}}!</p>", { v: value })).toBe(`Hi ${value}!`);
  });
});

it("a long HTML value counts as many steps of the rendering, so that a rendering ends", () => {
  const variables = { l: Array.from({ length: 100 }, () => 0), s: "<b>".repeat(20_000) };
  expect(() => textOf("{{#each l}}{{{@root.s}}}{{/each}}", variables)).toThrow(
    "takes more than 500000 steps to render",
  );
});
