// Finds the name that a caller probably meant, for hints alone: no decision of the service depends
// on it.

/** A longer name is no slip of the hand. The limit also bounds what a hostile name costs. */
const CHARACTERS = 100;
const CHARACTERS_AN_EDIT = 3;

/**
 * The candidate that `text` spells in another case or with other separators, or else with few other
 * characters. Undefined where none is near.
 */
export function findNearest(text: string, candidates: Iterable<string>): string | undefined {
  if (text.length > CHARACTERS) return undefined;
  const wanted = withoutSpelling(text);
  let nearest: string | undefined;
  let least = Math.max(1, Math.floor(text.length / CHARACTERS_AN_EDIT)) + 1;
  for (const candidate of candidates) {
    if (candidate.length > CHARACTERS) continue;
    const distance = editDistance(wanted, withoutSpelling(candidate));
    if (distance < least) {
      nearest = candidate;
      least = distance;
    }
  }
  return nearest;
}

function withoutSpelling(name: string): string {
  return name.toLowerCase().replace(/[_\-. ]/g, "");
}

/**
 * How many characters have to be put in, taken out or replaced to make one text of the other
 * (Levenshtein).
 */
export function editDistance(one: string, other: string): number {
  let row = Array.from({ length: other.length + 1 }, (_, index) => index);
  for (let at = 0; at < one.length; at += 1) {
    const next = [at + 1];
    for (let index = 0; index < other.length; index += 1) {
      const replaced = (row[index] ?? 0) + (one[at] === other[index] ? 0 : 1);
      next.push(Math.min(replaced, (row[index + 1] ?? 0) + 1, (next[index] ?? 0) + 1));
    }
    row = next;
  }
  return row[other.length] ?? 0;
}
