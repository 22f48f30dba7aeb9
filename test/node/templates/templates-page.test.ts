// Checks docs/templates.md and docs/markdown.md: every example renders to the output on the page,
// and every limit on the page is the current one.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { compileTemplate } from "../../../src/lib/template/compile.ts";
import { scanTemplate } from "../../../src/lib/template/scan.ts";
import { renderTemplate } from "../../../src/lib/template/render.ts";
import * as limits from "../../../src/limits.ts";
import { readChange } from "../../../src/resources/templates/template-content.ts";
import { RefusalError } from "../../../src/refusal.ts";

const ROOT = join(import.meta.dirname, "../../..");
const read = (name: string) => readFileSync(join(ROOT, `docs/${name}.md`), "utf8");
const page = read("templates");

interface Fence {
  readonly info: string;
  readonly text: string;
}

interface Example {
  readonly name: string;
  readonly source: Fence;
  readonly variables: Record<string, unknown>;
  readonly result: Fence;
}

const SOURCES = new Set(["handlebars", "handlebars text", "markdown", "html"]);
const RESULTS = new Set(["output", "error", "html", "text"]);

const fences = Array.from(
  `${page}\n${read("markdown")}`.matchAll(/^```([a-z ]*)\n([^]*?)^```$/gm),
  ([, info = "", text = ""]): Fence => ({ info, text: text.replace(/\n$/, "") }),
);
const [given] = fences
  .filter(({ info }) => info === "json")
  .map(({ text }) => JSON.parse(text) as Record<string, unknown>);
const examples = examplesIn(fences);

function examplesIn(all: readonly Fence[]): Example[] {
  const found: Example[] = [];
  for (let at = 0; at < all.length; at += 1) {
    const source = all[at];
    if (!source || !SOURCES.has(source.info)) continue;
    const own = all[at + 1]?.info === "json" ? all[at + 1] : undefined;
    at += own ? 2 : 1;
    const result = all[at];
    if (!result || !RESULTS.has(result.info)) throw new Error(`no result behind\n${source.text}`);
    const variables = own ? (JSON.parse(own.text) as Record<string, unknown>) : (given ?? {});
    found.push({
      name: `${source.info}: ${source.text.slice(0, 60).replaceAll("\n", "⏎")}`,
      source,
      variables,
      result,
    });
  }
  return found;
}

function renderExample(
  source: string,
  variables: Record<string, unknown>,
  escape: boolean,
): string {
  const template = compileTemplate(source);
  if (template.kind === "error") throw new Error(template.message);
  const result = renderTemplate(template, variables, { escape });
  if (result.kind === "error") throw new Error(result.message);
  return result.text;
}

/** Returns the error with which the service refuses an HTML template. */
function problemOf(html: string): string {
  try {
    readChange("html", { html });
  } catch (error) {
    if (error instanceof RefusalError && error.refusal.code === "invalid")
      return error.refusal.errors["html"]?.join() ?? "";
    throw error;
  }
  return "";
}

/** Returns the content of the page's column without its styles. */
function contentOf(html: string): string {
  const cell = html.slice(html.indexOf('<td class="content"'));
  return cell
    .slice(cell.indexOf(">") + 1, cell.lastIndexOf("</td></tr></table>\n<!--[if mso]>"))
    .replace(
      / (?:(?:style|class|bgcolor|cellpadding|cellspacing|border|role)="[^"]*"|width="100%")/g,
      "",
    )
    .trim();
}

function resultOf({ source, variables, result }: Example): string {
  if (result.info === "error") return problemOf(source.text);
  if (source.info === "markdown")
    return contentOf(String(readChange("markdown", { markdown: source.text }).html));
  if (result.info === "text") return String(readChange("html", { html: source.text }).text);
  return renderExample(source.text, variables, source.info === "handlebars").trimEnd();
}

