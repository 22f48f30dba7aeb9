// The difference between two texts by line: the shortest list of removed and added lines, the
// differing words within them, and a few lines around each change. Pure.
import { diffArrays } from "diff/lib/diff/array.js";
import { diffWords, type DiffWord } from "./word-diff.ts";

export interface DiffLine {
  readonly change: "same" | "removed" | "added";
  readonly text: string;
  /** The line's words, with the changed ones marked, if the line replaces a similar line. */
  readonly words?: readonly DiffWord[];
}

/** A line, or a gap for omitted unchanged lines. */
export type DiffPart = DiffLine | { readonly change: "gap"; readonly lines: number };

/**
 * The largest number of changed lines. If more lines changed, the result is the whole old text,
 * followed by the whole new text.
 */
const MOST_CHANGES = 1_000;
const AROUND = 3;

export function diffLines(before: string, after: string): DiffLine[] {
  const [old, fresh] = [linesOf(before), linesOf(after)];
  const changes = diffArrays(old, fresh, { maxEditLength: MOST_CHANGES });
  if (changes === undefined) return [...marked("removed", old), ...marked("added", fresh)];
  return changes.flatMap(({ added, removed, value }, index) => {
    const [last, next] = [changes[index - 1], changes[index + 1]];
    if (removed)
      return marked("removed", value, next?.added && diffWords(value, next.value)?.removed);
    if (added) return marked("added", value, last?.removed && diffWords(last.value, value)?.added);
    return marked("same", value);
  });
}

/** Omits the lines that are far from every change. */
export function foldSame(lines: readonly DiffLine[], around = AROUND): DiffPart[] {
  const near = new Set<number>();
  for (const [index, { change }] of lines.entries())
    if (change !== "same")
      for (let at = index - around; at <= index + around; at += 1) near.add(at);
  const parts: DiffPart[] = [];
  let left = 0;
  const closeGap = (): void => {
    if (left > 0) parts.push({ change: "gap", lines: left });
    left = 0;
  };
  for (const [index, line] of lines.entries()) {
    if (!near.has(index)) left += 1;
    else {
      closeGap();
      parts.push(line);
    }
  }
  closeGap();
  return parts;
}

function linesOf(text: string): string[] {
  return text === "" ? [] : text.split("\n");
}

function marked(
  change: DiffLine["change"],
  lines: readonly string[],
  words?: readonly (readonly DiffWord[])[] | false,
): DiffLine[] {
  return lines.map((text, index) => ({
    change,
    text,
    ...(words && words[index] && { words: words[index] }),
  }));
}
