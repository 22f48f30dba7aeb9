// Tests how HTML is converted to plain text (src/resources/templates/html-to-text.ts).
import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { markersOf } from "../../../../src/lib/html/html-markers.ts";
import { compileTemplate } from "../../../../src/lib/template/compile.ts";
import { htmlToText } from "../../../../src/resources/templates/html-to-text.ts";

const lines = (...text: string[]) => text.join("\n");

describe("htmlToText", () => {
  it.each([
    ["words and white space", " a\n\t b&nbsp;&nbsp;c <b> d</b> e ", "a b  c d e"],
    [
      "entities, once",
      "&lt;b&gt; &amp;amp; &eacute; &#x1F642; &nosuch;",
      "<b> &amp; é 🙂 &nosuch;",
    ],
    ["paragraphs", "<p>a</p><p>b</p>\n<div>c</div><div>d</div>", lines("a", "", "b", "", "c", "d")],
    ["headings", "<h1>A</h1>b<h2>C</h2>", lines("A", "", "b", "", "C")],
    [
      "line breaks, never more than one blank line",
      "a<br>b<br><br><br/>c",
      lines("a", "b", "", "c"),
    ],
    ["empty blocks as nothing", "<p></p><p>&nbsp;</p><div><div></div></div>a<p> </p>", "a"],
    ["rules", "a<hr>b", lines("a", "", "----------", "", "b")],
    ["bullets", "<ul><li>a</li><li>b</li></ul>c", lines("- a", "- b", "", "c")],
    ["numbers", "<ol start='9'><li>a<li>b<li value=20>c</ol>", lines("9. a", "10. b", "20. c")],
    [
      "nested lists",
      "<ol><li>a<ul><li>b<p>c</p></li></ul></li><li>d</li></ol>",
      lines("1. a", "   - b", "", "     c", "", "2. d"),
    ],
    ["items with paragraphs", "<ul><li><p>a</p><p>b</p></li></ul>", lines("- a", "", "  b")],
    ["empty items as nothing", "<ul><li></li><li>a</li></ul>", "- a"],
    ["definitions", "<dl><dt>a</dt><dd>b</dd></dl>", lines("a", "  b")],
    [
      "quotes",
      "<blockquote><p>a</p><p>b</p><blockquote>c</blockquote></blockquote>d",
      lines("> a", ">", "> b", ">", "> > c", "", "d"),
    ],
    [
      "preformatted text",
      "<pre>\n a\n\n\n  b</pre>c",
      lines(" a", "", "", "  b", "", "c").trimStart().replace(/^/, " "),
    ],
    [
      "rows of cells",
      "<table><tr><th>A<th>B</tr>\n<tr><td>1</td> <td><p>2</p></td></tr></table>",
      lines("A | B", "1 | 2"),
    ],
    [
      "cells that do not form a line",
      "<table><tr><td>a<br>b</td><td>c</td></tr><tr><td><h2>d</h2></td><td><ul><li>e</ul></td></tr></table>",
      lines("a", "b", "c", "", "d", "", "- e"),
    ],
    [
      "empty cells",
      "<table><tr><td></td><td>a</td><td>&nbsp;</td><td>b</td></tr><tr><td>c</td><td></td></tr><tr><td>d</td></tr></table>",
      lines("a | b", "c", "d"),
    ],
    [
      "tables in tables",
      "<table><tr><td><table><tr><td>a</td><td>b</td></tr></table></td></tr><tr><td>c</td></tr></table>",
      lines("a | b", "", "c"),
    ],
    ["links", '<a href="https://x.test/?a=1&amp;b">here</a>.', "here (https://x.test/?a=1&b)."],
    [
      "links that say where they go",
      '<a href="https://x.test">https://x.test</a> <a ' +
        'href="mailto:a@b.test?subject=c">a@b.test</a>',
      "https://x.test a@b.test",
    ],
    [
      "links to addresses",
      '<a href="mailto:a@b.test?subject=c">us</a> <a href="tel:+1">call</a>',
      "us (a@b.test) call (+1)",
    ],
    [
      "links that lead nowhere",
      '<a>a</a> <a href="">b</a> <a href="#c">c</a> <a href="javascript:d()">d</a>',
      "a b c d",
    ],
    [
      "links around blocks",
      '<a href="u"><h2>a</h2><p>b</p></a>c',
      lines("a", "", "b (u)", "", "c"),
    ],
    [
      "links around images",
      '<a href="u"><img alt="Logo"></a> <a href="v"><img src=x></a>',
      "Logo (u) v",
    ],
    [
      "a link without text on its own line",
      '<p><a href="u">a</a></p><p><a href="v"></a></p>',
      lines("a (u)", "", "v"),
    ],
    ["images", 'a <img src=x alt="the &quot;alt&quot;"> <img src=y alt=""> b', 'a the "alt" b'],
    [
      "nothing of the head, styles, scripts and comments",
      "<head><title>t</title><style>s</style><meta></head><body>a<script>b</script><!-- c -->",
      "a",
    ],
    ["nothing of the head, even unclosed", "<head><title>t</title><p>a", "a"],
    [
      "nothing that is hidden",
      '<div style="x:y; DISPLAY : none">a<div>b</div></div><span hidden>c</span><p ' +
        'style="max-height:0;overflow:hidden">d</p><svg><text>e</text></svg>f',
      "f",
    ],
    ["what follows a hidden image", '<img style="display:none" alt=x>a', "a"],
    ["what follows a hidden paragraph that a block ends", "<p hidden>a<div>b</div>", "b"],
    [
      "nothing of conditional comments",
      "<!--[if mso]><p>a</p><![endif]--><!--[if !mso]><!--><p>b</p><!--<![endif]-->",
      "b",
    ],
    ["invisible padding", "a&shy;b&#8203;c<p>&#847;&zwnj;&nbsp;&#847;&zwnj;</p>", "abc"],
    ["unclosed tags", "a<b>c<p>d<a href='x", lines("ac", "", "d")],
    ["stray brackets", "1 < 2 > 0 <3 a<", "1 < 2 > 0 <3 a<"],
  ])("writes %s", (_what, html, text) => {
    expect(htmlToText(html)).toBe(text);
  });

  it("never wraps a line", () => {
    const long = "word ".repeat(1_000).trim();
    expect(htmlToText(`<p>${long}</p>`)).toBe(long);
  });
});

