// Typesets sentences of the service like the console's own. Pure.

/** Returns the sentence with curly apostrophes. Quotes inside addresses stay. */
export function typeset(sentence: string): string {
  return sentence.replaceAll(/(\p{L})'(?=(?:s|t|re|ll|ve)?(?:\s|[.,:;)]|$))/gu, "$1’");
}
