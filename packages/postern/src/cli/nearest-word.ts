// Finds the intended word for an unknown command, action or option.

const SHORT = 4;

/**
 * Returns the known word that begins with `text`, or that differs from it by one or two typing
 * errors.
 */
export function nearestWord(text: string, known: readonly string[]): string | undefined {
  const wanted = text.toLowerCase();
  const most = wanted.length > SHORT ? 2 : 1;
  const begun = known.filter((word) => wanted.length > 2 && word.toLowerCase().startsWith(wanted));
  if (begun.length === 1) return begun[0];
  const [nearest] = known
    .map((word) => ({
      word,
      slips: slipsBetween(wanted.slice(0, word.length + most + 1), word.toLowerCase()),
    }))
    .filter(({ word, slips }) => slips <= most && slips < word.length)
    .toSorted((left, right) => left.slips - right.slips);
  return nearest?.word;
}

/**
 * Ends a sentence about an unknown word with the nearest known word, or else with all known words.
 */
export function knownWords(text: string, known: readonly string[]): string {
  const nearest = nearestWord(text, known);
  return nearest === undefined ? `: ${known.join(", ")}` : `; did you mean ${nearest}?`;
}

/**
 * Counts missing, additional and wrong letters, and swapped neighbours (optimal string alignment).
 */
function slipsBetween(one: string, other: string): number {
  let before: number[] = [];
  let row = Array.from({ length: other.length + 1 }, (_, index) => index);
  for (let at = 0; at < one.length; at += 1) {
    const next = [at + 1];
    for (let index = 0; index < other.length; index += 1) {
      const isExchanged =
        at > 0 && index > 0 && one[at] === other[index - 1] && one[at - 1] === other[index];
      next.push(
        Math.min(
          (row[index] ?? 0) + (one[at] === other[index] ? 0 : 1),
          (row[index + 1] ?? 0) + 1,
          (next[index] ?? 0) + 1,
          isExchanged ? (before[index - 1] ?? 0) + 1 : Infinity,
        ),
      );
    }
    [before, row] = [row, next];
  }
  return row[other.length] ?? 0;
}
