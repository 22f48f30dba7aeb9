// Tests templates and data that are made to be slow. Each rendering ends soon, with text or with a
// refusal. It would take seconds, minutes or all memory if there were no limits.
import { describe, it } from "vitest";
import { compileTemplate } from "../../src/lib/template/compile.ts";
import { renderTemplate } from "../../src/lib/template/render.ts";
import { expectBounded, expectLinear } from "../support/processor-time.ts";

type Variables = Readonly<Record<string, unknown>>;

const many = (count: number, value: unknown) => Array.from({ length: count }, () => value);
const nested = (depth: number, inner = "") =>
  "{{#if a}}".repeat(depth) + inner + "{{/if}}".repeat(depth);
const chained = (depth: number, branches: number) =>
  nested(depth).replaceAll("{{#if a}}", `{{#if a}}${"{{else if b}}".repeat(branches)}`);

const SOURCES: readonly [name: string, largest: number, sourceOf: (size: number) => string][] = [
  ["as many tags as may be", 10_000, (size) => "{{a}}".repeat(size)],
  ["as many blocks as may be", 3_700, (size) => "{{#if a}}b{{/if}}".repeat(size)],
  ["as many names as may be", 14, (size) => `{{${"a.".repeat(1_000)}a}}`.repeat(size)],
  ["far more names", 490, (size) => `{{${"a.".repeat(1_000)}a}}`.repeat(size)],
  ["as deep as may be", 1_500, (size) => nested(64, "{{a}}".repeat(size))],
  ["far deeper", 50_000, (size) => nested(size)],
  ["chains in chains", 64, (size) => chained(size, 50)],
  ["long chains", 50, (size) => chained(2, size)],
  ["parentheses", 50_000, (size) => `{{#if ${"(lookup ".repeat(size)}}}`],
  ["dashed comments", 10_000, (size) => `{{!-- ${"x".repeat(88)}--}}`.repeat(size)],
  ["comments", 10_000, (size) => `{{! ${"x".repeat(90)} }}`.repeat(size)],
  ["comments without an end", 200_000, (size) => "{{!--".repeat(size)],
  ["comments of lines", 900_000, (size) => `{{!--${"\n".repeat(size)}--}}`],
  ["escaped braces", 10_000, (size) => `\\{{a}}${"x".repeat(88)}`.repeat(size)],
  ["opening braces", 1_000_000, (size) => "{".repeat(size)],
  ["closing braces", 1_000_000, (size) => `{{a${"}".repeat(size)}`],
  ["tags without an end", 250_000, (size) => "{{a ".repeat(size)],
  ["a tag without an end", 1_000_000, (size) => `{{${" ".repeat(size)}`],
  ["a string without an end", 400_000, (size) => `{{a "${'\\"'.repeat(size)}`],
  ["segments without an end", 200_000, (size) => "{{[\\]".repeat(size)],
  [
    "raw blocks in raw blocks",
    4_000,
    (size) => `${"{{{{a}}}}".repeat(size)}${"{{{{/a}}}}".repeat(size)}`,
  ],
  ["braces in a raw block", 900_000, (size) => `{{{{a}}}}${"{".repeat(size)}{{{{/a}}}}`],
  ["lines", 999_000, (size) => `${"\n".repeat(size)}{{a}}`],
  ["spaces in a block", 999_000, (size) => `{{#if a}}${" ".repeat(size)}{{/if}}`],
  [
    "spaces around blocks",
    3_000,
    (size) => `${" ".repeat(100)}{{#if a}}${"\n ".repeat(100)}{{/if}}`.repeat(size),
  ],
];

/**
 * Templates that a limit already stops at the smaller of two sizes. The larger size must therefore
 * take no more time.
 */
const BOUNDED: readonly [
  name: string,
  largest: number,
  source: string,
  variablesOf: (size: number) => Variables,
][] = [
  [
    "numbers compared with a long text",
    160_000,
    "{{#with s}}{{#each @root.l}}{{../x}}{{/each}}{{/with}}",
    (size) => ({ s: "1".repeat(60_000), l: many(size, 1) }),
  ],
  [
    "long texts compared",
    4_800,
    "{{#each l}}{{#each @root.l}}{{#each @root.l}}{{../x}}{{/each}}{{/each}}{{/each}}",
    (size) => ({ l: many(size, "a".repeat(200)) }),
  ],
  [
    "lists as keys",
    320_000,
    "{{#each l}}{{lookup @root @root.l}}{{/each}}",
    (size) => ({ l: many(size, 1) }),
  ],
  [
    "lists of nothing",
    320_000,
    "{{#each l}}{{@root.l}}{{/each}}",
    (size) => ({ l: many(size, []) }),
  ],
  [
    "the way up",
    320_000,
    `{{#each l}}{{${"../".repeat(600)}a}}{{/each}}`,
    (size) => ({ l: many(size, 1) }),
  ],
  [
    "text to escape",
    16_000,
    "{{#each l}}{{@root.s}}{{/each}}",
    (size) => ({ l: many(size, 1), s: "<".repeat(60_000) }),
  ],
];

let runs = 0;

/**
 * Returns the work: rendering a new template. The source differs each time, because a known
 * template is not compiled again.
 */
function rendering(source: string, variables: Variables): () => void {
  runs += 1;
  const other = source + " ".repeat(runs % 100) + "\t".repeat(runs / 100);
  return () => {
    const template = compileTemplate(other);
    if (template.kind === "template") renderTemplate(template, variables, { escape: true });
  };
}

describe("a hostile template ends soon", () => {
  it.each(SOURCES)("in linear time: %s", async (_, largest, sourceOf) => {
    await expectLinear(largest, (size) => rendering(sourceOf(size), { a: 1 }));
  });

  it.each(BOUNDED)("however large its data is: %s", async (_, largest, source, variablesOf) => {
    await expectBounded(largest, (size) => rendering(source, variablesOf(size)));
  });
});
