// Tests the limits that stop a rendering which would never end, or whose output would grow without
// end.
import { describe, expect, it } from "vitest";
import { refusalOf, render } from "./rendered.ts";

const THREE = "{{#each l}}{{#each @root.l}}{{#each @root.l}}BODY{{/each}}{{/each}}{{/each}}";
const VALUE = "{{#each l}}{{@root.s}}{{/each}}";
const many = (count: number, value: unknown) => Array.from({ length: count }, () => value);

describe("a rendering", () => {
  it.each([
    ["loops in loops", THREE.replace("BODY", "x"), { l: many(1_000, 0) }],
    ["loops without output", THREE.replace("BODY", ""), { l: many(1_000, 0) }],
    ["inverted loops", "{{#each l}}{{^each @root.l}}x{{/each}}{{/each}}", { l: many(10_000, 0) }],
    [
      "long paths",
      `{{#each l}}{{@root.s${".[0]".repeat(500)}}}{{/each}}`,
      { s: "a", l: many(10_000, 0) },
    ],
    ["long ways up", `{{#each l}}{{${"../".repeat(600)}a}}{{/each}}`, { l: many(10_000, 0) }],
    ["arrays as keys", "{{#each l}}{{lookup @root @root.l}}{{/each}}", { l: many(10_000, 0) }],
    ["arrays of empty arrays", "{{#each l}}{{@root.l}}{{/each}}", { l: many(20_000, []) }],
    [
      "arrays compared with strings",
      "{{#each l}}{{#each ../s}}{{../x}}{{/each}}{{/each}}",
      { l: many(9, many(9_000, 1)), s: many(900, "q") },
    ],
  ])("stops after 500,000 steps: %s", (_, template, variables) => {
    expect(refusalOf(template, variables)).toBe("takes more than 500000 steps to render");
  });

  it.each([
    ["a value", VALUE, { l: many(100, 0), s: "x".repeat(50_000) }],
    ["a value that escaping lengthens", VALUE, { l: many(10, 0), s: "'".repeat(50_000) }],
    ["its own text", `{{#each l}}${"x".repeat(500_000)}{{/each}}`, { l: many(10_000, 0) }],
  ])("stops after two million characters: %s", (_, template, variables) => {
    expect(refusalOf(template, variables)).toBe("renders to more than 2000000 characters");
  });

  it("is accepted up to the limits of steps and of characters", () => {
    expect(render("{{#each l}}{{@index}},{{/each}}", { l: many(60_000, 0) })).toHaveLength(348_890);
    expect(render(VALUE, { l: many(40, 0), s: "x".repeat(50_000) })).toHaveLength(2_000_000);
  });
});