describe("docs/templates.md", () => {
  it("has an example of every construct", () => {
    const sources = examples.map(({ source }) => source.text).join("\n");
    for (const construct of [
      "{{name",
      "{{{",
      "{{&",
      "#if",
      "else if",
      "{{else}}",
      "includeZero",
      "#unless",
      "#each",
      "../",
      "@index",
      "@key",
      "@first",
      "@last",
      "@root",
      " as |",
      "#with",
      "lookup",
      "(lookup",
      "{{#items}}",
      "{{^",
      "{{!",
      "{{!--",
      "~",
      "\\{{",
      "{{{{",
      "{button}",
      "[!",
      "|---",
    ])
      expect(sources, construct).toContain(construct);
    expect(examples.length).toBeGreaterThanOrEqual(25);
  });

  it.each(examples.map((example) => [example.name, example] as const))("%s", (_, example) => {
    expect(resultOf(example)).toBe(example.result.text);
  });

  it("describes preheaders, which the HTML hides and the text lacks", () => {
    const { html, text } = readChange("markdown", { markdown: "preheader: Soon\n\nHello" });
    expect(html).toMatch(/display:none[^>]*>Soon/);
    expect(text).toBe("Hello");
  });

  it("shows the error of its invalid example", () => {
    expect(page).toContain(JSON.stringify(problemOf("<p>Hi</p>\n<p>{{upper name}}</p>")));
    const endless = "{{#each l}}{{#each @root.l}}{{#each @root.l}}{{/each}}{{/each}}{{/each}}";
    expect(page).toContain(
      `has HTML that ${faultOf(endless, { l: Array.from({ length: 1_000 }, () => 0) })}`,
    );
  });

  it("names the current limits", () => {
    const constant = (file: string, name: string) =>
      Number(
        new RegExp(`const ${name} = ([\\d_]+)`)
          .exec(readFileSync(join(ROOT, file), "utf8"))?.[1]
          ?.replaceAll("_", ""),
      );
    const {
      TEMPLATES_PER_TEAM,
      TEMPLATE_HTML_BYTES,
      SUBJECT_CHARACTERS,
      TEMPLATE_TEXT_BYTES,
      VARIABLES_BYTES,
      VARIABLES_KEYS_PER_OBJECT,
      VARIABLES_DEPTH,
    } = limits;
    const scan = (name: string) => constant("src/lib/template/scan.ts", name);
    const rendering = (name: string) => constant("src/lib/template/rendering.ts", name);
    const markdown = (name: string) =>
      constant("src/resources/templates/markdown/markdown-limits.ts", name);
    const inForce: [string, number[]][] = [
      ["templates of a team", [TEMPLATES_PER_TEAM]],
      ["a template's HTML", [TEMPLATE_HTML_BYTES]],
      ["a subject", [SUBJECT_CHARACTERS]],
      ["the derived text", [TEMPLATE_TEXT_BYTES]],
      ["lines of Markdown", [markdown("LINES_PER_SOURCE"), markdown("SPECIALS_PER_SOURCE")]],
      [
        "Markdown blocks in blocks",
        [constant("src/resources/templates/markdown/markdown-nesting.ts", "LEVELS_RENDERED")],
      ],
      ["`variables`", [VARIABLES_BYTES, VARIABLES_KEYS_PER_OBJECT, VARIABLES_DEPTH]],
      ["tags in a source", [scan("TAGS_PER_TEMPLATE"), scan("TAG_CHARACTERS")]],
      ["blocks in blocks", [scan("BLOCK_DEPTH"), scan("ELSE_BRANCHES"), scan("PARENTHESIS_DEPTH")]],
      ["tokens of a source", [scan("PARSER_WORK")]],
      ["steps of a rendering", [rendering("STEPS_PER_TEMPLATE")]],
      [
        "characters that a rendering makes",
        [rendering("OUTPUT_CHARACTERS"), limits.BODY_CHARACTERS],
      ],
      ["tokens of all sources of a request", [limits.TEMPLATE_WORK_PER_REQUEST]],
      [
        "of all renderings",
        [limits.RENDER_STEPS_PER_REQUEST, limits.RENDERED_CHARACTERS_PER_REQUEST],
      ],
    ];
    const rows = page
      .slice(page.indexOf("## Limits"))
      .split("\n")
      .filter((line) => /^\| (?!What|-)/.test(line) && !line.startsWith("|---"));
    expect(rows).toHaveLength(inForce.length);
    for (const [index, [what, numbers]] of inForce.entries()) {
      const cells = rows[index]?.split(/(?<!\\) \| /) ?? [];
      expect(cells[0]).toContain(what);
      expect(
        (cells.at(-2)?.match(/\d[\d,]*/g) ?? []).map((text) => Number(text.replace(/,/g, ""))),
      ).toEqual(numbers);
    }
  });
});

describe("the tokens of a source", () => {
  const inBlocks = (tags: number) =>
    `{{#each list}}{{#if it}}${"{{user.name}}".repeat(tags)}{{/if}}{{/each}}`;

  it.each([
    ["{{name}}", 10_000, (tags: number) => "{{name}}".repeat(tags)],
    ["{{user.name}}", 6_000, (tags: number) => "{{user.name}}".repeat(tags)],
    ["{{user.name}} in two blocks", 5_330, inBlocks],
  ])("may be at most as many as the page says: %s", (_, most, source) => {
    expect(page).toContain(most.toLocaleString("en"));
    expect(() => scanTemplate(source(most))).not.toThrow();
    expect(() => scanTemplate(source(most + 1))).toThrow(/too many|more than/);
  });
});

function faultOf(source: string, variables: Record<string, unknown>): string {
  try {
    return renderExample(source, variables, true);
  } catch (error) {
    return (error as Error).message;
  }
}
