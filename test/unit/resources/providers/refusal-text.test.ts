// Tests src/resources/providers/refusal-text.ts: refusals for one reason have one text, which keeps
// the provider's codes.
import { describe, expect, it } from "vitest";
import { refusalText } from "../../../../src/resources/providers/refusal-text.ts";
import { pairsOf } from "../../fixture-rows.ts";

describe("the text of a refusal", () => {
  it.each(pairsOf("providers", "texts of refusals"))("for %j is %j", (reply, text) => {
    expect(refusalText(reply)).toBe(text);
    expect(refusalText(text)).toBe(text);
  });

  it("has at most 200 bytes, and is cut between characters", () => {
    for (const word of ["x", "ü", "😀"]) {
      const text = refusalText(`550 ${word.repeat(1_000)}`);
      const { length } = new TextEncoder().encode(text);
      expect([length > 190 && length <= 200, text.isWellFormed(), text.endsWith("…")]).toEqual([
        true,
        true,
        true,
      ]);
    }
  });
});
