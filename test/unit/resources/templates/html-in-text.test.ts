// Tests variables that hold HTML, in the text part of a template
// (src/resources/templates/html-in-text.ts).
import { describe, expect, it } from "vitest";
import { compileTemplate } from "../../../../src/lib/template/compile.ts";
import { renderTemplate } from "../../../../src/lib/template/render.ts";
import { HtmlInText } from "../../../../src/resources/templates/html-in-text.ts";
import { htmlToText } from "../../../../src/resources/templates/html-to-text.ts";

function textOf(html: string, variables: Readonly<Record<string, unknown>>): string {
  const template = compileTemplate(htmlToText(html));
  if (template.kind === "error") throw new Error(template.message);
  const result = renderTemplate(template, variables, { escape: false, flow: new HtmlInText() });
  if (result.kind === "error") throw new Error(result.message);
  return result.text;
}

describe("a value in triple braces", () => {
  it.each<[string, string, unknown, string]>([
    [
      "has no tags in the text",
      "<p>Hi {{{v}}}!</p>",
      "<b>Ann</b> &amp; <i>Bob</i>",
      "Hi Ann & Bob!",
    ],
    ["behind an ampersand has none either", "<p>Hi {{& v}}!</p>", "<b>Ann</b>", "Hi Ann!"],
    ["behind a tilde has none either", "<p>Hi {{~{v}~}} !</p>", "<b>Ann</b>", "HiAnn!"],
    [
      "shows where its links lead",
      "<p>{{{v}}}</p>",
      '<a href="https://a.test/?b=1&amp;c=2">Here</a>',
      "Here (https://a.test/?b=1&c=2)",
    ],
    [
      "has its lists in lines",
      "<div>{{{v}}}</div><p>End</p>",
      "<ul><li>a</li><li>b</li></ul>",
      "- a\n- b\n\nEnd",
    ],
    [
      "has its paragraphs apart",
      "<p>Hi</p>{{{v}}}<p>End</p>",
      "<p>a</p><p>b</p>",
      "Hi\n\na\n\nb\n\nEnd",
    ],
    [
      "begins a line where it begins a block",
      "<div>Hi {{{v}}} bye</div>",
      "<p>a</p>",
      "Hi \n\na\n\nbye",
    ],
    ["stays in its quote", "<blockquote>{{{v}}}</blockquote>", "<p>a</p><p>b</p>", "> a\n>\n> b"],
    ["stays in its item", "<ol><li>{{{v}}}</li><li>z</li></ol>", "a<br>b", "1. a\n   b\n2. z"],
    ["says nothing that HTML hides", "<p>a{{{v}}}b</p>", "<style>p{}</style><p hidden>x</p>", "ab"],
    ["keeps its spaces", "<p>a{{{v}}}b</p>", " <b>x</b> ", "a x b"],
    ["swallows nothing behind itself", "<p>a{{{v}}}b</p>", "<b>x</b><!-- ", "axb"],
    [
      "brings no tag of the language in",
      "<p>{{{v}}}</p>",
      "<b>{{w}}</b> {<b>{w}}</b>",
      "{{w}} {{w}}",
    ],
    ["may be rows", "<table>{{{v}}}</table>", "<tr><td>a</td><td>b</td></tr>", "a | b"],
    ["may be empty", "<p>a{{{v}}}b</p>", "", "ab"],
    ["may be a number", "<p>a{{{v}}}b</p>", 7, "a7b"],
    [
      "may be an address",
      '<a href="{{{v}}}">Go</a>',
      "https://a.test/?a=1&copy=2&amp;b",
      "Go (https://a.test/?a=1&copy=2&b)",
    ],
    ["keeps its lines where it has no tag", "<pre>{{{v}}}</pre>", "a\n  b &lt; c", "a\n  b < c"],
  ])("%s", (_, html, value, text) => {
    expect(textOf(html, { v: value })).toBe(text);
  });

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

it("an HTML value costs steps by its length, so that a rendering ends", () => {
  const variables = { l: Array.from({ length: 100 }, () => 0), s: "<b>".repeat(20_000) };
  expect(() => textOf("{{#each l}}{{{@root.s}}}{{/each}}", variables)).toThrow(
    "takes more than 500000 steps to render",
  );
});
