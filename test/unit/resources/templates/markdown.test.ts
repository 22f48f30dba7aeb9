// Tests email Markdown (src/resources/templates/markdown/markdown.ts).
import { fc } from "../../../support/properties.ts";
import { describe, expect, it } from "vitest";
import { renderMarkdown } from "../../../../src/resources/templates/markdown/markdown.ts";
import { htmlToText } from "../../../../src/resources/templates/html-to-text.ts";
import { pairsOf } from "../../fixture-rows.ts";
import { contentOf, htmlOf } from "./markdown-html.ts";

describe("the HTML of Markdown", () => {
  it.each(pairsOf("markup", "Markdown to HTML"))("for %j is %j", (source, html) => {
    expect(contentOf(source)).toBe(html);
  });

  it.each([
    ..."javascript:a() JaVaScRiPt:a() data:text/html,a vbscript:a file:///a ftp://a".split(" "),
    "java{{x}}script:a()",
  ])("never has a link to %s", (address) => {
    expect(contentOf(`[a](${address}) ![b](${address}) <${address}>`)).not.toMatch(/<(?:a|img) /);
  });

  it("has the width of an image that Outlook needs", () => {
    expect(htmlOf("![a](https://x.test/b.png){width=300}")).toContain('alt="a" width="300"');
    expect(contentOf("![a](https://x.test/b.png){width=0}")).toContain("{width=0}");
  });

  it("is a page that is narrow on a phone, 600 pixels wide in Outlook, and dark on request", () => {
    const html = htmlOf("a");
    expect(html).toMatch(/^<!DOCTYPE html>/);
    expect(html).toContain('<meta name="viewport" content="width=device-width, initial-scale=1">');
    expect(html).toContain("max-width:600px");
    expect(html).toContain(
      '<!--[if mso]><table role="presentation" cellpadding="0" cellspacing="0" border="0" ' +
        'width="600"',
    );
    expect(html).toContain('<meta name="color-scheme" content="light dark">');
    expect(html).toContain("@media (prefers-color-scheme: dark)");
    expect(html).not.toContain("{{");
  });

  it("has a preview text that is hidden, and that the plain text lacks", () => {
    const html = htmlOf("Preheader: Hi {{name}} & <co>\n\n# Title");
    expect(html).toMatch(/<div style="display:none[^"]*">Hi \{\{name\}\} &amp; &lt;co&gt;&#847;/);
    expect(htmlToText(html)).toBe("Title");
    expect(htmlOf("a\npreheader: b")).not.toContain("display:none");
  });
});

describe("hostile Markdown", () => {
  it("is refused with more blocks than the HTML limit allows", () => {
    const tooLong = { kind: "problem", problem: "makes more than 262144 bytes of HTML" };
    expect(renderMarkdown("a\n\n".repeat(60_000))).toEqual(tooLong);
    expect(
      renderMarkdown(`|${"a|".repeat(300)}\n|${"-|".repeat(300)}\n${"|a\n".repeat(2_000)}`),
    ).toEqual(tooLong);
  });

  it("is rendered without an error, and no placeholder stays in the output", () => {
    const piece = fc.constantFrom(
      ...'{{a}} {{/if}} {{else}} \\{{c}} {{ }} [ ]( ) {button} {width=3} | - * ` [!NOTE] < 1 & "'.split(
        " ",
      ),
      "{{#if b}}",
      "\n",
      " ",
      "> ",
      "\ufdd0",
      "\ufdd1",
      "\ufdd2",
      "\ud800",
    );
    fc.assert(
      fc.property(fc.array(piece), (pieces) => {
        expect(htmlOf(pieces.join(""))).not.toMatch(/[\ufdd0-\ufdd2]/);
      }),
    );
  });
});
