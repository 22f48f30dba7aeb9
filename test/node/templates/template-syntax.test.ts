// Our lexer and our walk through the grammar's tables against those that Handlebars comes with: the
// same tree to the last position, and the same place where a template goes wrong.
import { createRequire } from "node:module";
import { describe, expect, it } from "vitest";
import { TemplateProblem } from "../../../src/lib/template/problem.ts";
import { scanTemplate } from "../../../src/lib/template/scan.ts";
import { parseTemplate } from "../../../src/lib/template/syntax.ts";
import { CASES } from "../../unit/lib/template/cases.ts";
import { damage, sample, seeded } from "./random-template.ts";

interface Reference {
  parse(source: string): unknown;
  readonly parser: { readonly lexer: { readonly _input: string; readonly match: string } };
}

const reference = createRequire(import.meta.url)(
  "handlebars/dist/cjs/handlebars/compiler/base.js",
) as Reference;

const SAMPLES = 20_000;
const CHUNKS = 8;
/**
 * The language's own characters, and some that its expressions for names, spaces and numbers treat
 * apart. Behind U+2028 theirs counts no columns.
 */
const PIECES = [
  ...Array.from("{}~#/^!\\\"'[]() .@|=&>*\n\r\t\0-a0e<%;,:$_é\u00a0\ufeff"),
  ...'{{ }} {{{{ }}}} {{!-- --}} else as| true null -1.5 .. ../ [a] "x" {{/ this'.split(" "),
  "as |",
  "\r\n",
];

/** The tree's JSON, or where parsing stopped. */
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

/** Undefined where the two agree, or where ours stops before it parses. */
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

const chunks = Array.from({ length: CHUNKS }, (_, chunk) => chunk);
const seedsOf = (chunk: number) =>
  Array.from({ length: SAMPLES / CHUNKS }, (_, index) => chunk * SAMPLES + index);

describe("a template's tree", () => {
  it("is Handlebars' for every case of the table", () => {
    const templates = Object.values(CASES).flatMap((cases) =>
      cases.map(({ template }) => template),
    );
    expect(firstDisagreement(templates)).toBeUndefined();
  });

  it.each(chunks)(
    "is Handlebars' for random templates, damaged ones included: part %i",
    (chunk) => {
      const sources = seedsOf(chunk).flatMap((seed) => {
        const { template } = sample(seed);
        return [template, damage(seeded(seed), template)];
      });
      expect(firstDisagreement(sources)).toBeUndefined();
    },
  );

  it.each(chunks)("is Handlebars' for pieces of the language in any order: part %i", (chunk) => {
    const sources = seedsOf(chunk).map((seed) => {
      const random = seeded(seed);
      return Array.from({ length: 1 + random(14) }, () => PIECES[random(PIECES.length)]).join("");
    });
    expect(firstDisagreement(sources)).toBeUndefined();
  });

  it("is compared with templates that parse, and with many that do not", () => {
    const parsed = seedsOf(0).map((seed) => {
      const { template } = sample(seed);
      return "tree" in parseTheirs(damage(seeded(seed), template));
    });
    expect(parsed.filter(Boolean).length).toBeGreaterThan(parsed.length / 5);
    expect(parsed.filter((isTree) => !isTree).length).toBeGreaterThan(parsed.length / 5);
  });
});
