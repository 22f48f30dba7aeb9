// Compares our lexer and parser with those of Handlebars: they return the same tree with the same
// positions, and the same place of the first error.
import { createRequire } from "node:module";
import { describe, expect, it } from "vitest";
import { TemplateProblem } from "../../../src/lib/template/problem.ts";
import { scanTemplate } from "../../../src/lib/template/scan.ts";
import { parseTemplate } from "../../../src/lib/template/syntax.ts";
import { CASES } from "../../unit/lib/template/cases.ts";
import { damage, sample, seedRandom } from "./random-template.ts";

interface Reference {
  parse(source: string): unknown;
  readonly parser: { readonly lexer: { readonly _input: string; readonly match: string } };
}

const reference = createRequire(import.meta.url)(
  "handlebars/dist/cjs/handlebars/compiler/base.js",
) as Reference;

const SEEDS = Array.from({ length: 400 }, (_, seed) => seed);
/**
 * The language's own characters, and some that its patterns for names, spaces and numbers treat
 * specially. Handlebars counts no columns after U+2028, so it is left out.
 */
const PIECES = [
  ...Array.from("{}~#/^!\\\"'[]() .@|=&>*\n\r\t\0-a0e<%;,:$_é\u00a0\ufeff"),
  ...'{{ }} {{{{ }}}} {{!-- --}} else as| true null -1.5 .. ../ [a] "x" {{/ this'.split(" "),
  "as |",
  "\r\n",
];

/** The syntax tree as JSON, or the place where parsing stopped. */
type Parsed = { readonly tree: string } | { readonly line: number; readonly column: number };

function parseOurs(source: string): Parsed {
  try {
    return {
      tree: JSON.stringify(parseTemplate(source, { ...scanTemplate(source), unclosed: undefined })),
    };
  } catch (error) {
    if (error instanceof TemplateProblem) return { line: error.line, column: error.column };
    throw error;
  }
}

function parseTheirs(source: string): Parsed {
  try {
    return { tree: JSON.stringify(reference.parse(source)) };
  } catch (error) {
    const { lineNumber: line, column } = error as { lineNumber?: number; column?: number };
    if (line !== undefined && column !== undefined) return { line, column: column + 1 };
    const { _input: rest, match } = reference.parser.lexer;
    const before = source.slice(0, source.length - rest.length - match.length).split(/\r\n?|\n/);
    return { line: before.length, column: (before.at(-1)?.length ?? 0) + 1 };
  }
}

/**
 * Returns how our tree differs from Handlebars' tree. Undefined: they are equal, or our engine
 * refuses the source before it parses it.
 */
function disagreement(source: string): object | undefined {
  try {
    scanTemplate(source);
  } catch (error) {
    if (error instanceof TemplateProblem) return undefined;
    throw error;
  }
  const [ours, theirs] = [parseOurs(source), parseTheirs(source)];
  return JSON.stringify(ours) === JSON.stringify(theirs) ? undefined : { source, ours, theirs };
}

function firstDisagreement(sources: readonly string[]): object | undefined {
  for (const source of sources) {
    const found = disagreement(source);
    if (found) return found;
  }
  return undefined;
}

describe("a template's tree", () => {
  it("equals Handlebars' for every case of the table", () => {
    const templates = Object.values(CASES).flatMap((cases) =>
      cases.map(({ template }) => template),
    );
    expect(firstDisagreement(templates)).toBeUndefined();
  });

  it("equals Handlebars' for random templates, including damaged ones", () => {
    const sources = SEEDS.flatMap((seed) => {
      const { template } = sample(seed);
      return [template, damage(seedRandom(seed), template)];
    });
    expect(firstDisagreement(sources)).toBeUndefined();
  });

  it("equals Handlebars' for random sequences of tokens", () => {
    const sources = SEEDS.map((seed) => {
      const random = seedRandom(seed);
      return Array.from({ length: 1 + random(14) }, () => PIECES[random(PIECES.length)]).join("");
    });
    expect(firstDisagreement(sources)).toBeUndefined();
  });

  it("is compared for many valid and many invalid templates", () => {
    const parsed = SEEDS.map((seed) => {
      const { template } = sample(seed);
      return "tree" in parseTheirs(damage(seedRandom(seed), template));
    });
    expect(parsed.filter(Boolean).length).toBeGreaterThan(parsed.length / 5);
    expect(parsed.filter((isTree) => !isTree).length).toBeGreaterThan(parsed.length / 5);
  });
});
