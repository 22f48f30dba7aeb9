// Marks the words that differ between removed lines and the lines that replace them. Pure.
import { diffWordsWithSpace } from "diff/lib/diff/word.js";

export interface DiffWord {
  readonly text: string;
  readonly isChanged: boolean;
}

interface WordLines {
  readonly removed: readonly (readonly DiffWord[])[];
  readonly added: readonly (readonly DiffWord[])[];
}

/**
 * The comparison stops after this many changed words. Then it treats the lines as wholly different.
 */
const MOST_CHANGES = 500;
/**
 * The smallest fraction of their characters that two lines must share. Otherwise they are shown as
 * wholly different.
 */
const LEAST_SHARED = 0.3;

/** Returns the words of each line. Null: the lines have too little in common. */
export function diffWords(removed: readonly string[], added: readonly string[]): WordLines | null {
  const [old, fresh] = [removed.join("\n"), added.join("\n")];
  const parts = diffWordsWithSpace(old, fresh, { maxEditLength: MOST_CHANGES });
  if (parts === undefined) return null;
  const shared = parts.reduce(
    (sum, part) => sum + (part.added || part.removed ? 0 : inkOf(part.value)),
    0,
  );
  if (shared < LEAST_SHARED * Math.min(inkOf(old), inkOf(fresh)) || shared === 0) return null;
  const without = (other: "added" | "removed") =>
    linesOf(
      parts
        .filter((part) => !part[other])
        .map(({ value, added: isAdded, removed: isRemoved }) => ({
          text: value,
          isChanged: isAdded || isRemoved,
        })),
    );
  return { removed: without("added"), added: without("removed") };
}

function inkOf(text: string): number {
  return text.replace(/\s/g, "").length;
}

/** Divides the words into lines. A space between two changed words counts as changed. */
function linesOf(words: readonly DiffWord[]): DiffWord[][] {
  const lines: DiffWord[][] = [[]];
  for (const { text, isChanged } of joined(words)) {
    for (const [index, piece] of text.split("\n").entries()) {
      if (index > 0) lines.push([]);
      if (piece !== "") lines.at(-1)?.push({ text: piece, isChanged });
    }
  }
  return lines;
}

function joined(words: readonly DiffWord[]): DiffWord[] {
  const result: DiffWord[] = [];
  for (const [index, { text, isChanged }] of words.entries()) {
    const isBetween =
      /^ +$/.test(text) &&
      result.at(-1)?.isChanged === true &&
      words[index + 1]?.isChanged === true;
    const marked = isChanged || isBetween;
    const last = result.at(-1);
    if (last?.isChanged === marked) result[result.length - 1] = { ...last, text: last.text + text };
    else result.push({ text, isChanged: marked });
  }
  return result;
}
