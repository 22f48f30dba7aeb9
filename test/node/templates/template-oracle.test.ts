// Templates against Handlebars itself: every case of the table, and tens of thousands of random
// templates. Handlebars is right about the text and about what is no template; ours may refuse
// more, but only what Handlebars would refuse once it came to render it.
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

const SAMPLES = 20_000;
const CHUNKS = 8;

/** What Handlebars finds out only when it renders the tag in question. */
const EARLY_REFUSAL =
  /: (?:unknown helper "|"[^"]+" (?:takes exactly|is for blocks|is not supported|is a parameter)|(?:partials|decorators) are not)/;
/**
 * Faults of JavaScript that surface through Handlebars, where ours goes on: see "is deaf to
 * members" in the unit tests.
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

/** Undefined where the two agree. */
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
    "is what Handlebars renders: $template",
    ({ template, variables, escape = true, text }) => {
      expect(renderWithHandlebars(template, variables, escape)).toEqual({ kind: "text", text });
    },
  );

  it("knows the trap that raw numbers are added", () => {
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
  it.each(Array.from({ length: CHUNKS }, (_, chunk) => chunk))(
    "render as Handlebars renders them, or are refused as it refuses them: part %i",
    (chunk) => {
      const seeds = Array.from({ length: SAMPLES / CHUNKS }, (_, index) => chunk * SAMPLES + index);
      expect(
        seeds.map((seed) => disagreement(sample(seed))).find((found) => found !== undefined),
      ).toBeUndefined();
    },
  );

  it("are templates that render, nearly all of them, and many to more than nothing", () => {
    const samples = Array.from({ length: 1_000 }, (_, seed) => sample(seed)).filter(
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
