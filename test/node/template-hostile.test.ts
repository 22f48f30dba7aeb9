// Sources and data made to be slow: each ends soon, with a text or a refusal. Processor time counts, the best of three, and the bound leaves room for a slow
// machine: what these are made against takes seconds, minutes or all the memory there is.
import { describe, expect, it } from "vitest";
import { compileTemplate } from "../../src/lib/template/compile.ts";
import { renderTemplate } from "../../src/lib/template/render.ts";

const BOUND_MS = 250;

type Variables = Readonly<Record<string, unknown>>;

const many = (count: number, value: unknown) => Array.from({ length: count }, () => value);
const nested = (depth: number, inner = "") => "{{#if a}}".repeat(depth) + inner + "{{/if}}".repeat(depth);
const chained = (depth: number, branches: number) => nested(depth).replaceAll("{{#if a}}", `{{#if a}}${"{{else if b}}".repeat(branches)}`);

const SOURCES: readonly [name: string, source: string][] = [
  ["as many tags as may be", "{{a}}".repeat(10_000)],
  ["as many blocks as may be", "{{#if a}}b{{/if}}".repeat(3_700)],
  ["as many names as may be", `{{${"a.".repeat(1_000)}a}}`.repeat(14)],
  ["far more names", `{{${"a.".repeat(1_000)}a}}`.repeat(490)],
  ["as deep as may be", nested(64, "{{a}}".repeat(1_500))],
  ["far deeper", nested(50_000)],
  ["chains in chains", chained(64, 50)],
  ["long chains", chained(2, 50)],
  ["parentheses", `{{#if ${"(lookup ".repeat(50_000)}}}`],
  ["dashed comments", `{{!-- ${"x".repeat(88)}--}}`.repeat(10_000)],
  ["comments", `{{! ${"x".repeat(90)} }}`.repeat(10_000)],
  ["comments without an end", "{{!--".repeat(200_000)],
  ["comments of lines", `{{!--${"\n".repeat(900_000)}--}}`],
  ["escaped braces", `\\{{a}}${"x".repeat(88)}`.repeat(10_000)],
  ["opening braces", "{".repeat(1_000_000)],
  ["closing braces", `{{a${"}".repeat(1_000_000)}`],
  ["tags without an end", "{{a ".repeat(250_000)],
  ["a tag without an end", `{{${" ".repeat(1_000_000)}`],
  ["a string without an end", `{{a "${'\\"'.repeat(400_000)}`],
  ["segments without an end", "{{[\\]".repeat(200_000)],
  ["raw blocks in raw blocks", `${"{{{{a}}}}".repeat(4_000)}${"{{{{/a}}}}".repeat(4_000)}`],
  ["braces in a raw block", `{{{{a}}}}${"{".repeat(900_000)}{{{{/a}}}}`],
  ["lines", `${"\n".repeat(999_000)}{{a}}`],
  ["spaces in a block", `{{#if a}}${" ".repeat(999_000)}{{/if}}`],
  ["spaces around blocks", `${" ".repeat(100)}{{#if a}}${"\n ".repeat(100)}{{/if}}`.repeat(3_000)],
];

const DATA: readonly [name: string, source: string, variables: Variables][] = [
  [
    "numbers compared with a long text",
    "{{#with s}}{{#each @root.l}}{{../x}}{{/each}}{{/with}}",
    { s: "1".repeat(60_000), l: many(10_000, 1) },
  ],
  [
    "long texts compared",
    "{{#each l}}{{#each @root.l}}{{#each @root.l}}{{../x}}{{/each}}{{/each}}{{/each}}",
    { l: many(300, "a".repeat(200)) },
  ],
  ["lists as keys", "{{#each l}}{{lookup @root @root.l}}{{/each}}", { l: many(20_000, 1) }],
  ["lists of nothing", "{{#each l}}{{@root.l}}{{/each}}", { l: many(20_000, []) }],
  ["the way up", `{{#each l}}{{${"../".repeat(600)}a}}{{/each}}`, { l: many(20_000, 1) }],
  ["text to escape", "{{#each l}}{{@root.s}}{{/each}}", { l: many(1_000, 1), s: "<".repeat(60_000) }],
];

function processorMs(work: () => void): number {
  const before = process.cpuUsage();
  work();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1_000;
}

function bestOfThree(source: string, variables: Variables): number {
  const times = [1, 2, 3].map((round) =>
    processorMs(() => {
      const template = compileTemplate(source + " ".repeat(round));
      if (template.kind === "template") renderTemplate(template, variables, { escape: true });
    }),
  );
  return Math.min(...times);
}

describe("a hostile template ends soon", () => {
  it.each(SOURCES)("%s", (_, source) => {
    expect(bestOfThree(source, { a: 1 })).toBeLessThan(BOUND_MS);
  });

  it.each(DATA)("%s", (_, source, variables) => {
    expect(bestOfThree(source, variables)).toBeLessThan(BOUND_MS);
  });
});
