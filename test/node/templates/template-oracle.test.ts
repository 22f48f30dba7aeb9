// Compares templates with Handlebars: every case of the table and a thousand random templates.
// Handlebars decides the text, and which sources are invalid. Our engine may refuse further
// sources, but only those that Handlebars refuses when it renders them.
import { describe, expect, it } from "vitest";
import { compileTemplate } from "../../../src/lib/template/compile.ts";
import { renderTemplate } from "../../../src/lib/template/render.ts";
import { CASES } from "../../unit/lib/template/cases.ts";
import {
  type OracleVerdict,
  renderConcatenating,
  renderWithHandlebars,
} from "./handlebars-oracle.ts";
import { type RandomSample, sample } from "./random-template.ts";

const SAMPLES = 400;

/**
 * Errors that our engine reports when it compiles a template, but Handlebars only when it renders.
 */
const EARLY_REFUSAL =
  /: (?:unknown helper "|"[^"]+" (?:takes exactly|is for blocks|is not supported|is a parameter)|(?:partials|decorators) are not)/;
/**
 * Errors that JavaScript throws inside Handlebars. Our engine has no such error: see "ignores
 * members that JavaScript would call" in the unit tests.
 */
const JAVASCRIPT_FAULT =
  /^Cannot (?:convert object to primitive value|read properties of undefined \(reading '\d+'\))/;

function renderOurs(
  template: string,
  variables: Readonly<Record<string, unknown>>,
  escape: boolean,
): OracleVerdict {
  const compiled = compileTemplate(template);
  return compiled.kind === "error" ? compiled : renderTemplate(compiled, variables, { escape });
}

/**
 * Returns our result and Handlebars' result if they disagree. Undefined: they agree, or differ in a
 * permitted way.
 */
function disagreement({ template, json, escape }: RandomSample): object | undefined {
  const variables = JSON.parse(json) as Readonly<Record<string, unknown>>;
  const theirs = renderConcatenating(template, variables, escape);
  const ours = renderOurs(template, variables, escape);
  if (theirs.kind === "error" && (ours.kind === "error" || JAVASCRIPT_FAULT.test(theirs.message)))
    return undefined;
  if (ours.kind === "error" && EARLY_REFUSAL.test(ours.message)) return undefined;
  return ours.kind === "text" && theirs.kind === "text" && ours.text === theirs.text
    ? undefined
    : { template, json, escape, theirs, ours };
}

describe("the table of cases", () => {
  it.each(Object.values(CASES).flat())(
    "agrees with Handlebars: $template",
    ({ template, variables, escape, text }) => {
      expect(renderWithHandlebars(template, variables, escape)).toEqual({ kind: "text", text });
    },
  );

  it("contains the case in which Handlebars adds raw numbers", () => {
    expect(renderWithHandlebars("{{{a}}}{{{b}}}", { a: 1, b: 2 }, true)).toEqual({
      kind: "text",
      text: "3",
    });
    expect(renderConcatenating("{{{a}}}{{{b}}}", { a: 1, b: 2 }, true)).toEqual({
      kind: "text",
      text: "12",
    });
  });
});

describe("random templates", () => {
  it("render, or are refused, as in Handlebars", () => {
    const seeds = Array.from({ length: SAMPLES }, (_, seed) => seed);
    expect(
      seeds.map((seed) => disagreement(sample(seed))).find((found) => found !== undefined),
    ).toBeUndefined();
  });

  it("render in nearly all cases, and many to a text that is not empty", () => {
    const samples = Array.from({ length: SAMPLES }, (_, seed) => sample(seed)).filter(
      ({ isDamaged }) => !isDamaged,
    );
    const results = samples.map(({ template, json, escape }) =>
      renderOurs(template, JSON.parse(json) as Record<string, unknown>, escape),
    );
    const texts = results.flatMap((result) => (result.kind === "text" ? [result.text] : []));
    expect(texts.length).toBeGreaterThan(samples.length * 0.95);
    expect(texts.filter((text) => text.trim() !== "").length).toBeGreaterThan(samples.length * 0.5);
  });
});
