// Tests the names of copied templates (src/resources/templates/template-names.ts).
import { describe, expect, it } from "vitest";
import { makeCopyNames } from "../../../../src/resources/templates/template-names.ts";

describe("the names of a template's copies", () => {
  it("have numbers from the second copy on, and outnumber the templates that a team may have", () => {
    const names = makeCopyNames("A");
    expect(names.slice(0, 3)).toEqual(["A (copy)", "A (copy 2)", "A (copy 3)"]);
    expect(new Set(names).size).toBe(501);
  });

  it("have at most 200 characters with their suffix, and no half characters", () => {
    for (const name of [
      "x".repeat(200),
      "🙂".repeat(200),
      `${"y".repeat(190)}  ${"z".repeat(8)}`,
    ]) {
      const names = makeCopyNames(name);
      for (const copy of names) expect(Array.from(copy).length).toBeLessThanOrEqual(200);
      expect(names.every((copy) => copy.isWellFormed())).toBe(true);
      expect(new Set(names).size).toBe(names.length);
    }
  });
});
