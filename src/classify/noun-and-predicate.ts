// Builds expressions for a noun and its predicate, so that rules on wording are two lists of words
// rather than sentences. Pure.

/** Text between a noun and its predicate: both are in one sentence and near each other. */
const BETWEEN = String.raw`[^.;!?]{0,32}`;

/** Matches a noun with a predicate behind it. */
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
