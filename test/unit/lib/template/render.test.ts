// Tests how templates are rendered: the cases of the table, and behaviour that the table cannot
// express.
import { describe, expect, it } from "vitest";
import { CASES } from "./cases.ts";
import { render } from "./rendered.ts";

for (const [group, cases] of Object.entries(CASES)) {
  describe(group, () => {
    it.each(cases)("renders $template with $variables", ({ template, variables, escape, text }) => {
      expect(render(template, variables, escape)).toBe(text);
    });
  });
}

describe("rendering", () => {
  it("concatenates raw numbers instead of adding them", () => {
    expect(render("{{{a}}}{{{b}}}", { a: 1, b: 2 })).toBe("12");
    expect(render("{{#if a}}{{{a}}}{{/if}}{{&b}}", { a: 1, b: 2 })).toBe("12");
    expect(render("{{a}}{{b}}", { a: 1, b: 2 }, false)).toBe("12");
  });

  it("leaves a source without tags unchanged", () => {
    expect(render("\\ } { \\\\ \0 &\r\n", { a: 1 })).toBe("\\ } { \\\\ \0 &\r\n");
  });

  it("reads an own member called __proto__ but no inherited one", () => {
    const variables = JSON.parse('{"__proto__":{"a":1},"o":{"__proto__":"own"}}') as Record<
      string,
      unknown
    >;
    expect(render("{{__proto__.a}} {{a}} {{o.__proto__}}", variables)).toBe("1  own");
    expect(render("{{__proto__.a}}", {})).toBe("");
  });

  it("ignores members that JavaScript would call", () => {
    const strange = { toString: "called", valueOf: 1, toJSON: 2, length: 3, join: "x" };
    const variables = { o: strange, l: [strange], m: { "[object Object]": "found" }, s: ["a"] };
    expect(render("{{o}} {{l}} {{lookup m o}}", variables)).toBe(
      "[object Object] [object Object] found",
    );
    const loops = "{{#each l}}{{#each ../s}}{{../toJSON}}{{/each}}{{/each}}";
    expect(render(loops, variables)).toBe("2");
  });

  it("renders one template with different variables", () => {
    const source = "{{#each l as |x|}}{{x}}{{/each}}{{name}}";
    expect(render(source, { l: [1, 2], name: "a" })).toBe("12a");
    expect(render(source, { l: [], name: "b" })).toBe("b");
    expect(render(source, { l: ["<"], name: "c" }, false)).toBe("<c");
  });

  it("gives a section's parameters no values when its value is not an array", () => {
    const source = "{{#each l as |y|}}{{#o as |x|}}[{{x}}]{{/o}}{{/each}}";
    expect(render(source, { l: [{ o: { a: 1 } }] })).toBe("[]");
  });

  it("gives a helper's block an empty object when its context is null", () => {
    const source = "{{#each l}}{{this}}|{{#if true}}{{this}}{{../a}}{{/if}}{{/each}}";
    expect(render(source, { l: [null], a: 1 })).toBe("|[object Object]1");
  });
});
