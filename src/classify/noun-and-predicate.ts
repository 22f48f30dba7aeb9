// Builds expressions from nouns and predicates, so that a wording rule lists words instead of
// sentences. Pure.

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
