// Tests the output of the command line (docs/command-line.md): columns fit by their width on the
// screen, no character controls the terminal, and an error names the word that the user probably
// meant.
import { describe, expect, it } from "vitest";
import { tableLines } from "../../../packages/postern/src/cli/command-output.ts";
import { displayWidth, padToWidth } from "../../../packages/postern/src/cli/display-width.ts";
import { nearestWord } from "../../../packages/postern/src/cli/nearest-word.ts";
import {
  printable,
  printableJson,
  printableText,
} from "../../../packages/postern/src/cli/printable.ts";

describe("the width of a text", () => {
  it.each([
    ["", 0],
    ["Ann", 3],
    ["Zoë", 3],
    ["Zoe\u0308", 3],
    ["請求書", 6],
    ["ﾊﾝｶｸ", 4],
    ["한국", 4],
    ["✓ –", 3],
    ["❤", 1],
    ["❤️", 2],
    ["👍🏽", 2],
    ["👩‍👩‍👧", 2],
    ["🇩🇪", 2],
    ["a\u200db", 2],
  ])("%j is %i columns", (text, width) => {
    expect(displayWidth(text)).toBe(width);
    expect(displayWidth(padToWidth(text, 8))).toBe(8);
  });

  it("aligns the columns of a table", () => {
    expect(
      tableLines(
        ["A", "B"],
        [
          ["請求", "x"],
          ["Zoe\u0308", "y"],
          ["👩‍👩‍👧!", "z"],
        ],
      ),
    ).toEqual(["A     B", "請求  x", "Zoe\u0308   y", "👩‍👩‍👧!   z"]);
  });
});

describe("text from others", () => {
  it.each([
    ["\u001b[2J\u0007", "?[2J?"],
    ["\u009b31m", "?31m"],
    ["a\u202egnp.exe", "a?gnp.exe"],
    ["a\tb\rc\nd", "a b?c?d"],
    ["\ud800", "?"],
    ["👩‍👩‍👧", "👩‍👩‍👧"],
  ])("%j is printed as %j", (text, printed) => {
    expect(printable(text)).toBe(printed);
  });

  it("keeps its lines if it has several", () => {
    expect(printableText("a\r\nb\n\u001bc")).toBe("a\nb\n?c");
  });

  it("is the same value in JSON, without a character that steers the terminal", () => {
    const value = { note: "\u009b31m \u202e \u001b \u2028 \u007f ok 👩‍👩‍👧" };
    const text = printableJson(value, 2);
    expect(JSON.parse(text)).toEqual(value);
    expect(text.replaceAll("\n", "")).not.toMatch(/[\p{Cc}\u202a-\u202e\u2028]/u);
  });
});

describe("the word that the user probably meant", () => {
  const known = ["login", "send", "suppressions", "events", "domains", "list", "import"];
  it.each([
    ["sned", "send"],
    ["Send", "send"],
    ["supression", "suppressions"],
    ["dom", "domains"],
    ["evnets", "events"],
    ["imprt", "import"],
    ["lst", "list"],
    ["nothing", undefined],
    ["x", undefined],
    ["s".repeat(100_000), undefined],
  ])("by %s is %s", (text, word) => {
    expect(nearestWord(text, known)).toBe(word);
  });
});
