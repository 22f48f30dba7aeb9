// Tests template tags in email Markdown (src/resources/templates/markdown).
import { fc } from "../../../support/properties.ts";
import { describe, expect, it } from "vitest";
import { compileTemplate } from "../../../../src/lib/template/compile.ts";
import { tokenizeHtml } from "../../../../src/lib/html/html-tokens.ts";
import { pairsOf } from "../../fixture-rows.ts";
import { contentOf, htmlOf } from "./markdown-html.ts";

describe("the HTML of a template's Markdown", () => {
  it.each(pairsOf("markup", "Markdown of templates to HTML"))(
    "keeps the tags of %j in %j",
    (source, html) => {
      expect(contentOf(source)).toBe(html);
    },
  );

  it("has one table if a loop repeats its rows", () => {
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

  it.each(pairsOf("markup", "lists of templates to HTML"))(
    "joins the lists of %j in %j",
    (source, html) => {
      expect(contentOf(source)).toBe(html);
    },
  );

  it("is well-formed around blocks, and is a valid template", () => {
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
