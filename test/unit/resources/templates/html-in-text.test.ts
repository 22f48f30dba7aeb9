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
  it.each<[string, unknown, string]>([
    ["<p>Hi {{{v}}}!</p>", "<b>Ann</b> &amp; <i>Bob</i>", "Hi Ann & Bob!"],
    ["<p>Hi {{& v}}!</p>", "<b>Ann</b>", "Hi Ann!"],
    ["<p>Hi {{~{v}~}} !</p>", "<b>Ann</b>", "HiAnn!"],
    [
      "<p>{{{v}}}</p>",
      '<a href="https://a.test/?b=1&amp;c=2">Here</a>',
      "Here (https://a.test/?b=1&c=2)",
    ],
    ["<div>{{{v}}}</div><p>End</p>", "<ul><li>a</li><li>b</li></ul>", "- a\n- b\n\nEnd"],
    ["<p>Hi</p>{{{v}}}<p>End</p>", "<p>a</p><p>b</p>", "Hi\n\na\n\nb\n\nEnd"],
    ["<div>Hi {{{v}}} bye</div>", "<p>a</p>", "Hi \n\na\n\nbye"],
    ["<blockquote>{{{v}}}</blockquote>", "<p>a</p><p>b</p>", "> a\n>\n> b"],
    ["<ol><li>{{{v}}}</li><li>z</li></ol>", "a<br>b", "1. a\n   b\n2. z"],
    ["<p>a{{{v}}}b</p>", "<style>p{}</style><p hidden>x</p>", "ab"],
    ["<p>a{{{v}}}b</p>", " <b>x</b> ", "a x b"],
    ["<p>a{{{v}}}b</p>", "<b>x</b><!-- ", "axb"],
    ["<p>{{{v}}}</p>", "<b>{{w}}</b> {<b>{w}}</b>", "{{w}} {{w}}"],
    ["<table>{{{v}}}</table>", "<tr><td>a</td><td>b</td></tr>", "a | b"],
    ["<p>a{{{v}}}b</p>", "", "ab"],
    ["<p>a{{{v}}}b</p>", 7, "a7b"],
    [
      '<a href="{{{v}}}">Go</a>',
      "https://a.test/?a=1&copy=2&amp;b",
      "Go (https://a.test/?a=1&copy=2&b)",
    ],
    ["<pre>{{{v}}}</pre>", "a\n  b &lt; c", "a\n  b < c"],
  ])("is turned into text in %j where it is %j: %j", (html, value, text) => {
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
