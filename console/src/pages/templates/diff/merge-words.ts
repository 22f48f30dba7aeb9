// Merges two changes of one text by word. If both changed the same words, the result has the first
// change. Pure.
import { diffArrays } from "diff/lib/diff/array.js";

export interface MergedText {
  readonly text: string;
  /** The number of places at which both texts changed the same words differently. */
  readonly clashes: number;
}

/**
 * Replaces the words of the original text from index `from` up to, but not including, index `to`.
 */
interface Edit {
  readonly from: number;
  readonly to: number;
  readonly words: readonly string[];
}

const MOST_CHANGES = 2_000;

export function mergeWords(base: string, mine: string, theirs: string): MergedText {
  const original = wordsOf(base);
  const [ours, others] = [editsOf(original, mine), editsOf(original, theirs)];
  if (!ours || !others) return { text: mine, clashes: 1 };
  const result: string[] = [];
  let clashes = 0;
  let at = 0;
  while (ours.length > 0 || others.length > 0) {
    const { from, to, first, second } = takeCluster(ours, others);
    const [left, right] = [first, second].map((edits) => apply(original, edits, from, to));
    if (first.length > 0 && second.length > 0 && left !== right) clashes += 1;
    result.push(original.slice(at, from).join(""), (first.length > 0 ? left : right) ?? "");
    at = to;
  }
  return { text: result.join("") + original.slice(at).join(""), clashes };
}

/**
 * Removes the first edit from both lists, together with all edits that touch it or each other.
 * Returns the removed edits.
 */
function takeCluster(ours: Edit[], others: Edit[]) {
  const from = Math.min(ours[0]?.from ?? Infinity, others[0]?.from ?? Infinity);
  let to = from;
  const [first, second]: [Edit[], Edit[]] = [[], []];
  for (let grew = true; grew;) {
    grew = false;
    for (const [list, taken] of [
      [ours, first],
      [others, second],
    ] as const)
      while (list[0] !== undefined && list[0].from <= to) {
        const edit = list.shift()!;
        taken.push(edit);
        to = Math.max(to, edit.to);
        grew = true;
      }
  }
  return { from, to, first, second };
}

function apply(original: readonly string[], edits: readonly Edit[], from: number, to: number) {
  let text = "";
  let at = from;
  for (const edit of edits) {
    text += original.slice(at, edit.from).join("") + edit.words.join("");
    at = edit.to;
  }
  return text + original.slice(at, to).join("");
}

/** Returns the edits. Undefined: the texts differ too much. */
function editsOf(original: readonly string[], text: string): Edit[] | undefined {
  const changes = diffArrays([...original], wordsOf(text), { maxEditLength: MOST_CHANGES });
  if (changes === undefined) return undefined;
  const edits: Edit[] = [];
  let at = 0;
  for (const { added, removed, value } of changes) {
    const last = edits.at(-1);
    const isNext = last?.to === at && (added || removed);
    const to = added ? at : at + value.length;
    const words = added ? value : [];
    if (isNext) edits[edits.length - 1] = { from: last.from, to, words: [...last.words, ...words] };
    else if (added || removed) edits.push({ from: at, to, words });
    at = to;
  }
  return edits;
}

function wordsOf(text: string): string[] {
  return text.match(/\s+|[\p{L}\p{N}_]+|[^\s\p{L}\p{N}_]/gu) ?? [];
}
