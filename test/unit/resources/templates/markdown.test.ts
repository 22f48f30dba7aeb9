// Email Markdown (src/resources/templates/markdown/markdown.ts).
import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { compileTemplate } from "../../../../src/lib/template/compile.ts";
import { tokenizeHtml } from "../../../../src/lib/html/html-tokens.ts";
import { renderMarkdown } from "../../../../src/resources/templates/markdown/markdown.ts";
import { htmlToText } from "../../../../src/resources/templates/html-to-text.ts";

function htmlOf(source: string): string {
  const rendered = renderMarkdown(source);
  return rendered.kind === "html" ? rendered.html : "";
}

/** What stands in the page's column, without the styles. */
function content(source: string): string {
  const html = htmlOf(source);
  const column = html.slice(html.indexOf('<td class="content"'));
  return column
    .slice(column.indexOf(">") + 1, column.lastIndexOf("</td></tr></table>\n<!--[if mso]>"))
    .replace(/ (?:style|class|bgcolor|width|cellpadding|cellspacing|border|role)="[^"]*"/g, "")
    .trim();
}

describe("renderMarkdown", () => {
  it.each([
    [
      "paragraphs and marks",
      "a *b* **c** `d`  \ne\nf\n\ng",
      "<p>a <em>b</em> <strong>c</strong> <code>d</code><br>\ne\nf</p>\n<p>g</p>",
    ],
    ["headings", "# a\n\nb\n===\n\n### c", "<h1>a</h1>\n<h1>b</h1>\n<h3>c</h3>"],
    [
      "lists",
      "- a\n- b\n\n3. c\n4. d",
      '<ul>\n<li>a</li>\n<li>b</li>\n</ul>\n<ol start="3">\n<li>c</li>\n<li>d</li>\n</ol>',
    ],
    ["quotes", "> a\nb", "<blockquote>\n<p>a\nb</p>\n</blockquote>"],
    [
      "code",
      "```js\n<a>\n```\n\n    b",
      "<pre><code>&lt;a&gt;\n</code></pre>\n<pre><code>b\n</code></pre>",
    ],
    ["rules", "a\n\n---", "<p>a</p>\n<hr>"],
    [
      "raw HTML as text",
      "<b>a</b> <script>\n\n<div>\n",
      "<p>&lt;b&gt;a&lt;/b&gt; &lt;script&gt;</p>\n<p>&lt;div&gt;</p>",
    ],
    [
      "images",
      '![a "b"](https://x.test/c.png)',
      '<p><img src="https://x.test/c.png" alt="a &quot;b&quot;"></p>',
    ],
    [
      "links",
      '[a](https://x.test/?b=1&c=2 "t") <https://y.test>',
      '<p><a href="https://x.test/?b=1&amp;c=2" title="t">a</a> <a href="https://y.test">https://y.test</a></p>',
    ],
    [
      "addresses and numbers",
      "[a](mailto:b@x.test) [c](tel:+1) [d](#e)",
      '<p><a href="mailto:b@x.test">a</a> <a href="tel:+1">c</a> <a href="#e">d</a></p>',
    ],
    [
      "tables",
      "| a | b |\n|--|-:|\n| c | d |",
      '<div><table>\n<thead>\n<tr>\n<th align="left">a</th>\n<th align="right">b</th>\n</tr>\n</thead>\n<tbody>\n<tr>\n<td>c</td>\n<td align="right">d</td>\n</tr>\n</tbody>\n</table></div>',
    ],
    [
      "buttons on their own",
      "[a](https://x.test){button}",
      '<table><tr><td align="center"><a href="https://x.test">a</a></td></tr></table>',
    ],
    [
      "buttons among words",
      "a [b](https://x.test){button} c",
      '<p>a <a href="https://x.test">b</a> c</p>',
    ],
    [
      "callouts",
      "> [!NOTE]\n> a\n>\n> b",
      "<table><tr><td>\n<p>Note</p><p>a</p>\n<p>b</p>\n</td></tr></table>",
    ],
    [
      "callouts with a title of their own",
      "> [!warning] Mind *it*\n\n> [!other]\n> a",
      "<table><tr><td>\n<p>Mind <em>it</em></p></td></tr></table>\n<blockquote>\n<p>[!other]\na</p>\n</blockquote>",
    ],
  ])("writes %s", (_what, source, html) => {
    expect(content(source)).toBe(html);
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
    expect(content(`[a](${address}) ![b](${address}) <${address}>`)).not.toMatch(/<(?:a|img) /);
  });

  it("gives an image the width that Outlook needs", () => {
    expect(htmlOf("![a](https://x.test/b.png){width=300}")).toContain('alt="a" width="300"');
    expect(content("![a](https://x.test/b.png){width=0}")).toContain("{width=0}");
  });

  it("makes a page that is narrow on a telephone, 600 pixels wide in Outlook, and dark where that is asked for", () => {
    const html = htmlOf("a");
    expect(html).toMatch(/^<!DOCTYPE html>/);
    expect(html).toContain('<meta name="viewport" content="width=device-width, initial-scale=1">');
    expect(html).toContain("max-width:600px");
    expect(html).toContain(
      '<!--[if mso]><table role="presentation" cellpadding="0" cellspacing="0" border="0" width="600"',
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

describe("renderMarkdown of a template", () => {
  it.each([
    [
      "in text",
      'a {{b}} {{{c}}} {{lookup d "e*f_g"}} *{{h}}* {{i_j}}_k_',
      '<p>a {{b}} {{{c}}} {{lookup d "e*f_g"}} <em>{{h}}</em> {{i_j}}_k_</p>',
    ],
    [
      "in code",
      '`{{lookup a "b"}} <`\n\n```\n{{a}} &\n```',
      '<p><code>{{lookup a "b"}} &lt;</code></p>\n<pre><code>{{a}} &amp;\n</code></pre>',
    ],
    [
      "in addresses",
      "[a]({{b}}) [c](https://x.test/{{ d e }}/ü?f={{{g}}}&h) ![{{i}}]({{j}}/k.png) [l](mailto:{{m}})",
      '<p><a href="{{b}}">a</a> <a href="https://x.test/{{ d e }}/%C3%BC?f={{{g}}}&amp;h">c</a> <img src="{{j}}/k.png" alt="{{i}}"> <a href="mailto:{{m}}">l</a></p>',
    ],
    [
      "in references",
      '[a][b]\n\n[b]: https://x.test/{{c}} "{{d}}"',
      '<p><a href="https://x.test/{{c}}" title="{{d}}">a</a></p>',
    ],
    [
      "in cells, bars included",
      '| a |\n|---|\n| {{lookup b "|"}} |',
      '<div><table>\n<thead>\n<tr>\n<th align="left">a</th>\n</tr>\n</thead>\n<tbody>\n<tr>\n<td>{{lookup b "|"}}</td>\n</tr>\n</tbody>\n</table></div>',
    ],
    [
      "in buttons",
      "[{{a}}]({{b}}){button}",
      '<table><tr><td align="center"><a href="{{b}}">{{a}}</a></td></tr></table>',
    ],
    [
      "around buttons",
      "{{#if a}}[b](https://c.test){button}{{/if}}",
      '{{#if a}}<table><tr><td align="center"><a href="https://c.test">b</a></td></tr></table>\n{{/if}}',
    ],
    ["that are escaped", "\\{{a}} \\\\{{b}}", "<p>\\{{a}} \\\\{{b}}</p>"],
    [
      "of blocks in a line",
      'Hi {{#if (lookup a "b")}}{{c}}{{else}}you{{/if}}!',
      '<p>Hi {{#if (lookup a "b")}}{{c}}{{else}}you{{/if}}!</p>',
    ],
    [
      "of blocks on lines, out of paragraphs",
      "a\n{{#if b}}\nc\n{{else}}\nd\n{{/if}}\ne",
      "<p>a</p>\n{{#if b}}\n<p>c</p>\n{{else}}\n<p>d</p>\n{{/if}}\n<p>e</p>",
    ],
    [
      "of blocks on lines, out of quotes",
      "> a\n{{#if b}}\n> c\n{{/if}}",
      "<blockquote>\n<p>a</p>\n</blockquote>\n{{#if b}}\n<blockquote>\n<p>c</p>\n</blockquote>\n{{/if}}",
    ],
    [
      "of blocks in quotes",
      "> {{#if a}}\n> b\n> {{/if}}",
      "<blockquote>\n{{#if a}}\n<p>b</p>\n{{/if}}\n</blockquote>",
    ],
    [
      "of blocks in items",
      "- a\n  {{#if b}}\n  c\n  {{/if}}",
      "<ul>\n<li>a\n{{#if b}}\nc\n{{/if}}\n</li>\n</ul>",
    ],
    [
      "several on a line",
      "{{#if a}} {{#each b}}\nc\n{{/each}}{{/if}}",
      "{{#if a}}\n{{#each b}}\n<p>c</p>\n{{/each}}\n{{/if}}",
    ],
    [
      "of HTML on a line",
      "a\n\n{{{b}}}\n\n{{&c}}\n\n{{d}}",
      "<p>a</p>\n{{{b}}}\n{{&c}}\n<p>{{d}}</p>",
    ],
    [
      "of comments",
      "a\n{{!-- b\n\nc --}}\nd {{! e }}",
      "<p>a</p>\n{{!-- b\n\nc --}}\n<p>d {{! e }}</p>",
    ],
    [
      "not in code that shows them",
      "```\n{{#if a}}\n{{/if}}\n```",
      "<pre><code>{{#if a}}\n{{/if}}\n</code></pre>",
    ],
  ])("keeps tags %s", (_what, source, html) => {
    expect(content(source)).toBe(html);
  });

  it("repeats the rows of one table", () => {
    const html = content(
      "| a | b |\n|---|---|\n{{#each c}}\n| {{d}} | e |\n{{/each}}\n| f | {{g}} |\n",
    );
    expect(html.replace(/\n/g, "")).toContain(
      "<tbody>{{#each c}}<tr><td>{{d}}</td><td>e</td></tr>{{/each}}<tr><td>f</td><td>{{g}}</td></tr></tbody></table>",
    );
  });

  it("ends a table where a block that began before it ends, or one begins that it does not hold", () => {
    const table = "| a |\n|---|\n| b |\n";
    const around = content(`{{#if c}}\n${table}{{else}}\nd\n{{/if}}`).replace(/\n/g, "");
    expect(around).toMatch(
      /^\{\{#if c\}\}<div><table>.*<\/table><\/div>\{\{else\}\}<p>d<\/p>\{\{\/if\}\}$/,
    );
    const before = content(`${table}{{#if c}}\n\nd\n{{/if}}`).replace(/\n/g, "");
    expect(before).toMatch(/<\/table><\/div>\{\{#if c\}\}<p>d<\/p>\{\{\/if\}\}$/);
  });

  it.each([
    [
      "a loop's items are in one list",
      "{{#each a}}\n1. b\n{{/each}}",
      "<ol>\n{{#each a}}\n<li>b</li>\n{{/each}}\n</ol>",
    ],
    [
      "items around a loop share its list",
      "- a\n{{#each b}}\n- c\n{{/each}}\n- d",
      "<ul>\n<li>a</li>\n{{#each b}}\n<li>c</li>\n{{/each}}\n<li>d</li>\n</ul>",
    ],
    [
      "items around a condition share its list",
      "- a\n{{#if b}}\n- c\n{{else}}\n- d\n{{/if}}",
      "<ul>\n<li>a</li>\n{{#if b}}\n<li>c</li>\n{{else}}\n<li>d</li>\n{{/if}}\n</ul>",
    ],
    [
      "a condition alone makes no list when it is false",
      "{{#if a}}\n- b\n{{/if}}",
      "{{#if a}}\n<ul>\n<li>b</li>\n</ul>\n{{/if}}",
    ],
    [
      "a loop in a condition has its list in there",
      "{{#if a}}\n{{#each b}}\n- c\n{{/each}}\n{{/if}}",
      "{{#if a}}\n<ul>\n{{#each b}}\n<li>c</li>\n{{/each}}\n</ul>\n{{/if}}",
    ],
    [
      "branches stay apart",
      "{{#if a}}\n- b\n{{else}}\n- c\n{{/if}}",
      "{{#if a}}\n<ul>\n<li>b</li>\n</ul>\n{{else}}\n<ul>\n<li>c</li>\n</ul>\n{{/if}}",
    ],
    [
      "two kinds of list stay apart",
      "- a\n{{#each b}}\n1. c\n{{/each}}",
      "<ul>\n<li>a</li>\n</ul>\n<ol>\n{{#each b}}\n<li>c</li>\n{{/each}}\n</ol>",
    ],
    [
      "a loop with more than items repeats it all",
      "{{#each a}}\nb\n- c\n{{/each}}",
      "{{#each a}}\n<p>b</p>\n<ul>\n<li>c</li>\n</ul>\n{{/each}}",
    ],
    [
      "a loop around a paragraph and a loop",
      "{{#each a}}\nb\n\n{{#each c}}\n- d\n{{/each}}\n{{/each}}",
      "{{#each a}}\n<p>b</p>\n<ul>\n{{#each c}}\n<li>d</li>\n{{/each}}\n</ul>\n{{/each}}",
    ],
    [
      "inner lists as well",
      "- a\n  {{#each b}}\n  - c\n  {{/each}}",
      "<ul>\n<li>a\n<ul>\n{{#each b}}\n<li>c</li>\n{{/each}}\n</ul>\n</li>\n</ul>",
    ],
  ])("joins lists: %s", (_what, source, html) => {
    expect(content(source)).toBe(html);
  });

  it("stays well-formed around its blocks, and a template", () => {
    const line = fc.constantFrom(
      "- a",
      "1. b",
      "c",
      "",
      "> d",
      "{{e}}",
      "| f |",
      "|---|",
      "# g",
      "  h",
      "    i",
      "---",
      "[j]({{k}}){button}",
      "> [!TIP]",
      "```",
      "{{{l}}}",
      "*m",
    );
    const block = fc.letrec<{ lines: string[] }>((tie) => ({
      lines: fc.oneof(
        { maxDepth: 4 },
        line.map((text) => [text]),
        fc
          .tuple(
            fc.constantFrom("if", "each"),
            fc.array(tie("lines"), { maxLength: 4 }),
            fc.boolean(),
          )
          .map(([name, parts, otherwise]) => [
            `{{#${name} x}}`,
            ...parts.flat(),
            ...(otherwise ? ["{{else}}", "o"] : []),
            `{{/${name}}}`,
          ]),
        fc.array(tie("lines"), { maxLength: 5 }).map((parts) => parts.flat()),
      ),
    })).lines;
    fc.assert(
      fc.property(block, (lines) => {
        const source = lines.join("\n");
        const html = htmlOf(source);
        const compiled = compileTemplate(html);
        expect(compiled.kind === "error" ? compiled.message : "", source).toBe("");
        // Blocks in code are repeated with it; whatever stands between others opens what it closes.
        if (!source.includes("```") && !source.includes("    i"))
          expect(unevenBlocks(html), source).toEqual([]);
      }),
      { numRuns: 1_000 },
    );
  });
});

describe("hostile Markdown", () => {
  it("gives up on more blocks than HTML may hold", () => {
    const tooLong = { kind: "problem", problem: "makes more than 262144 bytes of HTML" };
    expect(renderMarkdown("a\n\n".repeat(60_000))).toEqual(tooLong);
    expect(
      renderMarkdown(`|${"a|".repeat(300)}\n|${"-|".repeat(300)}\n${"|a\n".repeat(2_000)}`),
    ).toEqual(tooLong);
  });

  it("never throws, nor lets a word for a tag through", () => {
    const piece = fc.constantFrom(
      "{{a}}",
      "{{#if b}}",
      "{{/if}}",
      "{{else}}",
      "\\{{c}}",
      "{{",
      "}}",
      "[",
      "](",
      ")",
      "{button}",
      "{width=3}",
      "|",
      "-",
      "\n",
      " ",
      "*",
      "`",
      "> ",
      "[!NOTE]",
      "<",
      "\ufdd0",
      "\ufdd1",
      "\ufdd2",
      "1",
      "&",
      '"',
      "\ud800",
    );
    fc.assert(
      fc.property(fc.array(piece), (pieces) => {
        expect(htmlOf(pieces.join(""))).not.toMatch(/[\ufdd0-\ufdd2]/);
      }),
      { numRuns: 1_000 },
    );
  });
});

/**
 * The elements that some block of the template language opens and does not close, or the other way
 * round.
 */
function unevenBlocks(html: string): string[] {
  const uneven: string[] = [];
  const open: string[][] = [[]];
  for (const token of tokenizeHtml(html, { templated: true })) {
    const source = html.slice(token.start, token.end);
    if (token.kind === "marker" && source.startsWith("{{#")) open.push([]);
    else if (token.kind === "marker" && /^\{\{(?:\/|else)/.test(source)) {
      uneven.push(...(open.pop() ?? []));
      if (source === "{{else}}") open.push([]);
    } else if (token.kind === "open" && !["meta", "hr", "br", "img"].includes(token.name))
      open.at(-1)?.push(token.name);
    else if (token.kind === "close" && open.at(-1)?.pop() !== token.name) uneven.push(source);
  }
  return uneven;
}
