// Tests how the console finds the lines in which two texts differ
// (console/src/pages/templates/diff/line-diff.ts).
import { fc } from "../../support/properties.ts";
import { describe, expect, it } from "vitest";
import {
  diffLines,
  type DiffLine,
  foldSame,
} from "../../../console/src/pages/templates/diff/line-diff.ts";
import { mergeWords } from "../../../console/src/pages/templates/diff/merge-words.ts";

const SIGNS = { same: " ", removed: "-", added: "+" } as const;
const written = (lines: readonly DiffLine[]) =>
  lines.map(({ change, text }) => SIGNS[change] + text);

describe("diffLines", () => {
  it("keeps what both texts have", () => {
    expect(written(diffLines("a\nb\nc\nd", "a\nc\nx\nd"))).toEqual([" a", "-b", " c", "+x", " d"]);
  });

  it("shows a new text as added and a cleared text as removed", () => {
    expect(written(diffLines("", "a\nb"))).toEqual(["+a", "+b"]);
    expect(written(diffLines("a", ""))).toEqual(["-a"]);
    expect(diffLines("", "")).toEqual([]);
  });

  it("shows texts with nothing in common as all of the old, then all of the new", () => {
    const old = Array.from({ length: 3_000 }, (_, index) => `old ${index}`);
    const fresh = Array.from({ length: 3_000 }, (_, index) => `new ${index}`);
    const lines = diffLines(old.join("\n"), fresh.join("\n"));
    expect(lines.map(({ text }) => text)).toEqual([...old, ...fresh]);
  });
});

describe("the words of changed lines", () => {
  /** Writes a changed line with the words that changed in brackets. */
  const marks = (lines: readonly DiffLine[]) =>
    lines.map(
      ({ change, text, words }) =>
        SIGNS[change] +
        (words?.map((word) => (word.isChanged ? `[${word.text}]` : word.text)).join("") ?? text),
    );

  it.each([
    [
      "Dear {{name}}, your order is on its way.",
      "Dear {{first_name}}, your parcel is on its way.",
      [
        "-Dear {{[name]}}, your [order] is on its way.",
        "+Dear {{[first_name]}}, your [parcel] is on its way.",
      ],
    ],
    [
      "<p>Hi</p>\n<b>x</b>",
      "<p>Hi Ann</p>\n<b>y</b>",
      ["-<p>Hi</p>", "-<b>[x]</b>", "+<p>Hi[ Ann]</p>", "+<b>[y]</b>"],
    ],
    ["one two three four", "one five six four", ["-one [two three] four", "+one [five six] four"]],
    ["alpha beta", "gamma delta", ["-alpha beta", "+gamma delta"]],
    ["a\nb", "a", [" a", "-b"]],
  ])("of %j and %j are marked", (before, after, expected) => {
    expect(marks(diffLines(before, after))).toEqual(expected);
  });

  it("make up the whole line", () => {
    for (const { text, words } of diffLines("a  b c\n\td", "a  x c\n\te f"))
      expect(words?.map((word) => word.text).join("") ?? text).toBe(text);
  });
});

describe("foldSame", () => {
  it("leaves out the lines that are far from a change", () => {
    const before = Array.from({ length: 20 }, (_, index) => `line ${index}`);
    const after = before.with(10, "changed");
    const parts = foldSame(diffLines(before.join("\n"), after.join("\n")), 1);
    expect(parts).toEqual([
      { change: "gap", lines: 9 },
      { change: "same", text: "line 9" },
      { change: "removed", text: "line 10" },
      { change: "added", text: "changed" },
      { change: "same", text: "line 11" },
      { change: "gap", lines: 8 },
    ]);
  });
});

describe("two changes of one text", () => {
  const base = "Dear {{name}},\nyour order is on its way.\nThank you.";

  it("are merged by word, and clash only where both changed the same words differently", () => {
    const mine = base.replace("order", "parcel");
    const theirs = base.replace("Thank you", "Many thanks");
    expect(mergeWords(base, mine, theirs)).toEqual({
      text: mine.replace("Thank you", "Many thanks"),
      clashes: 0,
    });
    expect(mergeWords(base, mine, base.replace("order", "letter"))).toEqual({
      text: mine,
      clashes: 1,
    });
  });

  it("are the only change when the other changed nothing or the same", () => {
    const texts = fc
      .array(fc.constantFrom("a", "b", " ", "\n", "{{x}}"))
      .map((all) => all.join(""));
    fc.assert(
      fc.property(texts, texts, (one, other) => {
        expect(mergeWords(one, other, one)).toEqual({ text: other, clashes: 0 });
        expect(mergeWords(one, one, other)).toEqual({ text: other, clashes: 0 });
        expect(mergeWords(one, other, other)).toEqual({ text: other, clashes: 0 });
      }),
    );
  });
});
