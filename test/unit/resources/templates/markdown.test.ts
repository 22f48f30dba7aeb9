// Email Markdown (src/resources/templates/markdown/markdown.ts).
import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { renderMarkdown } from "../../../../src/resources/templates/markdown/markdown.ts";
import { htmlToText } from "../../../../src/resources/templates/html-to-text.ts";
import { contentOf, htmlOf } from "./markdown-html.ts";

describe("renderMarkdown", () => {
  it.each([
    [
      "a *b* **c** `d`  \ne\nf\n\ng",
      "<p>a <em>b</em> <strong>c</strong> <code>d</code><br>\ne\nf</p>\n<p>g</p>",
    ],
    ["# a\n\nb\n===\n\n### c", "<h1>a</h1>\n<h1>b</h1>\n<h3>c</h3>"],
    [
      "- a\n- b\n\n3. c\n4. d",
      '<ul>\n<li>a</li>\n<li>b</li>\n</ul>\n<ol start="3">\n<li>c</li>\n<li>d</li>\n</ol>',
    ],
    ["> a\nb", "<blockquote>\n<p>a\nb</p>\n</blockquote>"],
    [
      "```js\n<a>\n```\n\n    b",
      "<pre><code>&lt;a&gt;\n</code></pre>\n<pre><code>b\n</code></pre>",
    ],
    ["a\n\n---", "<p>a</p>\n<hr>"],
    [
      "<b>a</b> <script>\n\n<div>\n",
      "<p>&lt;b&gt;a&lt;/b&gt; &lt;script&gt;</p>\n<p>&lt;div&gt;</p>",
    ],
    [
      '![a "b"](https://x.test/c.png)',
      '<p><img src="https://x.test/c.png" alt="a &quot;b&quot;"></p>',
    ],
    [
      '[a](https://x.test/?b=1&c=2 "t") <https://y.test>',
      '<p><a href="https://x.test/?b=1&amp;c=2" title="t">a</a> <a href="https://y.test">https://y.test</a></p>',
    ],
    [
      "[a](mailto:b@x.test) [c](tel:+1) [d](#e)",
      '<p><a href="mailto:b@x.test">a</a> <a href="tel:+1">c</a> <a href="#e">d</a></p>',
    ],
    [
      "| a | b |\n|--|-:|\n| c | d |",
      '<div><table>\n<thead>\n<tr>\n<th align="left">a</th>\n<th ' +
        'align="right">b</th>\n</tr>\n</thead>\n<tbody>\n<tr>\n<td>c</td>\n<td ' +
        'align="right">d</td>\n</tr>\n</tbody>\n</table></div>',
    ],
    [
      "[a](https://x.test){button}",
      '<table><tr><td align="center"><a href="https://x.test">a</a></td></tr></table>',
    ],
    ["a [b](https://x.test){button} c", '<p>a <a href="https://x.test">b</a> c</p>'],
    [
      "> [!NOTE]\n> a\n>\n> b",
      "<table><tr><td>\n<p>Note</p><p>a</p>\n<p>b</p>\n</td></tr></table>",
    ],
    [
      "> [!warning] Mind *it*\n\n> [!other]\n> a",
      "<table><tr><td>\n<p>Mind <em>it</em></p></td></tr></table>\n<blockquote>\n<p>[!other]\na</p>\n</blockquote>",
    ],
  ])("writes %j as %j", (source, html) => {
    expect(contentOf(source)).toBe(html);
  });

  it.each([
    "javascript:a()",
    "JaVaScRiPt:a()",
    "data:text/html,a",
    "vbscript:a",
    "file:///a",
    "ftp://a",
    "java{{x}}script:a()",
  ])("never links to %s", (address) => {
    expect(contentOf(`[a](${address}) ![b](${address}) <${address}>`)).not.toMatch(/<(?:a|img) /);
  });

  it("gives an image the width that Outlook needs", () => {
    expect(htmlOf("![a](https://x.test/b.png){width=300}")).toContain('alt="a" width="300"');
    expect(contentOf("![a](https://x.test/b.png){width=0}")).toContain("{width=0}");
  });

  it("makes a page that is narrow on a phone, 600 pixels wide in Outlook, and dark on request", () => {
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

  it("hides a preview text from the message and its plain text", () => {
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

  it("never throws or leaves a placeholder in the output", () => {
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
      { numRuns: 400 },
    );
  });
});
