// Tests how HTML is converted to plain text (src/resources/templates/html-to-text.ts).
import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { markersOf } from "../../../../src/lib/html/html-markers.ts";
import { compileTemplate } from "../../../../src/lib/template/compile.ts";
import { htmlToText } from "../../../../src/resources/templates/html-to-text.ts";

describe("htmlToText", () => {
  it.each([
    [" a\n\t b&nbsp;&nbsp;c <b> d</b> e ", "a b  c d e"],
    ["&lt;b&gt; &amp;amp; &eacute; &#x1F642; &nosuch;", "<b> &amp; é 🙂 &nosuch;"],
    ["<p>a</p><p>b</p>\n<div>c</div><div>d</div>", "a\n\nb\n\nc\nd"],
    ["<h1>A</h1>b<h2>C</h2>", "A\n\nb\n\nC"],
    ["a<br>b<br><br><br/>c", "a\nb\n\nc"],
    ["<p></p><p>&nbsp;</p><div><div></div></div>a<p> </p>", "a"],
    ["a<hr>b", "a\n\n----------\n\nb"],
    ["<ul><li>a</li><li>b</li></ul>c", "- a\n- b\n\nc"],
    ["<ol start='9'><li>a<li>b<li value=20>c</ol>", "9. a\n10. b\n20. c"],
    ["<ol><li>a<ul><li>b<p>c</p></li></ul></li><li>d</li></ol>", "1. a\n   - b\n\n     c\n\n2. d"],
    ["<ul><li><p>a</p><p>b</p></li></ul>", "- a\n\n  b"],
    ["<ul><li></li><li>a</li></ul>", "- a"],
    ["<dl><dt>a</dt><dd>b</dd></dl>", "a\n  b"],
    [
      "<blockquote><p>a</p><p>b</p><blockquote>c</blockquote></blockquote>d",
      "> a\n>\n> b\n>\n> > c\n\nd",
    ],
    ["<pre>\n a\n\n\n  b</pre>c", " a\n\n\n  b\n\nc".trimStart().replace(/^/, " ")],
    ["<table><tr><th>A<th>B</tr>\n<tr><td>1</td> <td><p>2</p></td></tr></table>", "A | B\n1 | 2"],
    [
      "<table><tr><td>a<br>b</td><td>c</td></tr><tr><td><h2>d</h2></td><td><ul><li>e</ul></td></tr></table>",
      "a\nb\nc\n\nd\n\n- e",
    ],
    [
      "<table><tr><td></td><td>a</td><td>&nbsp;</td><td>b</td></tr><tr><td>c</td><td></td></tr><tr><td>d</td></tr></table>",
      "a | b\nc\nd",
    ],
    [
      "<table><tr><td><table><tr><td>a</td><td>b</td></tr></table></td></tr><tr><td>c</td></tr></table>",
      "a | b\n\nc",
    ],
    ['<a href="https://x.test/?a=1&amp;b">here</a>.', "here (https://x.test/?a=1&b)."],
    [
      '<a href="https://x.test">https://x.test</a> <a href="mailto:a@b.test?subject=c">a@b.test</a>',
      "https://x.test a@b.test",
    ],
    [
      '<a href="mailto:a@b.test?subject=c">us</a> <a href="tel:+1">call</a>',
      "us (a@b.test) call (+1)",
    ],
    ['<a>a</a> <a href="">b</a> <a href="#c">c</a> <a href="javascript:d()">d</a>', "a b c d"],
    ['<a href="u"><h2>a</h2><p>b</p></a>c', "a\n\nb (u)\n\nc"],
    ['<a href="u"><img alt="Logo"></a> <a href="v"><img src=x></a>', "Logo (u) v"],
    ['<p><a href="u">a</a></p><p><a href="v"></a></p>', "a (u)\n\nv"],
    ['a <img src=x alt="the &quot;alt&quot;"> <img src=y alt=""> b', 'a the "alt" b'],
    ["<head><title>t</title><style>s</style><meta></head><body>a<script>b</script><!-- c -->", "a"],
    ["<head><title>t</title><p>a", "a"],
    [
      '<div style="x:y; DISPLAY : none">a<div>b</div></div><span hidden>c</span><p style="max-height:0;overflow:hidden">d</p><svg><text>e</text></svg>f',
      "f",
    ],
    ['<img style="display:none" alt=x>a', "a"],
    ["<p hidden>a<div>b</div>", "b"],
    ["<!--[if mso]><p>a</p><![endif]--><!--[if !mso]><!--><p>b</p><!--<![endif]-->", "b"],
    ["a&shy;b&#8203;c<p>&#847;&zwnj;&nbsp;&#847;&zwnj;</p>", "abc"],
    ["a<b>c<p>d<a href='x", "ac\n\nd"],
    ["1 < 2 > 0 <3 a<", "1 < 2 > 0 <3 a<"],
  ])("writes %j as %j", (html, text) => {
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
      '<p>Hi {{ name }}, {{{ html }}} {{lookup a "b>c"}}&amp;</p>',
      'Hi {{ name }}, {{{ html }}} {{lookup a "b>c"}}&',
    ],
    [
      '<a href=\'{{url}}?a={{ b "\'" }}&amp;c\'>x</a> <a href="{{u}}">{{u}}</a>',
      'x ({{url}}?a={{ b "\'" }}&c) {{u}}',
    ],
    ['<img alt="Hi  {{ a  b }}">', "Hi {{ a  b }}"],
    ["Hi {{#if a}}{{a}}{{else}}you{{/if}}!", "Hi {{#if a}}{{a}}{{else}}you{{/if}}!"],
    [
      "<p>A</p>{{#if x}}<p>B</p>{{else}}<p>C</p>{{/if}}<p>D</p>",
      "A\n\n{{#if x}}\nB\n\n{{else}}\nC\n\n{{/if}}\nD",
    ],
    [
      "<ul>\n{{#each a}}\n<li>{{this}}</li>\n{{/each}}\n</ul><p>b</p>",
      "{{#each a}}\n- {{this}}\n{{/each}}\n\nb",
    ],
    [
      "<ol>{{#each a}}<li>{{b}}</li>{{/each}}<li>c</li></ol>",
      "{{#each a}}\n- {{b}}\n{{/each}}\n2. c",
    ],
    [
      "<table><tr><th>A</th><th>B</th></tr>{{#each r}}<tr><td>{{a}}</td><td>{{b}}</td></tr>{{/each}}</table>c",
      "A | B\n{{#each r}}\n{{a}} | {{b}}\n{{/each}}\n\nc",
    ],
    [
      "<!-- {{#if a}} --><p>b</p><!-- {{/if}} --><!-- {{c}} --><p>d</p>",
      "{{#if a}}\nb\n\n{{/if}}\nd",
    ],
    ["\\<!-- c -->\\{{#if x}}\\{{/if}}", "\\ \\{{#if x}}\\{{/if}}"],
    ['<div style="display:none">{{#if a}}{{b}}{{/if}}</div>c', "c"],
    ['<p class="{{#if a}}b{{/if}}" {{c}}>d</p>', "d"],
    ["\\{{a}} \\\\{{b}}", "\\{{a}} \\\\{{b}}"],
    ["&#123;&#123;a}} &lbrace;{b}}", "\\{{a}} \\{{b}}"],
    ["\\&#123;&#123;&#123;a", "\\{ { {a"],
    ["<p hidden>{{#if x}}\\{{#if y}}<pre>a{{/if}}", "{{#if x}}\na{{/if}}"],
    ["{<b>{a}}</b> {<i>{{b}}</i> \\<i>{{c}}</i>", "{ {a}} { {{b}} \\\\{{c}}"],
  ])("keeps the tags of %j in %j", (html, text) => {
    expect(htmlToText(html)).toBe(text);
  });

  it("is a template whenever the HTML is one, with every displayed tag", () => {
    const inner = fc.constantFrom(
      ..."{{a}} {{{b}}} <p>x</p> <td> </td> <tr> <ul><li> </ul> </p> </a> <pre> <br> &#123; \\ { text <table> <blockquote> </blockquote>".split(
        " ",
      ),
      "<!-- {{c}} -->",
      "<p hidden>",
      "<a href='{{u}}'>",
      "\n",
      "<img alt='{{v}} w'>",
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
      { numRuns: 400 },
    );
  });
});

describe("hostile HTML", () => {
  it("with 100,000 nested elements is converted", () => {
    expect(htmlToText(`${"<div>".repeat(100_000)}a${"</div>".repeat(100_000)}b`)).toBe("a\nb");
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
