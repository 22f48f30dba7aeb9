// Suggests the name that a caller probably meant. Used only for hints, never for decisions. Pure.

/** Maximum length of a name that gets a hint. The limit also bounds the cost of a hostile name. */
const COMPARED_CHARACTERS = 100;
const CHARACTERS_AN_EDIT = 3;

/**
 * Returns the candidate that differs from `text` only in case or separators, or else in few
 * characters. Undefined: no candidate is close.
 */
export function findNearest(text: string, candidates: Iterable<string>): string | undefined {
  if (text.length > COMPARED_CHARACTERS) return undefined;
  const wanted = normalizeSpelling(text);
  let nearest: string | undefined;
  let least = Math.max(1, Math.floor(text.length / CHARACTERS_AN_EDIT)) + 1;
  for (const candidate of candidates) {
    if (candidate.length > COMPARED_CHARACTERS) continue;
    const distance = editDistance(wanted, normalizeSpelling(candidate));
    if (distance < least) {
      nearest = candidate;
      least = distance;
    }
  }
  return nearest;
}

function normalizeSpelling(name: string): string {
  return name.toLowerCase().replace(/[_\-. ]/g, "");
}

/**
 * Counts the insertions, deletions and replacements that turn one text into the other (Levenshtein
 * distance).
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
