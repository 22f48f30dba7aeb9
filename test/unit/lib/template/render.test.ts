// What templates render to: the table of cases, and what the table cannot say.
import { describe, expect, it } from "vitest";
import { compileTemplate } from "../../../../src/lib/template/compile.ts";
import { CASES } from "./cases.ts";
import { rendered } from "./rendered.ts";

for (const [group, cases] of Object.entries(CASES)) {
  describe(group, () => {
    it.each(cases)("renders $template over $variables", ({ template, variables, escape, text }) => {
      expect(rendered(template, variables, escape)).toBe(text);
    });
  });
}

describe("rendering", () => {
  it("concatenates raw numbers instead of adding them", () => {
    expect(rendered("{{{a}}}{{{b}}}", { a: 1, b: 2 })).toBe("12");
    expect(rendered("{{#if a}}{{{a}}}{{/if}}{{&b}}", { a: 1, b: 2 })).toBe("12");
    expect(rendered("{{a}}{{b}}", { a: 1, b: 2 }, false)).toBe("12");
  });

  it("leaves a source without tags as it is, whatever it holds", () => {
    expect(rendered("\\ } { \\\\ \0 &\r\n", { a: 1 })).toBe("\\ } { \\\\ \0 &\r\n");
  });

  it("reaches an own member called __proto__, and none that is inherited", () => {
    const variables = JSON.parse('{"__proto__":{"a":1},"o":{"__proto__":"own"}}') as Record<
      string,
      unknown
    >;
    expect(rendered("{{__proto__.a}} {{a}} {{o.__proto__}}", variables)).toBe("1  own");
    expect(rendered("{{__proto__.a}}", {})).toBe("");
  });

  it("is deaf to members that JavaScript would call", () => {
    const strange = { toString: "called", valueOf: 1, toJSON: 2, length: 3, join: "x" };
    expect(
      rendered("{{o}} {{l}} {{lookup m o}}", {
        o: strange,
        l: [strange],
        m: { "[object Object]": "found" },
      }),
    ).toBe("[object Object] [object Object] found");
    expect(
      rendered("{{#each l}}{{#each ../s}}{{../toJSON}}{{/each}}{{/each}}", {
        l: [strange],
        s: ["a"],
      }),
    ).toBe("2");
  });

  it("renders one template over other variables each time", () => {
    const source = "{{#each l as |x|}}{{x}}{{/each}}{{name}}";
    expect(rendered(source, { l: [1, 2], name: "a" })).toBe("12a");
    expect(rendered(source, { l: [], name: "b" })).toBe("b");
    expect(rendered(source, { l: ["<"], name: "c" }, false)).toBe("<c");
  });

  it("compiles a source once", () => {
    expect(compileTemplate("{{once}}")).toBe(compileTemplate("{{once}}"));
  });

  it("gives a section's parameters nothing when its value is no array", () => {
    expect(
      rendered("{{#each l as |y|}}{{#o as |x|}}[{{x}}]{{/o}}{{/each}}", { l: [{ o: { a: 1 } }] }),
    ).toBe("[]");
  });

  it("finds nothing in the block of a helper whose context is null but an object of its own", () => {
    expect(
      rendered("{{#each l}}{{this}}|{{#if true}}{{this}}{{../a}}{{/if}}{{/each}}", {
        l: [null],
        a: 1,
      }),
    ).toBe("|[object Object]1");
  });
});
