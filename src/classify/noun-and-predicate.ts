// Builds expressions from a noun and a predicate, so that wording rules are two lists of words
// instead of sentences. Pure.

/** Matches the text between a noun and its predicate: short, and without the end of a sentence. */
const BETWEEN = String.raw`[^.;!?]{0,32}`;

/** Matches a noun followed by a predicate. */
export function follow(
  noun: string,
  predicates: readonly string[],
  between: string = BETWEEN,
): RegExp {
  return new RegExp(`(?:${noun})${between}(?:${predicates.join("|")})`);
}

/** Matches a noun and a predicate in either order. */
export function pairUp(
  nouns: readonly string[],
  predicates: readonly string[],
  between: string,
): RegExp[] {
  const [noun, predicate] = [nouns.join("|"), predicates.join("|")];
  return [
    new RegExp(`(?:${noun})${between}(?:${predicate})`),
    new RegExp(`(?:${predicate})${between}(?:${noun})`),
  ];
}
