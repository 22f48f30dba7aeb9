// The difference between two texts by lines (console/src/pages/templates/line-diff.ts).
import { describe, expect, it } from "vitest";
import {
  diffLines,
  type DiffLine,
  foldSame,
} from "../../../console/src/pages/templates/line-diff.ts";

const SIGNS = { same: " ", removed: "-", added: "+" } as const;
const written = (lines: readonly DiffLine[]) =>
  lines.map(({ change, text }) => SIGNS[change] + text);

describe("diffLines", () => {
  it("keeps what both texts have", () => {
    expect(written(diffLines("a\nb\nc\nd", "a\nc\nx\nd"))).toEqual([" a", "-b", " c", "+x", " d"]);
  });

  it("shows a new text as added and a cleared one as removed", () => {
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