describe("htmlToText of a template", () => {
  it.each([
    [
      "tags in text",
      '<p>Hi {{ name }}, {{{ html }}} {{lookup a "b>c"}}&amp;</p>',
      'Hi {{ name }}, {{{ html }}} {{lookup a "b>c"}}&',
    ],
    [
      "tags in addresses",
      '<a href=\'{{url}}?a={{ b "\'" }}&amp;c\'>x</a> <a href="{{u}}">{{u}}</a>',
      'x ({{url}}?a={{ b "\'" }}&c) {{u}}',
    ],
    ["tags in alternative texts", '<img alt="Hi  {{ a  b }}">', "Hi {{ a  b }}"],
    [
      "conditions in a line",
      "Hi {{#if a}}{{a}}{{else}}you{{/if}}!",
      "Hi {{#if a}}{{a}}{{else}}you{{/if}}!",
    ],
    [
      "conditions around blocks",
      "<p>A</p>{{#if x}}<p>B</p>{{else}}<p>C</p>{{/if}}<p>D</p>",
      lines("A", "", "{{#if x}}", "B", "", "{{else}}", "C", "", "{{/if}}", "D"),
    ],
    [
      "loops over items",
      "<ul>\n{{#each a}}\n<li>{{this}}</li>\n{{/each}}\n</ul><p>b</p>",
      lines("{{#each a}}", "- {{this}}", "{{/each}}", "", "b"),
    ],
    [
      "loops over numbered items, which it can't number",
      "<ol>{{#each a}}<li>{{b}}</li>{{/each}}<li>c</li></ol>",
      lines("{{#each a}}", "- {{b}}", "{{/each}}", "2. c"),
    ],
    [
      "loops over rows",
      "<table><tr><th>A</th><th>B</th></tr>{{#each r}}<tr><td>{{a}}</td><td>{{b}}</td></tr>{{/each}}</table>c",
      lines("A | B", "{{#each r}}", "{{a}} | {{b}}", "{{/each}}", "", "c"),
    ],
    [
      "blocks that comments open and close",
      "<!-- {{#if a}} --><p>b</p><!-- {{/if}} --><!-- {{c}} --><p>d</p>",
      lines("{{#if a}}", "b", "", "{{/if}}", "d"),
    ],
    [
      "a backslash apart from one that makes a tag text",
      "\\<!-- c -->\\{{#if x}}\\{{/if}}",
      "\\ \\{{#if x}}\\{{/if}}",
    ],
    ["no tags of what is hidden", '<div style="display:none">{{#if a}}{{b}}{{/if}}</div>c', "c"],
    ["no tags of attributes", '<p class="{{#if a}}b{{/if}}" {{c}}>d</p>', "d"],
    ["escaped tags as text", "\\{{a}} \\\\{{b}}", "\\{{a}} \\\\{{b}}"],
    ["braces that were entities as text", "&#123;&#123;a}} &lbrace;{b}}", "\\{{a}} \\{{b}}"],
    ["three braces behind a backslash apart", "\\&#123;&#123;&#123;a", "\\{ { {a"],
    [
      "block tags in hidden content, but none that a backslash makes text",
      "<p hidden>{{#if x}}\\{{#if y}}<pre>a{{/if}}",
      lines("{{#if x}}", "a{{/if}}"),
    ],
    [
      "no tag that was none",
      "{<b>{a}}</b> {<i>{{b}}</i> \\<i>{{c}}</i>",
      "{ {a}} { {{b}} \\\\{{c}}",
    ],
  ])("keeps %s", (_what, html, text) => {
    expect(htmlToText(html)).toBe(text);
  });

  it("is a template whenever the HTML is one, with every displayed tag", () => {
    const inner = fc.constantFrom(
      "{{a}}",
      "{{{b}}}",
      "<p>x</p>",
      "<td>",
      "</td>",
      "<tr>",
      "<ul><li>",
      "</ul>",
      "<!-- {{c}} -->",
      "<p hidden>",
      "</p>",
      "<a href='{{u}}'>",
      "</a>",
      "<pre>",
      "\n",
      "<br>",
      "&#123;",
      "\\",
      "{",
      "text",
      "<img alt='{{v}} w'>",
      "<table>",
      "<blockquote>",
      "</blockquote>",
    );
    const block = fc.letrec<{ html: string }>((tie) => ({
      html: fc.oneof(
        { maxDepth: 4 },
        inner,
        fc
          .tuple(
            fc.constantFrom("if", "each", "unless"),
            fc.array(tie("html"), { maxLength: 4 }),
            fc.boolean(),
          )
          .map(
            ([name, parts, otherwise]) =>
              `{{#${name} x}}${parts.join("")}${otherwise ? "{{else}}o" : ""}{{/${name}}}`,
          ),
        fc.array(tie("html"), { maxLength: 4 }).map((parts) => parts.join("")),
      ),
    })).html;
    fc.assert(
      fc.property(block, (html) => {
        if (compileTemplate(html).kind === "error") return;
        const text = htmlToText(html);
        const compiled = compileTemplate(text);
        expect(compiled.kind === "error" ? `${compiled.message}: ${text}` : "").toBe("");
        const shown = markersOf(text).filter(({ role }) => role === "open").length;
        expect(shown).toBe(markersOf(text).filter(({ role }) => role === "close").length);
      }),
      { numRuns: 1_000 },
    );
  });
});

describe("hostile HTML", () => {
  it("with 200,000 nested elements is converted", () => {
    expect(htmlToText(`${"<div>".repeat(200_000)}a${"</div>".repeat(200_000)}b`)).toBe(
      lines("a", "b"),
    );
  });

  it("never throws", () => {
    fc.assert(
      fc.property(
        fc.string({ unit: "binary", maxLength: 200 }),
        (html) => typeof htmlToText(html) === "string",
      ),
      { numRuns: 300 },
    );
  });
});
