// Tests how derived texts are shortened (src/resources/templates/text-limit.ts).
import { fc } from "../../../support/properties.ts";
import { describe, expect, it } from "vitest";
import { compileTemplate } from "../../../../src/lib/template/compile.ts";
import { byteLength, limitText } from "../../../../src/resources/templates/text-limit.ts";

describe("a shortened text", () => {
  it.each([
    ["everything that fits", "abc", 3, "abc"],
    ["whole lines", "one two\nthree four", 15, "one two…"],
    ["whole words", "one two three", 11, "one two…"],
    ["whole characters", "🙂".repeat(5), 12, "🙂🙂…"],
    ["as many characters as the bytes allow", "é".repeat(10), 11, "éééé…"],
    ["whole tags", "abcdef{{name}}", 13, "abcdef…"],
    [
      "closed blocks",
      `{{#if${" ".repeat(5)}a}}${"b".repeat(300)} c{{/if}}`,
      320,
      `{{#if${" ".repeat(5)}a}}${"b".repeat(297)}{{/if}}…`,
    ],
  ])("has %s", (_what, text, bytes, kept) => {
    expect(limitText(text, bytes)).toBe(kept);
  });

  it("of a valid template is a valid template within its bytes", () => {
    const piece = fc.constantFrom(
      "word ",
      "{{a}}",
      "\n",
      "🙂",
      "{{#if b}}",
      "{{#each c}}x{{/each}}",
      "{{else}}",
      "{{/if}}",
      "{{! d e }}",
    );
    fc.assert(
      fc.property(
        fc.array(piece, { maxLength: 60 }),
        fc.integer({ min: 3, max: 300 }),
        (pieces, bytes) => {
          const text = pieces.join("");
          const limited = limitText(text, bytes);
          expect(byteLength(limited)).toBeLessThanOrEqual(bytes);
          if (compileTemplate(text).kind === "template")
            expect(compileTemplate(limited)).toMatchObject({ kind: "template" });
        },
      ),
    );
  });

  it("of many open blocks fits into its bytes", () => {
    expect(byteLength(limitText("{{#if a}}".repeat(30_000), 65_536))).toBeLessThanOrEqual(65_536);
  });
});
