// Tests template tags in email Markdown (src/resources/templates/markdown).
import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { compileTemplate } from "../../../../src/lib/template/compile.ts";
import { tokenizeHtml } from "../../../../src/lib/html/html-tokens.ts";
import { contentOf, htmlOf } from "./markdown-html.ts";

describe("renderMarkdown of a template", () => {
  it.each([
    [
      'a {{b}} {{{c}}} {{lookup d "e*f_g"}} *{{h}}* {{i_j}}_k_',
      '<p>a {{b}} {{{c}}} {{lookup d "e*f_g"}} <em>{{h}}</em> {{i_j}}_k_</p>',
    ],
    [
      '`{{lookup a "b"}} <`\n\n```\n{{a}} &\n```',
      '<p><code>{{lookup a "b"}} &lt;</code></p>\n<pre><code>{{a}} &amp;\n</code></pre>',
    ],
    [
      "[a]({{b}}) [c](https://x.test/{{ d e }}/ü?f={{{g}}}&h) ![{{i}}]({{j}}/k.png) [l](mailto:{{m}})",
      '<p><a href="{{b}}">a</a> <a href="https://x.test/{{ d e ' +
        '}}/%C3%BC?f={{{g}}}&amp;h">c</a> <img src="{{j}}/k.png" alt="{{i}}"> <a ' +
        'href="mailto:{{m}}">l</a></p>',
    ],
    [
      '[a][b]\n\n[b]: https://x.test/{{c}} "{{d}}"',
      '<p><a href="https://x.test/{{c}}" title="{{d}}">a</a></p>',
    ],
    [
      '| a |\n|---|\n| {{lookup b "|"}} |',
      "<div><table>\n<thead>\n<tr>\n<th " +
        'align="left">a</th>\n</tr>\n</thead>\n<tbody>\n<tr>\n<td>{{lookup b ' +
        '"|"}}</td>\n</tr>\n</tbody>\n</table></div>',
    ],
    [
      "[{{a}}]({{b}}){button}",
      '<table><tr><td align="center"><a href="{{b}}">{{a}}</a></td></tr></table>',
    ],
    [
      "{{#if a}}[b](https://c.test){button}{{/if}}",
      '{{#if a}}<table><tr><td align="center"><a href="https://c.test">b</a></td></tr></table>\n{{/if}}',
    ],
    ["\\{{a}} \\\\{{b}}", "<p>\\{{a}} \\\\{{b}}</p>"],
    [
      'Hi {{#if (lookup a "b")}}{{c}}{{else}}you{{/if}}!',
      '<p>Hi {{#if (lookup a "b")}}{{c}}{{else}}you{{/if}}!</p>',
    ],
    [
      "a\n{{#if b}}\nc\n{{else}}\nd\n{{/if}}\ne",
      "<p>a</p>\n{{#if b}}\n<p>c</p>\n{{else}}\n<p>d</p>\n{{/if}}\n<p>e</p>",
    ],
    [
      "> a\n{{#if b}}\n> c\n{{/if}}",
      "<blockquote>\n<p>a</p>\n</blockquote>\n{{#if b}}\n<blockquote>\n<p>c</p>\n</blockquote>\n{{/if}}",
    ],
    ["> {{#if a}}\n> b\n> {{/if}}", "<blockquote>\n{{#if a}}\n<p>b</p>\n{{/if}}\n</blockquote>"],
    ["- a\n  {{#if b}}\n  c\n  {{/if}}", "<ul>\n<li>a\n{{#if b}}\nc\n{{/if}}\n</li>\n</ul>"],
    [
      "{{#if a}} {{#each b}}\nc\n{{/each}}{{/if}}",
      "{{#if a}}\n{{#each b}}\n<p>c</p>\n{{/each}}\n{{/if}}",
    ],
    ["a\n\n{{{b}}}\n\n{{&c}}\n\n{{d}}", "<p>a</p>\n{{{b}}}\n{{&c}}\n<p>{{d}}</p>"],
    ["a\n{{!-- b\n\nc --}}\nd {{! e }}", "<p>a</p>\n{{!-- b\n\nc --}}\n<p>d {{! e }}</p>"],
    ["```\n{{#if a}}\n{{/if}}\n```", "<pre><code>{{#if a}}\n{{/if}}\n</code></pre>"],
  ])("keeps the tags of %j in %j", (source, html) => {
    expect(contentOf(source)).toBe(html);
  });

  it("repeats the rows of one table", () => {
    const html = contentOf(
      "| a | b |\n|---|---|\n{{#each c}}\n| {{d}} | e |\n{{/each}}\n| f | {{g}} |\n",
    );
    expect(html.replace(/\n/g, "")).toContain(
      "<tbody>{{#each c}}<tr><td>{{d}}</td><td>e</td></tr>{{/each}}<tr><td>f</td><td>{{g}}</td></tr></tbody></table>",
    );
  });

  it("ends a table at a tag whose block begins or ends outside the table", () => {
    const table = "| a |\n|---|\n| b |\n";
    const around = contentOf(`{{#if c}}\n${table}{{else}}\nd\n{{/if}}`).replace(/\n/g, "");
    expect(around).toMatch(
      /^\{\{#if c\}\}<div><table>.*<\/table><\/div>\{\{else\}\}<p>d<\/p>\{\{\/if\}\}$/,
    );
    const before = contentOf(`${table}{{#if c}}\n\nd\n{{/if}}`).replace(/\n/g, "");
    expect(before).toMatch(/<\/table><\/div>\{\{#if c\}\}<p>d<\/p>\{\{\/if\}\}$/);
  });

  it.each([
    ["{{#each a}}\n1. b\n{{/each}}", "<ol>\n{{#each a}}\n<li>b</li>\n{{/each}}\n</ol>"],
    [
      "- a\n{{#each b}}\n- c\n{{/each}}\n- d",
      "<ul>\n<li>a</li>\n{{#each b}}\n<li>c</li>\n{{/each}}\n<li>d</li>\n</ul>",
    ],
    [
      "- a\n{{#if b}}\n- c\n{{else}}\n- d\n{{/if}}",
      "<ul>\n<li>a</li>\n{{#if b}}\n<li>c</li>\n{{else}}\n<li>d</li>\n{{/if}}\n</ul>",
    ],
    ["{{#if a}}\n- b\n{{/if}}", "{{#if a}}\n<ul>\n<li>b</li>\n</ul>\n{{/if}}"],
    [
      "{{#if a}}\n{{#each b}}\n- c\n{{/each}}\n{{/if}}",
      "{{#if a}}\n<ul>\n{{#each b}}\n<li>c</li>\n{{/each}}\n</ul>\n{{/if}}",
    ],
    [
      "{{#if a}}\n- b\n{{else}}\n- c\n{{/if}}",
      "{{#if a}}\n<ul>\n<li>b</li>\n</ul>\n{{else}}\n<ul>\n<li>c</li>\n</ul>\n{{/if}}",
    ],
    [
      "- a\n{{#each b}}\n1. c\n{{/each}}",
      "<ul>\n<li>a</li>\n</ul>\n<ol>\n{{#each b}}\n<li>c</li>\n{{/each}}\n</ol>",
    ],
    ["{{#each a}}\nb\n- c\n{{/each}}", "{{#each a}}\n<p>b</p>\n<ul>\n<li>c</li>\n</ul>\n{{/each}}"],
    [
      "{{#each a}}\nb\n\n{{#each c}}\n- d\n{{/each}}\n{{/each}}",
      "{{#each a}}\n<p>b</p>\n<ul>\n{{#each c}}\n<li>d</li>\n{{/each}}\n</ul>\n{{/each}}",
    ],
    [
      "- a\n  {{#each b}}\n  - c\n  {{/each}}",
      "<ul>\n<li>a\n<ul>\n{{#each b}}\n<li>c</li>\n{{/each}}\n</ul>\n</li>\n</ul>",
    ],
  ])("joins the lists of %j in %j", (source, html) => {
    expect(contentOf(source)).toBe(html);
  });

  it("makes well-formed HTML around blocks, which is a template", () => {
    const line = fc.constantFrom(
      ..."c {{e}} |---| --- [j]({{k}}){button} ``` {{{l}}} *m".split(" "),
      "- a",
      "1. b",
      "",
      "> d",
      "| f |",
      "# g",
      "  h",
      "    i",
      "> [!TIP]",
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
        // A template block inside a Markdown code block may open and close the code's tags
        // unevenly. A template block anywhere else closes every element that it opens.
        if (!source.includes("```") && !source.includes("    i"))
          expect(findUnevenBlocks(html), source).toEqual([]);
      }),
      { numRuns: 400 },
    );
  });
});

/** Lists elements that a template block opens without closing, or closes without opening. */
function findUnevenBlocks(html: string): string[] {
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
