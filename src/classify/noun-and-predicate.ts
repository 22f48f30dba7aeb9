// Builds expressions from a noun and a predicate. With this function, a wording rule lists words
// instead of sentences. Pure.

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
