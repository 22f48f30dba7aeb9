// Checks the rules for the console's style sheets: each rule has one place, and each rule has an
// element that it applies to.
import ts from "typescript";
import { describe, expect, it } from "vitest";
import { ownFiles } from "./source-files.ts";
import {
  repeatedRules,
  scatteredSelectors,
  styleSheets,
  unusedClasses,
  wordsOf,
} from "./stylesheet-rules.ts";

const sheets = styleSheets();
const known = new Set(
  ownFiles()
    .filter(({ path }) => path.startsWith("console/src/"))
    .flatMap(wordsOf),
);

/** Style sheets that break each rule once, and keep it otherwise. */
const MADE_UP = [
  {
    path: "one.css",
    text: `/* .comment {} */
      .twice, .also { color: red }
      .once { color: red; @media (width <= 820px) { color: blue } }
      @media (width <= 820px) { .once { margin: 0 } .twice { margin: 0 } }
      @keyframes turn { from { opacity: 0 } }`,
  },
  {
    path: "two.css",
    text: `.also, .twice { margin: 0; &:not(.once, .pointed) { margin: 1px } .within { margin: 0 } }
      @keyframes glow { from { opacity: 0 } }
      a[href$=".html"] { color: red }`,
  },
];

describe("the style sheets", () => {
  it("define each rule once", () => {
    expect(repeatedRules(sheets)).toEqual([]);
  });

  it("keep all rules of a selector in one file, those for phones too", () => {
    expect(scatteredSelectors(sheets)).toEqual([]);
  });

  it("name only classes that the console's sources name", () => {
    expect(sheets.flatMap((sheet) => unusedClasses(sheet, known))).toEqual([]);
  });
});

describe("made-up sheets", () => {
  it("fail the check if a rule stands twice, nested or not", () => {
    expect(repeatedRules(MADE_UP)).toEqual([
      ".also, .twice: one.css, two.css",
      "@media (width <= 820px) .once: one.css, one.css",
    ]);
  });

  it("fail the check if two files have the same selector", () => {
    expect(scatteredSelectors(MADE_UP)).toEqual([
      ".twice: one.css, two.css",
      ".also: one.css, two.css",
    ]);
  });

  it("fail the check if no source names a class, but not if a source chooses the class", () => {
    const source =
      'const tone = "also"; const one = <i className={two ? "twice" : `once ${tone}`} />;';
    const tree = ts.createSourceFile("made-up.tsx", source, ts.ScriptTarget.ESNext, true);
    const words = new Set(wordsOf({ tree }));
    expect(MADE_UP.flatMap((sheet) => unusedClasses(sheet, words))).toEqual([
      "two.css: .pointed",
      "two.css: .within",
    ]);
  });
});
